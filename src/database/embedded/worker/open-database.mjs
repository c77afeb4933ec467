// @ts-check
import fs from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { cube } from '@electric-sql/pglite/contrib/cube';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { durableNodeFS } from './durable-node-fs.mjs';
import { readTemplate, removeTemplate, writeTemplate } from './template.mjs';
import { syncDirectory, unpack } from './unpack.mjs';

/**
 * @typedef {object} Place
 * @property {string} [dataDir] PostgreSQL's own directory; in memory when absent.
 * @property {string | null} [templateFile] Where a freshly initialised database is kept for the next one.
 * @property {(text: string) => void} onProgress
 * @property {(line: string) => boolean} onStderr What PostgreSQL writes to its log.
 */

/** Data directories of earlier versions have `cube`; the others are used. */
const extensions = { pg_trgm, cube, vector };

/** @param {boolean} durable */
const startParams = (durable) => [
  ...PGlite.defaultStartParams.filter((parameter) => !(durable && parameter === '-F')),
  ...setting('shared_buffers', '16MB'),
  ...(durable ? [...setting('fsync', 'on'), ...setting('wal_sync_method', 'fsync')] : []),
];

/**
 * @param {string} name
 * @param {string} value
 */
function setting(name, value) {
  return ['-c', `${name}=${value}`];
}

/**
 * Opens the database, making it first where there is none.
 * @param {Place} place
 * @returns {Promise<{ pg: PGlite, templateWritten: Promise<void> }>} `templateWritten` settles when the template that
 *   was made on the way, if any, is written; it never rejects
 */
export async function openDatabase(place) {
  const { dataDir, onStderr } = place;
  if (!dataDir) {
    const startOptions = { extensions, startParams: startParams(false), onStderr };
    const { made, templateWritten } = await createFromTemplate(place, (archive) =>
      PGlite.create({ loadDataDir: new Blob([archive]), ...startOptions }),
    );
    return { pg: made, templateWritten };
  }
  const made = fs.existsSync(dataDir) ? undefined : await makeDirectory(place, dataDir);
  const startOptions = { extensions, startParams: startParams(true), onStderr };
  const pg = await PGlite.create({ fs: durableNodeFS(dataDir), ...startOptions });
  return { pg, templateWritten: made?.templateWritten ?? Promise.resolve() };
}

/**
 * An archive of the database's files as they are now. They are read before this returns its promise.
 * @param {PGlite} pg
 */
export async function archiveOf(pg) {
  const archive = await /** @type {NonNullable<typeof pg.fs>} */ (pg.fs).dumpTar('pgdata', 'none');
  return new Uint8Array(await archive.arrayBuffer());
}

/**
 * Makes PostgreSQL's directory; it appears under its name only when it is complete and on the disk.
 * @param {Place} place
 * @param {string} dataDir
 */
async function makeDirectory(place, dataDir) {
  const staging = `${dataDir}.new`;
  const { templateWritten } = await createFromTemplate(place, async (archive) => {
    fs.rmSync(staging, { recursive: true, force: true });
    await unpack(archive, staging);
  });
  fs.renameSync(staging, dataDir);
  await syncDirectory(path.dirname(dataDir));
  return { templateWritten };
}

/**
 * Makes a database from the archive of a freshly initialised one: the kept one, or where there is none or it is of no
 * use, one made now.
 * @template T
 * @param {Place} place
 * @param {(archive: Uint8Array<ArrayBuffer>) => Promise<T>} create
 */
async function createFromTemplate(place, create) {
  const { templateFile: file, onProgress } = place;
  const kept = file ? await readTemplate(file) : undefined;
  if (file && kept) {
    try {
      return { made: await create(kept), templateWritten: Promise.resolve() };
    } catch (error) {
      await removeTemplate(file);
      const reason = error instanceof Error ? error.message : error;
      onProgress(`the kept template is of no use and is made anew (${reason})`);
    }
  }
  onProgress('initialising the embedded database (first start, a few seconds)');
  const archive = await archiveOfNewDatabase(place);
  // Where nothing can be written, nothing is kept.
  const templateWritten = file ? writeTemplate(file, archive).catch(() => undefined) : Promise.resolve();
  return { made: await create(archive), templateWritten };
}

/**
 * Taken after PostgreSQL has shut down and before its files are let go: a copy starts without anything to recover.
 * @param {Place} place
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function archiveOfNewDatabase({ onStderr }) {
  const pg = await PGlite.create({ startParams: startParams(false), onStderr });
  const files = /** @type {NonNullable<typeof pg.fs>} */ (pg.fs);
  const letGo = files.closeFs.bind(files);
  /** @type {Uint8Array<ArrayBuffer> | undefined} */
  let archive;
  files.closeFs = async () => {
    archive = await archiveOf(pg);
    await letGo();
  };
  await pg.close();
  return /** @type {Uint8Array<ArrayBuffer>} */ (archive);
}
