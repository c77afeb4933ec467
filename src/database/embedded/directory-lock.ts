import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock, unlock } from 'fs-native-extensions';
import { EmbeddedDatabaseInUseError, type Owner, OWNERS } from './errors';

const LOCK_FILE = 'lock';

/**
 * The right of one process to use a data directory, held as a lock of the kernel on a file in it.
 *
 * The kernel lets go when the process ends, in whatever way, so there is nothing stale to recognise: no
 * process numbers are compared (they repeat, above all in containers), no clocks are read, and of two
 * processes that start at the same instant one gets the lock. What is written in the file is only for people
 * to read.
 */
export class DirectoryLock {
  private released = false;

  private constructor(private readonly descriptor: number) {}

  /**
   * @throws EmbeddedDatabaseInUseError when this or another process holds the directory
   * @throws the file system's own error where the file cannot be written or the file system knows no locks
   */
  static acquire(directory: string, owner?: Owner): DirectoryLock {
    const file = join(directory, LOCK_FILE);
    for (;;) {
      const descriptor = openSync(file, 'a+', 0o600);
      try {
        if (!tryLock(descriptor)) throw inUse(directory, file);
        if (isStillAt(file, descriptor)) {
          describeOwner(descriptor, owner);
          return new DirectoryLock(descriptor);
        }
      } catch (error) {
        closeSync(descriptor);
        throw error;
      }
      // The file was deleted between opening and locking it: what is locked is not what others will see.
      closeSync(descriptor);
    }
  }

  /** Gives the directory free. The file stays: deleting it would open the gap that `acquire` looks for. */
  release(): void {
    if (this.released) return;
    this.released = true;
    unlock(this.descriptor);
    closeSync(this.descriptor);
  }
}

function isStillAt(file: string, descriptor: number): boolean {
  const opened = fstatSync(descriptor);
  const named = statSync(file, { throwIfNoEntry: false });
  return named !== undefined && named.ino === opened.ino && named.dev === opened.dev;
}

function describeOwner(descriptor: number, owner?: Owner): void {
  const who = owner ? `${process.pid} ${owner}` : process.pid;
  ftruncateSync(descriptor, 0);
  writeSync(
    descriptor,
    `${who}\nThis process uses the directory. The lock is the kernel's, not this file.\n`,
  );
}

/** By what is in the file, which may be unreadable (on Windows, while it is locked). */
function inUse(directory: string, file: string): EmbeddedDatabaseInUseError {
  let [pid, owner]: (string | undefined)[] = [];
  try {
    [pid, owner] = readFileSync(file, 'utf8').split(/\s/, 2);
  } catch {
    // Nothing is known of it.
  }
  const number = Number.parseInt(pid ?? '', 10);
  return new EmbeddedDatabaseInUseError(
    directory,
    Number.isSafeInteger(number) ? number : undefined,
    OWNERS.find((known) => known === owner),
  );
}
