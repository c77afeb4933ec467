// @ts-check
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { cube } from '@electric-sql/pglite/contrib/cube';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { vector } from '@electric-sql/pglite-pgvector';
import { makeDurable } from './durable-files.cjs';
import { readTemplate, writeTemplate } from './template.cjs';
import { syncDirectory, unpack } from './unpack.cjs';
import { lockVersionFile } from './version-lock.cjs';

/**
 * @typedef {import('../database-thread.js').ThreadSettings & { engine?: object,
 *   onProgress: (text: string) => void, onStderr: (line: string) => boolean }} Place
 */

/** Between the directory's name and what makes the name of one in the making its own. */
const STAGING = '.new';

/** Data directories of earlier versions have `cube`; the others are used. */
const extensions = { pg_trgm, cube, vector };

/**
 * PostgreSQL's machine code, as PGlite would compile it for itself: others may use it, too.
 * @returns {Promise<object>}
 */
export async function compileEngine() {
  const { WebAssembly } = /** @type {any} */ (globalThis);
  return WebAssembly.compile(
    await readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))),
  );
}

/**
 * What is not among the shared buffers is read and written through JavaScript, page by page; of a database in
 * memory it is only copied.
 * @param {boolean} durable
 */
const startParams = (durable) => [
  ...PGlite.defaultStartParams.filter((parameter) => !(durable && parameter === '-F')),
  ...['-c', `shared_buffers=${durable ? '64MB' : '16MB'}`],
  ...(durable ? ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'] : []),
];

/**
 * Opens the database, making it first where there is none.
 * @param {Place} place
 * @returns {Promise<PGlite>}
 */
export async function openDatabase(place) {
  const { dataDir, engine, onStderr } = place;
  const params = startParams(dataDir !== undefined);
  const common = { pgliteWasmModule: engine, extensions, onStderr, startParams: params };
  if (dataDir === undefined) {
    return createFromTemplate(place, (archive) =>
      PGlite.create({ ...common, loadDataDir: new ArchiveBlob(archive) }),
    );
  }
  if (fs.existsSync(dataDir)) lockVersionFile(dataDir);
  else await makeDirectory(place, dataDir);
  return PGlite.create({ ...common, fs: durableFileSystem(dataDir) });
}

/** PGlite asks a Blob for its bytes; Node's own takes twice as long to give them as PostgreSQL to start. */
class ArchiveBlob extends Blob {
  /** @param {Uint8Array<ArrayBuffer>} archive that fills its buffer */
  constructor(archive) {
    super([]);
    this.archive = archive;
  }

  /** @override */
  arrayBuffer() {
    return Promise.resolve(this.archive.buffer);
  }
}

/** @param {string} directory */
function durableFileSystem(directory) {
  const files = new NodeFS(directory);
  const init = files.init.bind(files);
  files.init = (pg, options) => {
    const durable = (/** @type {any} */ module) => makeDurable(module.FS);
    return init(pg, { ...options, preRun: [...(options.preRun ?? []), durable] });
  };
  return files;
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
 * Makes PostgreSQL's directory; it appears under its name only when it is complete and on the disk, and
 * locked. Of two processes that make it at the same time the second finds the name taken.
 * @param {Place} place
 * @param {string} dataDir
 */
async function makeDirectory(place, dataDir) {
  const staging = `${dataDir}${STAGING}${randomUUID()}`;
  try {
    await createFromTemplate(place, async (archive) => {
      remove(staging);
      await unpack(archive, staging);
    });
    // Windows moves no directory with an open file in it.
    const locksFirst = process.platform !== 'win32';
    if (locksFirst) lockVersionFile(staging);
    fs.renameSync(staging, dataDir);
    if (!locksFirst) lockVersionFile(dataDir);
  } catch (error) {
    remove(staging);
    throw error;
  }
  removeLeftovers(dataDir);
  await syncDirectory(path.dirname(dataDir));
}

/**
 * What first starts have left that were killed. One that is still at work fails by it, as it has to.
 * @param {string} dataDir
 */
function removeLeftovers(dataDir) {
  const parent = path.dirname(dataDir);
  for (const name of fs.readdirSync(parent)) {
    if (name.startsWith(`${path.basename(dataDir)}${STAGING}`)) remove(path.join(parent, name));
  }
}

/** @param {string} directory */
function remove(directory) {
  // Again while somebody else still writes into it.
  fs.rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
}

/**
 * Makes a database from the archive of a freshly initialised one: the kept one, or where there is none or it
 * is of no use, one made now.
 * @template T
 * @param {Place} place
 * @param {(archive: Uint8Array<ArrayBuffer>) => Promise<T>} create
 */
async function createFromTemplate(place, create) {
  const { templateFile: file, onProgress } = place;
  const kept = file ? await readTemplate(file) : undefined;
  if (file && kept) {
    try {
      return await create(kept);
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      onProgress(`the kept template is of no use and is made anew (${reason})`);
    }
  }
  onProgress('initialising the embedded database (first start, a few seconds)');
  const archive = await archiveOfNewDatabase(place);
  // Where nothing can be written, nothing is kept.
  const written = file && writeTemplate(file, archive).catch(() => undefined);
  const made = await create(archive);
  await written;
  return made;
}

/**
 * Taken after PostgreSQL has shut down and before its files are let go: a copy starts without anything to
 * recover.
 * @param {Place} place
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function archiveOfNewDatabase({ engine, onStderr }) {
  const pg = await PGlite.create({
    pgliteWasmModule: engine,
    startParams: startParams(false),
    onStderr,
  });
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
