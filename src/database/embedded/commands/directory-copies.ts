import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { DirectoryLock } from '../directory-lock';

/** Copies lie in the data directory: on the same disk, and nobody else's. */
const PREFIX = '.command-copy-';

/** Of copies only: whatever else somebody keeps in the data directory is left alone. */
const NAME = /^\.command-copy-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @returns the data directory of a new copy, empty as yet */
export function makeCopyDirectory(dataDir: string): string {
  const directory = join(resolve(dataDir), `${PREFIX}${randomUUID()}`);
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

/**
 * A copy by what its maker calls it, which may see the data directory under another path. Where a command was
 * told of something else, it would open and remove that.
 * @throws Error where there is no such copy in the data directory
 */
export function copyIn(dataDir: string, called: string): string {
  const name = basename(called);
  const directory = join(resolve(dataDir), name);
  if (!NAME.test(name) || !lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`The copy that the service has made is not in ${resolve(dataDir)}`);
  }
  return directory;
}

export const removeCopy = (directory: string): Promise<void> =>
  // Again while somebody else removes it, too.
  rm(directory, { recursive: true, force: true, maxRetries: 10 });

/**
 * Removes a copy, unless a command has it open.
 * @returns whether it is gone
 */
export async function removeUnusedCopy(directory: string): Promise<boolean> {
  if (!existsSync(directory)) return true;
  let lock: DirectoryLock;
  try {
    lock = DirectoryLock.acquire(directory);
  } catch {
    return !existsSync(directory);
  }
  lock.release();
  await removeCopy(directory);
  return true;
}

/** What commands and services have left that were killed. */
export async function removeUnusedCopies(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    if (NAME.test(name)) await removeUnusedCopy(join(dataDir, name));
  }
}
