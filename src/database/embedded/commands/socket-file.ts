import { closeSync, lstatSync, openSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const NAME = 'commands.sock';

/** Bytes that the path of a socket may have on every system. */
const MOST_PATH_BYTES = 100;

const OTHERS_MAY_WRITE = 0o002;
const OTHERS_MAY_USE = 0o077;

/** The socket in a data directory, under a path that the system takes. */
export interface SocketFile {
  readonly path: string;
  /** The path is good until then. */
  release(): void;
}

/**
 * The path of a socket is short; on Linux a longer one is reached through the opened directory.
 * @throws Error where this system cannot have it
 */
export function socketFileIn(dataDir: string): SocketFile {
  if (process.platform === 'win32') throw new Error('Windows has no sockets for one user only');
  const directory = resolve(dataDir);
  const path = join(directory, NAME);
  if (Buffer.byteLength(path) <= MOST_PATH_BYTES) return { path, release: () => undefined };
  if (process.platform !== 'linux') {
    throw new Error(`the path ${path} is longer than ${MOST_PATH_BYTES} bytes`);
  }
  const descriptor = openSync(directory, 'r');
  return {
    path: `/proc/self/fd/${descriptor}/${NAME}`,
    release: () => closeSync(descriptor),
  };
}

/**
 * For who has the lock of the directory: what is there was left by one that was killed.
 * @throws Error where others could put a socket of theirs in its place
 */
export function makeRoomForSocket(dataDir: string): void {
  if (statSync(dataDir).mode & OTHERS_MAY_WRITE) {
    throw new Error(`every user of this machine may write in ${resolve(dataDir)}: chmod 700 it`);
  }
  rmSync(join(dataDir, NAME), { force: true });
}

/**
 * For who wants to connect: whether there is a socket.
 * @throws Error where it may be another user's
 */
export function hasSocket(dataDir: string): boolean {
  if (process.platform === 'win32') return false;
  const path = join(dataDir, NAME);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isSocket()) return false;
  const own = process.getuid!();
  // The superuser speaks to whose directory it is.
  const owner = own === 0 ? statSync(dataDir).uid : own;
  if ((found.uid !== own && found.uid !== owner) || found.mode & OTHERS_MAY_USE) {
    throw new Error(`${path} is another user's, or others may use it: run the command as the service's user`);
  }
  return true;
}
