import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock, unlock } from 'fs-native-extensions';
import { EmbeddedDatabaseInUseError } from './errors';

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
  static acquire(directory: string): DirectoryLock {
    const file = join(directory, LOCK_FILE);
    for (;;) {
      const descriptor = openSync(file, 'a+', 0o600);
      try {
        if (!tryLock(descriptor)) throw new EmbeddedDatabaseInUseError(directory, ownerOf(file));
        if (isStillAt(file, descriptor)) {
          describeOwner(descriptor);
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

function describeOwner(descriptor: number): void {
  ftruncateSync(descriptor, 0);
  writeSync(
    descriptor,
    `${process.pid}\nThis process uses the directory. The lock is the kernel's, not this file.\n`,
  );
}

/** The process number in the file; undefined when it cannot be read (on Windows, while it is locked). */
function ownerOf(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isSafeInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}
