import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock, unlock } from 'fs-native-extensions';
import { EmbeddedDatabaseInUseError, type Owner, OWNERS } from './errors';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The exclusive use of a data directory by one process: a kernel lock on the file `lock` in it.
 *
 * The kernel releases the lock when the process ends, for whatever reason, so it can never be stale. Process ids
 * are not compared, because they repeat, above all in containers. The content of the file is only for people.
 */
export class DirectoryLock {
  private constructor(private readonly descriptor: number) {}

  /**
   * @throws EmbeddedDatabaseInUseError if this or another process holds the lock
   * @throws the error of the file system if the file cannot be written, or locks are not supported
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

  /** The file is not deleted, so that the next process locks the same one. */
  release(): void {
    unlock(this.descriptor);
    closeSync(this.descriptor);
  }
}

/** Reads the owner from the file, which may be unreadable (on Windows, while it is locked). */
function inUse(directory: string, file: string): EmbeddedDatabaseInUseError {
  let [pid, owner]: (string | undefined)[] = [];
  try {
    [pid, owner] = readFileSync(file, 'utf8').split(/\s/, 2);
  } catch {
    // The owner is unknown.
  }
  const number = Number.parseInt(pid ?? '', 10);
  return new EmbeddedDatabaseInUseError(
    directory,
    Number.isSafeInteger(number) ? number : undefined,
    OWNERS.find((known) => known === owner),
  );
}

/** Longer than a service takes to stop (`STOP_TIMEOUT`, 25 s by default). */
const TIMEOUT_MS = 30_000;
/**
 * Opens a data directory for a service. During a restart the previous process may still be stopping, so this waits
 * until the directory is unlocked.
 * @throws EmbeddedDatabaseInUseError if it is still in use after 30 s
 */
export async function openWhenFree<T>(open: () => Promise<T>, log: (message: string) => void): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof EmbeddedDatabaseInUseError) || performance.now() >= deadline) throw error;
      if (attempt === 1) log(`${error.message} Waiting for it for up to ${TIMEOUT_MS / 1000} s`);
    }
    await pause(250);
  }
}
