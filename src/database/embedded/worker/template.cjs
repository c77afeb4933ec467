// @ts-check
'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');
const { gunzip, gzip } = require('node:zlib');

/**
 * The kept archive of a freshly initialised database, or undefined when there is none that can be used. The
 * archive's own checksum tells whether it is whole; a broken one is removed, so that the next writer replaces
 * it.
 * @param {string} file
 * @returns {Promise<Uint8Array<ArrayBuffer> | undefined>}
 */
async function readTemplate(file) {
  try {
    return new Uint8Array(await promisify(gunzip)(await fs.readFile(file)));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') {
      await fs.rm(file, { force: true }).catch(() => undefined);
    }
    return undefined;
  }
}

/**
 * Keeps an archive for later starts. Several processes may do so at once: each writes a file of its own and
 * moves it into place.
 * @param {string} file
 * @param {Uint8Array} archive
 */
async function writeTemplate(file, archive) {
  const own = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(own, await promisify(gzip)(archive, { level: 3 }));
    await fs.rename(own, file);
  } catch (error) {
    await fs.rm(own, { force: true }).catch(() => undefined);
    throw error;
  }
}

module.exports = { readTemplate, writeTemplate };
