import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock, unlock } from 'fs-native-extensions';
import { EmbeddedDatabaseInUseError, type Owner, OWNERS } from './errors';

/**
 * The right of one process to use a data directory, held as a lock of the kernel on the file `lock` in it.
 *
 * The kernel releases it when the process ends, in whatever way, so there is nothing stale to recognise:
 * process numbers are not compared (they repeat, above all in containers). What is written in the file is only
 * for people to read.
 */
export class DirectoryLock {
  private constructor(private readonly descriptor: number) {}

  /**
   * @throws EmbeddedDatabaseInUseError if this or another process holds the directory
   * @throws the file system's own error if the file cannot be written or the file system knows no locks
   */
  static acquire(directory: string, owner?: Owner): DirectoryLock {
    const file = join(directory, 'lock');
    const descriptor = openSync(file, 'a+', 0o600);
    try {
      if (!tryLock(descriptor)) throw inUse(directory, file);
      ftruncateSync(descriptor, 0);
      writeSync(descriptor, `${process.pid} ${owner ?? ''}\nDo not delete this file: it is locked.\n`);
      return new DirectoryLock(descriptor);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** The file stays: the next process locks the same one. */
  release(): void {
    unlock(this.descriptor);
    closeSync(this.descriptor);
  }
}

/** By what is in the file, which may be unreadable (on Windows, while it is locked). */
function inUse(directory: string, file: string): EmbeddedDatabaseInUseError {
  let [pid, owner]: (string | undefined)[] = [];
  try {
    [pid, owner] = readFileSync(file, 'utf8').split(/\s/, 2);
  } catch {
    // Its owner is not known.
  }
  const number = Number.parseInt(pid ?? '', 10);
  return new EmbeddedDatabaseInUseError(
    directory,
    Number.isSafeInteger(number) ? number : undefined,
    OWNERS.find((known) => known === owner),
  );
}
