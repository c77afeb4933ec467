const mockRunCli = jest.fn<Promise<number>, [string[]]>();
jest.mock('./run-cli', () => ({ runCli: mockRunCli }));
// The flag would be that of the process which runs the tests.
jest.mock('../v8-flags', () => ({}));

describe('the command line’s process', () => {
  /** Runs the entry; `fail` is what it does about standard output. */
  async function start(outcome: Promise<number>) {
    mockRunCli.mockReset().mockReturnValue(outcome);
    const events: unknown[] = [];
    jest.spyOn(process, 'exitCode', 'set').mockImplementation((code) => events.push({ code }));
    jest.spyOn(process, 'exit').mockImplementation((code) => events.push({ ended: code }) as never);
    // A pipe that is read later.
    for (const name of ['stdout', 'stderr'] as const) {
      jest.spyOn(process[name], 'write').mockImplementation((text, sent) => {
        setImmediate(() => {
          events.push(`${name} ${JSON.stringify(text)}`);
          (sent as unknown as () => void)();
        });
        return false;
      });
    }
    const on = jest.spyOn(process.stdout, 'on').mockReturnThis();
    jest.replaceProperty(process, 'argv', ['node', 'main.js', 'users', 'list']);
    jest.resetModules();
    jest.requireActual('./main');
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const listeners = new Map<unknown, unknown>(on.mock.calls);
    return { events, fail: listeners.get('error') as (error: Error) => void };
  }
  afterEach(() => jest.restoreAllMocks());

  it('runs its command line; what that has begun goes on where it went well', async () => {
    expect(await start(Promise.resolve(0))).toMatchObject({ events: [{ code: 0 }] });
    expect(mockRunCli.mock.calls).toEqual([[]]);
  });

  it('ends for sure where its command failed, when all has been told', async () => {
    const { events } = await start(Promise.resolve(2));
    expect(events).toEqual([{ code: 2 }, 'stdout ""', 'stderr ""', { ended: 2 }]);
  });

  it.each([
    ['EPIPE', 0],
    ['ENOSPC', 1],
  ])('ends at %s of standard output with code %d', async (code, expected) => {
    const { events, fail } = await start(new Promise(() => undefined));
    fail(Object.assign(new Error('write'), { code }));
    expect(events).toEqual([{ ended: expected }]);
  });
});
