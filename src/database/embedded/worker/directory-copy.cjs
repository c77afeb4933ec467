// @ts-check
'use strict';

const fs = require('node:fs');
const path = require('node:path');

/** What is left on the disk for the database itself (bytes). */
const SPARE_BYTES = 64 * 1024 * 1024;

/** How much larger a copy may be than what was counted: files take whole blocks. */
const ROOM = 1.1;

/**
 * Copies a directory with all that is in it, for nobody but its owner; where the file system can, without
 * copying what is in the files. Nobody changes it meanwhile: this returns when it is done.
 * @param {string} from
 * @param {string} to is not there
 * @returns {number} its bytes
 * @throws {Error} where there is no room for it; then nothing is left of it
 */
function copyDirectory(from, to) {
  const bytes = sizeOf(from);
  const { bavail, bsize } = fs.statfsSync(path.dirname(to));
  const free = bavail * bsize;
  if (free < bytes * ROOM + SPARE_BYTES) {
    const [needed, left] = [bytes * ROOM + SPARE_BYTES, free].map((count) => Math.ceil(count / 1e6));
    throw new Error(`no room for a copy of the database: ${needed} MB are needed, ${left} MB are free`);
  }
  try {
    copyInto(from, to);
  } catch (error) {
    fs.rmSync(to, { recursive: true, force: true });
    throw error;
  }
  return bytes;
}

/**
 * @param {string} directory
 * @returns {number}
 */
function sizeOf(directory) {
  let bytes = 0;
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const place = path.join(directory, entry.name);
    bytes += entry.isDirectory() ? sizeOf(place) : fs.statSync(place).size;
  }
  return bytes;
}

/**
 * @param {string} from
 * @param {string} to
 */
function copyInto(from, to) {
  fs.mkdirSync(to, { mode: 0o700 });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copyInto(source, target);
    else fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE);
  }
}

module.exports = { copyDirectory };
