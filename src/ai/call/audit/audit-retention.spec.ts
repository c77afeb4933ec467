import { Logger } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { Environment } from '../../../config/environment';
import type { AiAuditRepository } from './ai-audit.repository';
import { AuditRetention, ROWS_AT_ONCE } from './audit-retention';

const MINUTE_MS = 60_000;

describe('AuditRetention', () => {
  const deleteOlder = jest.fn<Promise<number>, [number, number]>();
  let log: jest.SpyInstance;
  let warn: jest.SpyInstance;

  const start = (aiAuditRetentionDays = 30, host: object = { httpAdapter: {} }) => {
    const retention = new AuditRetention(
      { aiAuditRetentionDays } as Environment,
      { deleteOlder } as unknown as AiAuditRepository,
      host as HttpAdapterHost,
    );
    retention.onApplicationBootstrap();
    return retention;
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

  it.each<[string, number, object]>([
    ['no days are set', 0, { httpAdapter: {} }],
    ['a command runs', 30, {}],
  ])('does nothing where %s', async (_, days, host) => {
    start(days, host);
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
    expect(deleteOlder.mock.calls).toEqual([[30, ROWS_AT_ONCE]]);
    expect(log.mock.calls).toEqual([['Deleted 7 audit rows that were too old']]);
    await pass(60 * MINUTE_MS);
    expect(deleteOlder).toHaveBeenCalledTimes(2);
    expect(log).toHaveBeenCalledTimes(1);
  });

  it('goes on after a look that failed, and says that it did', async () => {
    start();
    deleteOlder.mockRejectedValueOnce(new Error('away'));
    await pass(65 * MINUTE_MS);
    expect(warn.mock.calls).toEqual([
      [{ err: expect.objectContaining({ message: 'away' }) as unknown }, 'Old audit rows cannot be deleted'],
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
    expect(log.mock.calls).toEqual([['Deleted 1000000 audit rows that were too old']]);
  });

  it('a stop waits for the statement under way, and no other follows', async () => {
    let deleted!: (rows: number) => void;
    deleteOlder.mockReturnValue(new Promise((resolve) => (deleted = resolve)));
    const retention = start();
    await pass(5 * MINUTE_MS);
    let isStopped = false;
    const stopping = retention.onModuleDestroy().then(() => (isStopped = true));
    await pass(0);
    expect(isStopped).toBe(false);
    deleted(ROWS_AT_ONCE);
    await pass(200);
    await stopping;
    expect(deleteOlder).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
