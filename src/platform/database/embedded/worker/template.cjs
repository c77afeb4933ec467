// @ts-check
'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { buffer } = require('node:stream/consumers');
const { promisify } = require('node:util');
const { gunzip, gzip } = require('node:zlib');
const { extract } = require('tar-stream');

/** The mark of a running PostgreSQL; an archive of one that runs has it, too. */
const PID_FILE = 'postmaster.pid';

/**
 * @param {string} file
 * @returns {Promise<Uint8Array<ArrayBuffer> | undefined>} the archive of a database, uncompressed; undefined if
 *   there is none or it is damaged
 */
async function readTemplate(file) {
  try {
    return new Uint8Array(await promisify(gunzip)(await fs.readFile(file)));
  } catch {
    return undefined;
  }
}

/**
 * Several processes may write it at once: each writes a file of its own and moves it into place.
 * @param {string} file
 * @param {Uint8Array} archive
 */
async function writeTemplate(file, archive) {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(temporary, await promisify(gzip)(archive, { level: 3 }));
  await fs.rename(temporary, file);
}

/**
 * Unpacks an archive into a new directory and forces it to the disk. Nobody but the owner may read it:
 * PostgreSQL insists on that.
 * @param {Uint8Array} archive
 * @param {string} directory
 */
async function unpackTemplate(archive, directory) {
  await fs.mkdir(directory, { recursive: true, mode: 0o700 });
  const directories = [directory];
  /** @type {Promise<void>[]} */
  const files = [];
  const entries = extract();
  entries.end(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength));
  for await (const entry of entries) {
    const name = path.join(directory, entry.header.name);
    const content = await buffer(entry);
    if (entry.header.type === 'directory') {
      await fs.mkdir(name, { recursive: true, mode: 0o700 });
      directories.push(name);
    } else if (path.basename(name) !== PID_FILE) {
      files.push(fs.writeFile(name, content, { mode: 0o600, flush: true }));
    }
  }
  await Promise.all(files);
  for (const name of directories) await syncDirectory(name);
}

/** @param {string} name */
async function syncDirectory(name) {
  // Windows does not open directories.
  if (process.platform === 'win32') return;
  const directory = await fs.open(name, 'r');
  await directory.sync().finally(() => directory.close());
}

module.exports = { readTemplate, syncDirectory, unpackTemplate, writeTemplate };
