const mockRunCli = jest.fn<Promise<number>, [string[]]>();
jest.mock('./run-cli', () => ({ runCli: mockRunCli }));
// The flag would be that of the process which runs the tests.
jest.mock('../v8-flags', () => ({}));

describe('the command line’s process', () => {
  /** Runs the entry; `fail` is what it does about standard output. */
  async function start(outcome: Promise<number>) {
    mockRunCli.mockReset().mockReturnValue(outcome);
    const exitCode = jest.spyOn(process, 'exitCode', 'set').mockReturnValue(undefined);
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const on = jest.spyOn(process.stdout, 'on').mockReturnThis();
    jest.replaceProperty(process, 'argv', ['node', 'main.js', 'users', 'list']);
    jest.resetModules();
    jest.requireActual('./main');
    await new Promise((resolve) => setImmediate(resolve));
    const listeners = new Map<unknown, unknown>(on.mock.calls);
    const told = stderr.mock.calls.map(([text]) => text).join('');
    return {
      codes: exitCode.mock.calls.flat(),
      told,
      fail: listeners.get('error') as (error: Error) => void,
    };
  }
  afterEach(() => jest.restoreAllMocks());

  it('runs its command line, and ends with the code of that', async () => {
    expect(await start(Promise.resolve(2))).toMatchObject({ codes: [2], told: '' });
    expect(mockRunCli.mock.calls).toEqual([[]]);
  });

  it.each([
    ['EPIPE', 0],
    ['ENOSPC', 1],
  ])('ends at %s of standard output with code %d', async (code, expected) => {
    const { fail } = await start(new Promise(() => undefined));
    const exit = jest.spyOn(process, 'exit').mockImplementation();
    fail(Object.assign(new Error('write'), { code }));
    expect(exit.mock.calls).toEqual([[expected]]);
  });
});
