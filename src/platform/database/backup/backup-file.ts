import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream';
import { pipeline as finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { DatabaseSetupError } from '../database-errors';
import {
  type Backup,
  BACKUP_FORMAT,
  type BackupHead,
  backupHeadSchema,
  BATCH_CHARACTERS,
  BATCH_ROWS,
  type RowBatch,
} from './backup';

/** Longest line, much longer than any row that a request can write. */
const MAX_LINE_CHARACTERS = 250_000_000;

/** Error codes of a file that cannot be written. Other errors come from the database. */
const NOT_WRITABLE = new Set(
  'ENOSPC EDQUOT EIO EFBIG ENOENT ENOTDIR ENAMETOOLONG EACCES EPERM EROFS'.split(' '),
);

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';

/** @throws DatabaseSetupError if a backup must not be written to this path */
export async function refuseExisting(path: string, force = false): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new DatabaseSetupError(`${path} is a directory`);
  if (found && !force) throw new DatabaseSetupError(`${path} exists already: --force replaces it`);
}

/**
 * Writes a backup to a compressed file that only its owner can read. The file is renamed when it is complete and on
 * disk. Until then, and after a failure, an earlier file of that name stays unchanged.
 * @returns its size in bytes
 * @throws DatabaseSetupError if it cannot be written
 */
export async function writeBackup(path: string, backup: Backup, force = false): Promise<number> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    const file = handle.createWriteStream({ flush: true });
    await finished(linesOf(backup), createGzip(), file);
    await moveTo(path, temporary, force);
    return file.bytesWritten;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    if (!NOT_WRITABLE.has(codeOf(error))) throw error;
    throw new DatabaseSetupError(`${path} cannot be written (${codeOf(error)})`, { cause: error });
  }
}

async function moveTo(path: string, temporary: string, force: boolean): Promise<void> {
  if (force) await rename(temporary, path);
  else {
    try {
      // Unlike a rename, a link never replaces a file that was created in the meantime.
      await link(temporary, path);
      await rm(temporary);
    } catch (error) {
      if (codeOf(error) === 'EEXIST')
        throw new DatabaseSetupError(`${path} exists already: --force replaces it`, { cause: error });
      // For file systems without hard links.
      await rename(temporary, path);
    }
  }
  // Syncing the directory writes the file's name to disk. Windows cannot sync directories.
  const directory = await open(dirname(path), 'r').catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

async function* linesOf({ head, batches }: Backup): AsyncGenerator<string> {
  yield `${JSON.stringify(head)}\n`;
  for await (const { table, rows } of batches) {
    if (rows.some((row) => row.length > MAX_LINE_CHARACTERS)) {
      throw new DatabaseSetupError(
        `The table ${table} has a row that is too long for a backup: shorten it first`,
      );
    }
    yield `${rows.join('\n')}\n`;
  }
}

/**
 * Reads the head of a backup file now, and its rows on demand.
 * @throws DatabaseSetupError if the file cannot be read, is damaged or is not a backup
 */
export async function readBackup(path: string): Promise<Backup> {
  for await (const line of readLines(path)) {
    const head = parseHead(path, line);
    return { head, batches: readBatches(path, head) };
  }
  throw notABackup(path);
}

async function* readBatches(path: string, { tables }: BackupHead): AsyncGenerator<RowBatch> {
  const lines = readLines(path);
  try {
    await lines.next();
    for (const { name, rows: count } of tables) {
      for (let left = count; left > 0;) {
        const rows: string[] = [];
        for (
          let characters = 0;
          left > 0 && rows.length < BATCH_ROWS && characters < BATCH_CHARACTERS;
          left--
        ) {
          const { value: line, done } = await lines.next();
          if (done) throw damaged(path, 'rows are missing');
          rows.push(line);
          characters += line.length;
        }
        yield { table: name, rows };
      }
    }
    // Reading to the end verifies the checksum of the compressed file.
    if (!(await lines.next()).done) throw damaged(path, 'it has more rows than its head says');
  } finally {
    await lines.return(undefined);
  }
}

/** Yields the lines of a compressed file. PostgreSQL escapes line feeds in JSON, but not Unicode's line separators. */
async function* readLines(path: string): AsyncGenerator<string, undefined> {
  const text = pipeline(createReadStream(path), createGunzip(), () => undefined).setEncoding('utf8');
  try {
    let parts: string[] = [];
    let length = 0;
    for await (const chunk of text as AsyncIterable<string>) {
      const [first = '', ...others] = chunk.split('\n');
      parts.push(first);
      length += first.length;
      if (length > MAX_LINE_CHARACTERS) throw damaged(path, 'a line has no end');
      for (const next of others) {
        yield parts.join('');
        parts = [next];
        length = next.length;
      }
    }
    if (length > 0) yield parts.join('');
  } catch (error) {
    if (codeOf(error).startsWith('Z_')) throw notABackup(path, error);
    if (!codeOf(error).startsWith('E')) throw error;
    throw new DatabaseSetupError(`${path} cannot be read (${codeOf(error)})`, { cause: error });
  }
}

function parseHead(path: string, line: string): BackupHead {
  let head: unknown;
  try {
    head = JSON.parse(line);
  } catch (error) {
    throw notABackup(path, error);
  }
  const format = (head as { formulaBackup?: unknown } | null)?.formulaBackup;
  if (typeof format === 'number' && format !== BACKUP_FORMAT) {
    throw new DatabaseSetupError(
      `${path} is a backup in format ${format}; this version of the service reads format ${BACKUP_FORMAT}: ` +
        'restore it with the version that wrote it',
    );
  }
  const parsed = backupHeadSchema.safeParse(head);
  if (!parsed.success) throw notABackup(path, parsed.error);
  return parsed.data;
}

const damaged = (path: string, reason: string, cause?: unknown) =>
  new DatabaseSetupError(`${path} is damaged (${reason}): use another backup`, { cause });

const notABackup = (path: string, cause?: unknown) =>
  new DatabaseSetupError(`${path} is no backup of this service, or damaged: use another one`, { cause });
