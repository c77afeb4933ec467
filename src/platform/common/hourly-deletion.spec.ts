import { Logger } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { HourlyDeletion } from './hourly-deletion';

const MINUTE_MS = 60_000;
const ROWS_AT_ONCE = 1000;

class OldLetters extends HourlyDeletion {
  constructor(
    host: HttpAdapterHost,
    private readonly enabled: boolean,
    private readonly deleteSome: () => Promise<number>,
  ) {
    super(host, 'letters', ROWS_AT_ONCE);
  }

  protected isEnabled(): boolean {
    return this.enabled;
  }

  protected deleteStep(): Promise<number> {
    return this.deleteSome();
  }
}

describe('HourlyDeletion', () => {
  const deleteOlder = jest.fn<Promise<number>, []>();
  let log: jest.SpyInstance;
  let warn: jest.SpyInstance;

  const start = (enabled = true, host: object = { httpAdapter: {} }) => {
    const deletion = new OldLetters(host as HttpAdapterHost, enabled, deleteOlder);
    deletion.onApplicationBootstrap();
    return deletion;
  };
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    deleteOlder.mockReset().mockResolvedValue(0);
    log = jest.spyOn(Logger.prototype, 'log').mockImplementation();
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it.each<[string, boolean, object]>([
    ['a setting says no', false, { httpAdapter: {} }],
    ['a command runs', true, {}],
  ])('does nothing where %s', async (_, enabled, host) => {
    start(enabled, host);
    await pass(600 * MINUTE_MS);
    expect(deleteOlder).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('looks five minutes after the start, then every hour, and says what it has deleted', async () => {
    start();
    await pass(5 * MINUTE_MS - 1);
    expect(deleteOlder).not.toHaveBeenCalled();
    deleteOlder.mockResolvedValueOnce(7);
    await pass(1);
    expect(deleteOlder).toHaveBeenCalledTimes(1);
    expect(log.mock.calls).toEqual([['Deleted 7 letters that were too old']]);
    await pass(60 * MINUTE_MS);
    expect(deleteOlder).toHaveBeenCalledTimes(2);
    expect(log).toHaveBeenCalledTimes(1);
  });

  it('goes on after a look that failed, and says that it did', async () => {
    start();
    deleteOlder.mockRejectedValueOnce(new Error('away'));
    await pass(65 * MINUTE_MS);
    expect(warn.mock.calls).toEqual([
      [{ err: expect.objectContaining({ message: 'away' }) as unknown }, 'Old letters cannot be deleted'],
    ]);
    expect(deleteOlder).toHaveBeenCalledTimes(2);
  });

  it('pauses between statements, and leaves the rest of more than a million to the next look', async () => {
    deleteOlder.mockResolvedValue(ROWS_AT_ONCE);
    start();
    await pass(5 * MINUTE_MS);
    expect(deleteOlder).toHaveBeenCalledTimes(1);
    await pass(199);
    expect(deleteOlder).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(deleteOlder).toHaveBeenCalledTimes(2);
    await pass(1000 * 200);
    expect(deleteOlder).toHaveBeenCalledTimes(1000);
    expect(log.mock.calls).toEqual([['Deleted 1000000 letters that were too old']]);
  });

  it('a stop waits for the statement under way, and no other follows', async () => {
    let deleted!: (rows: number) => void;
    deleteOlder.mockReturnValue(new Promise((resolve) => (deleted = resolve)));
    const deletion = start();
    await pass(5 * MINUTE_MS);
    let isStopped = false;
    const stopping = deletion.onModuleDestroy().then(() => (isStopped = true));
    await pass(0);
    expect(isStopped).toBe(false);
    deleted(ROWS_AT_ONCE);
    await pass(200);
    await stopping;
    expect(deleteOlder).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
