import { randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { DatabaseSetupError } from '../database-setup-error';
import { backupLines, partsOfBackup } from './backup-lines';
import type { TransferPart, TransferParts } from './transfer-parts';

/** Why a file cannot be written. */
const NOT_WRITABLE = new Set(
  'ENOSPC EDQUOT EIO EFBIG ENOENT ENOTDIR ENAMETOOLONG EACCES EPERM EROFS'.split(' '),
);

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown error';

/**
 * Refuses early what `writeBackup` would refuse at its end.
 * @throws DatabaseSetupError
 */
export async function refuseExisting(path: string, force = false): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new DatabaseSetupError(`${path} is a directory`);
  if (found && !force) throw exists(path);
}

const exists = (path: string) => new DatabaseSetupError(`${path} exists already: --force replaces it`);

/**
 * Writes a transfer to a file, compressed, readable by its owner only. It appears under its name when it is
 * complete and on the disk; until then, and after a failure, what was there before is untouched.
 * @returns its size in bytes
 * @throws DatabaseSetupError where it cannot be written, or exists and is not to be replaced
 */
export async function writeBackup(path: string, parts: TransferParts, force = false): Promise<number> {
  const temporary = `${path}.${randomUUID()}.part`;
  const forgetSignals = removeOnSignal(temporary);
  try {
    // Opened before anything can fail: a stream that still opens makes its file behind the removal below.
    const opened = await open(temporary, 'wx', 0o600);
    // It is on the disk when the stream has ended.
    const file = opened.createWriteStream({ flush: true });
    await pipeline(backupLines(parts), createGzip(), file);
    await moveTo(path, temporary, force);
    return file.bytesWritten;
  } catch (error) {
    // What fails now is of less interest than the reason.
    await rm(temporary, { force: true }).catch(() => undefined);
    const code = codeOf(error);
    if (NOT_WRITABLE.has(code)) {
      throw new DatabaseSetupError(`${path} cannot be written (${code})`, { cause: error });
    }
    throw error;
  } finally {
    forgetSignals();
  }
}

/**
 * Whoever is told to stop meanwhile leaves nothing half-written, and ends as the signal says.
 * @returns what takes that back
 */
function removeOnSignal(path: string): () => void {
  const stop = (signal: NodeJS.Signals) => {
    forget();
    rmSync(path, { force: true });
    process.kill(process.pid, signal);
  };
  const forget = () => {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return forget;
}

async function moveTo(path: string, temporary: string, force: boolean): Promise<void> {
  if (force) await rename(temporary, path);
  else {
    try {
      // Unlike a renaming it replaces nothing that has come meanwhile.
      await link(temporary, path);
      await rm(temporary);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw exists(path);
      // File systems without links.
      await rename(temporary, path);
    }
  }
  const directory = await open(dirname(path), 'r').catch(() => undefined);
  // Windows syncs no directories.
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

/**
 * The transfer in a file.
 * @throws DatabaseSetupError where it cannot be read, is damaged or no backup
 */
export async function* readBackup(path: string): AsyncGenerator<TransferPart> {
  const file = createReadStream(path);
  const unpacked = createGunzip();
  // An error of the file would not reach whoever reads what is unpacked.
  file.on('error', (error) => unpacked.destroy(error));
  try {
    yield* partsOfBackup(file.pipe(unpacked));
  } catch (error) {
    const code = codeOf(error);
    if (code.startsWith('Z_')) {
      throw new DatabaseSetupError(
        `${path} is no backup of this service, or damaged (${(error as Error).message}): use another one`,
        { cause: error },
      );
    }
    if (['ENOENT', 'EACCES', 'EISDIR', 'EIO', 'EPERM'].includes(code)) {
      throw new DatabaseSetupError(`${path} cannot be read (${code})`, { cause: error });
    }
    throw error;
  } finally {
    file.destroy();
    unpacked.destroy();
  }
}
