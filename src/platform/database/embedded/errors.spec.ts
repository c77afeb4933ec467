import { translatePgError } from '../pg-errors';
import {
  EmbeddedDatabaseClosedError,
  EmbeddedDatabaseCrashedError,
  EmbeddedDatabaseInUseError,
  EmbeddedDatabaseStartError,
} from './errors';

describe('Errors of the embedded database', () => {
  it.each([
    [7, 'service', 'a service (process 7). Stop it first (kill 7, systemctl stop or docker stop).'],
    [7, undefined, 'another process (process 7). Stop it first (kill 7, systemctl stop or docker stop).'],
    [undefined, undefined, 'another process. Stop it first (systemctl stop or docker stop).'],
    [7, 'command', 'a command (process 7). Wait until it ends.'],
  ] as const)('name who has the directory: %s %s', (pid, owner, who) => {
    const error = new EmbeddedDatabaseInUseError('here', pid, owner);
    expect(error).toMatchObject({ name: 'EmbeddedDatabaseInUseError', directory: 'here', pid });
    expect(error.message).toBe(`The data directory here is in use by ${who}`);
  });

  const FULL = 'the disk is full';
  const DAMAGED = 'its write-ahead log is damaged; restore the data directory from a copy';

  it.each([
    ['ENOSPC: no space', [], FULL],
    ['it ended', ['LOG: a', 'PANIC: could not write: No space left on device'], FULL],
    ['it ended', ['FATAL: Disk quota exceeded'], FULL],
    ['it ended', ['PANIC: could not locate a valid checkpoint record'], DAMAGED],
    ['it ended', ['LOG: something else'], undefined],
  ])('tell the reason “%s” with the log %j, and what it means', (reason, log, meaning) => {
    const explained = meaning ? `${meaning} (${reason})` : reason;
    const lines = log.map((line) => `\n  ${line}`).join('');
    const [start, crash] = [
      new EmbeddedDatabaseStartError(reason, log),
      new EmbeddedDatabaseCrashedError(reason, log),
    ];
    expect(start.message).toBe(`The embedded database did not start: ${explained}${lines}`);
    expect(crash.message).toBe(`The embedded database has crashed: ${explained}${lines}`);
    expect([start.log, crash.log]).toEqual([log, log]);
  });

  it.each([
    [new EmbeddedDatabaseStartError('x'), 'EmbeddedDatabaseStartError', 'ECONNREFUSED'],
    [new EmbeddedDatabaseCrashedError('x'), 'EmbeddedDatabaseCrashedError', 'ECONNRESET'],
    [new EmbeddedDatabaseClosedError(), 'EmbeddedDatabaseClosedError', 'ECONNRESET'],
  ])('are a database out of reach while it serves: %s', (error, name, code) => {
    expect(error).toMatchObject({ name, code });
    expect(translatePgError(error)).toMatchObject({ status: 503, message: '数据库不可用' });
  });
});
