// @ts-check
import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { cube } from '@electric-sql/pglite/contrib/cube';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { makeDurable } from './durable-files.cjs';
import { readTemplate, syncDirectory, unpackTemplate, writeTemplate } from './template.cjs';

/**
 * @typedef {import('../database-thread.js').ThreadSettings & { engine: object,
 *   onProgress: (text: string) => void, onStderr: (line: string) => boolean }} Place
 */

/** Data directories of earlier versions have `cube`; the others are used. */
const extensions = { pg_trgm, cube };

/**
 * PostgreSQL's machine code, as PGlite would compile it for itself: the process's next thread uses it, too.
 * @returns {Promise<object>}
 */
export async function compileEngine() {
  const { WebAssembly } = /** @type {any} */ (globalThis);
  return WebAssembly.compile(
    await readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))),
  );
}

/**
 * Reading and writing a page of a file goes through JavaScript, so a database on disk has more shared buffers.
 * @param {boolean} durable
 */
const startParams = (durable) => [
  ...PGlite.defaultStartParams.filter((parameter) => !(durable && parameter === '-F')),
  ...['-c', `shared_buffers=${durable ? '64MB' : '16MB'}`],
  ...(durable ? ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'] : []),
];

/**
 * Opens the database. One that does not exist yet begins with a template.
 * @param {Place} place
 * @returns {Promise<PGlite>}
 */
export async function openDatabase(place) {
  const { dataDir, engine, onStderr } = place;
  const params = startParams(dataDir !== undefined);
  const common = { pgliteWasmModule: engine, extensions, onStderr, startParams: params };
  if (dataDir === undefined) {
    return PGlite.create({ ...common, loadDataDir: new ArchiveBlob(await templateOf(place)) });
  }
  if (!fs.existsSync(dataDir)) await makeDirectory(dataDir, await templateOf(place));
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
 * Makes PostgreSQL's directory. It gets its name only when it is complete and on the disk.
 * @param {string} dataDir
 * @param {Uint8Array} archive
 */
async function makeDirectory(dataDir, archive) {
  const unfinished = `${dataDir}.new`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  await unpackTemplate(archive, unfinished);
  fs.renameSync(unfinished, dataDir);
  await syncDirectory(path.dirname(dataDir));
}

/**
 * The archive of a new database: the stored one, or one made now and stored for the next start.
 * @param {Place} place
 */
async function templateOf({ templateFile, onProgress, engine, onStderr }) {
  const stored = templateFile ? await readTemplate(templateFile) : undefined;
  if (stored) return stored;
  onProgress('initialising the embedded database (first start, a few seconds)');
  const archive = await archiveOfNewDatabase(engine, onStderr);
  // Where nothing can be written, nothing is stored.
  if (templateFile) await writeTemplate(templateFile, archive).catch(() => undefined);
  return archive;
}

/**
 * Taken after PostgreSQL has shut down and before its files are let go: a copy has nothing to recover.
 * @param {object} engine
 * @param {Place['onStderr']} onStderr
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function archiveOfNewDatabase(engine, onStderr) {
  const pg = await PGlite.create({ pgliteWasmModule: engine, startParams: startParams(false), onStderr });
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
