// @ts-check
'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { buffer } = require('node:stream/consumers');
const { extract } = require('tar-stream');

/** A start of PostgreSQL without one of these would not even say what is missing. */
const VITAL = ['PG_VERSION', 'global/pg_control', 'postgresql.conf'];

/** The mark of a running PostgreSQL: an archive made from one that runs has it, too. */
const MARK_OF_THE_RUNNING = 'postmaster.pid';

/**
 * Writes an archive of PostgreSQL's directory, as PGlite makes it, into a new directory, and forces it to the
 * disk.
 * @param {Uint8Array} archive uncompressed tar
 * @param {string} directory
 * @throws {Error} when the archive is broken, holds something else or points out of the directory
 */
async function unpack(archive, directory) {
  const directories = [directory];
  /** @type {{ name: string, content: Buffer }[]} */
  const files = [];
  for await (const entry of entriesOf(archive)) {
    const name = path.posix.normalize(entry.header.name).replace(/^\/+|\/+$/g, '');
    if (name.startsWith('..')) throw new Error(`not an archive of a database: ${name} is outside of it`);
    const content = await buffer(entry);
    if (entry.header.type === 'directory') directories.push(path.join(directory, name));
    else if (name !== MARK_OF_THE_RUNNING) files.push({ name, content });
  }
  const missing = VITAL.filter((name) => !files.some((file) => file.name === name));
  if (missing.length > 0) throw new Error(`not an archive of a database: ${missing.join(', ')} missing`);

  // PostgreSQL refuses directories that others may read.
  for (const name of directories) await fs.mkdir(name, { recursive: true, mode: 0o700 });
  // Together, so that the file system can write many in one go; a failed one is left at rest.
  const written = await Promise.allSettled(
    files.map(({ name, content }) => writeDown(path.join(directory, name), content)),
  );
  for (const file of written) if (file.status === 'rejected') throw file.reason;
  for (const name of directories.reverse()) await syncDirectory(name);
}

/** @param {Uint8Array} archive */
function entriesOf(archive) {
  const entries = extract();
  entries.end(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength));
  return entries;
}

/**
 * @param {string} name
 * @param {Buffer} content
 */
async function writeDown(name, content) {
  const file = await fs.open(name, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** @param {string} name */
async function syncDirectory(name) {
  // Windows keeps directories in order by itself and does not open them.
  if (process.platform === 'win32') return;
  const directory = await fs.open(name, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

module.exports = { syncDirectory, unpack };
