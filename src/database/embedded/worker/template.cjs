// @ts-check
'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');
const { gunzip, gzip } = require('node:zlib');

/** Bytes of header and trailer. */
const LEAST_GZIP = 18;

/** No archive is larger, whatever a broken one says: it is unpacked in pieces of this size. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * The kept archive of a freshly initialised database, or undefined when there is none that can be used. The
 * archive's own checksum tells whether it is whole; a broken one is removed, so that the next writer replaces
 * it.
 * @param {string} file
 * @returns {Promise<Uint8Array<ArrayBuffer> | undefined>}
 */
async function readTemplate(file) {
  try {
    const packed = await fs.readFile(file);
    // Into one buffer of its size, which gzip ends with: forty megabytes are not copied, let alone twice.
    const size = packed.length < LEAST_GZIP ? 0 : packed.readUInt32LE(packed.length - 4);
    const unpacked = await promisify(gunzip)(packed, {
      chunkSize: Math.min(Math.max(size, 1024), MOST_BYTES),
    });
    return filling(unpacked);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') {
      await fs.rm(file, { force: true }).catch(() => undefined);
    }
    return undefined;
  }
}

/**
 * @param {Buffer} bytes
 * @returns {Uint8Array<ArrayBuffer>} the bytes in a buffer that has no others
 */
function filling(bytes) {
  const { buffer, byteOffset, byteLength } = bytes;
  const whole = byteOffset === 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer;
  return whole ? new Uint8Array(buffer) : new Uint8Array(bytes);
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
