import { translatePgError } from '../pg-errors';
import {
  EmbeddedDatabaseClosedError,
  EmbeddedDatabaseCrashedError,
  EmbeddedDatabaseInUseError,
  EmbeddedDatabaseStartError,
} from './errors';

describe('Errors of the embedded database', () => {
  it.each([
    [7, 'another process (pid 7)'],
    [undefined, 'another process'],
  ])('name who has the directory, where that is known: %s', (pid, who) => {
    const error = new EmbeddedDatabaseInUseError('here', pid);
    expect(error).toMatchObject({ name: 'EmbeddedDatabaseInUseError', directory: 'here', pid });
    expect(error.message).toBe(
      `The data directory here is in use by ${who}. Stop that process first, or choose another directory with DATA_DIR.`,
    );
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
