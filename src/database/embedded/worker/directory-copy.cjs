// @ts-check
'use strict';

const fs = require('node:fs');
const path = require('node:path');

/** What is left on the disk for the database itself (bytes). */
const SPARE_BYTES = 64 * 1024 * 1024;

/** How much larger a copy may be than what was counted: files take whole blocks. */
const ROOM = 1.1;

/** Times of files are no finer than this on any file system (ns): two writes may have the same. */
const COARSEST_TIME = 2_000_000_000n;

/** What is compared at once (bytes). */
const PIECE = 1024 * 1024;

/**
 * What files looked like before they were copied, by their names in the directory; those only whose next
 * write must show.
 * @typedef {Map<string, string>} Seen
 */

/**
 * Copies a directory that is written to meanwhile, for nobody but its owner; where the file system can,
 * without copying what is in the files. It opens only after `finishCopy`.
 * @param {string} from
 * @param {string} to is not there
 * @returns {Seen}
 * @throws {Error} where there is no room for it; then nothing is left of it
 */
function beginCopy(from, to) {
  const bytes = sizeOf(from);
  const { bavail, bsize } = fs.statfsSync(path.dirname(to));
  const free = bavail * bsize;
  if (free < bytes * ROOM + SPARE_BYTES) {
    const [needed, left] = [bytes * ROOM + SPARE_BYTES, free].map((count) => Math.ceil(count / 1e6));
    throw new Error(`no room for a copy of the database: ${needed} MB are needed, ${left} MB are free`);
  }
  return orNothing(to, () => {
    fs.mkdirSync(to, { mode: 0o700 });
    // By the file system's own clock, which may be another machine's.
    const begun = fs.statSync(to, { bigint: true }).ctimeNs;
    /** @type {Seen} */
    const seen = new Map();
    copyInto(from, to, '', seen, begun - COARSEST_TIME);
    return seen;
  });
}

/**
 * Makes a copy that was begun what the directory is now. Nobody changes it meanwhile: this returns when it is
 * done. What has not been written to since is not read again, and of the rest only what differs is written.
 * @param {string} from
 * @param {string} to
 * @param {Seen} seen
 * @returns {number} its bytes
 * @throws {Error} then nothing is left of it
 */
function finishCopy(from, to, seen) {
  return orNothing(to, () => update(from, to, '', seen));
}

/**
 * @template T
 * @param {string} to
 * @param {() => T} copy
 */
function orNothing(to, copy) {
  try {
    return copy();
  } catch (error) {
    fs.rmSync(to, { recursive: true, force: true });
    throw error;
  }
}

/**
 * @param {string} directory
 * @returns {number}
 */
function sizeOf(directory) {
  let bytes = 0;
  for (const entry of entriesOf(directory)) {
    const place = path.join(directory, entry.name);
    bytes += entry.isDirectory() ? sizeOf(place) : (fs.statSync(place, { throwIfNoEntry: false })?.size ?? 0);
  }
  return bytes;
}

/**
 * @param {string} from
 * @param {string} to
 * @param {string} inner the directory within them
 * @param {Seen} seen
 * @param {bigint} since a file that was written to later may be so again without showing it
 */
function copyInto(from, to, inner, seen, since) {
  for (const entry of entriesOf(path.join(from, inner))) {
    const name = path.join(inner, entry.name);
    if (entry.isDirectory()) {
      fs.mkdirSync(path.join(to, name), { mode: 0o700 });
      copyInto(from, to, name, seen, since);
      continue;
    }
    const found = fs.statSync(path.join(from, name), { bigint: true, throwIfNoEntry: false });
    // Removed meanwhile, here or below.
    if (!found || orAway(() => copyFile(from, to, name)) === undefined) continue;
    if (found.mtimeNs < since && found.ctimeNs < since) seen.set(name, lookOf(found));
  }
}

/**
 * @param {string} from
 * @param {string} to
 * @param {string} inner the directory within them
 * @param {Seen} seen
 * @returns {number} its bytes
 */
function update(from, to, inner, seen) {
  let bytes = 0;
  const entries = entriesOf(path.join(from, inner));
  const there = new Map(entriesOf(path.join(to, inner)).map((entry) => [entry.name, entry]));
  const wanted = new Set(entries.map(kindAndName));
  for (const entry of there.values()) {
    if (wanted.has(kindAndName(entry))) continue;
    fs.rmSync(path.join(to, inner, entry.name), { recursive: true });
    there.delete(entry.name);
  }
  for (const entry of entries) {
    const name = path.join(inner, entry.name);
    if (entry.isDirectory()) {
      if (!there.has(entry.name)) fs.mkdirSync(path.join(to, name), { mode: 0o700 });
      bytes += update(from, to, name, seen);
      continue;
    }
    const found = fs.statSync(path.join(from, name), { bigint: true });
    bytes += Number(found.size);
    if (!there.has(entry.name)) copyFile(from, to, name);
    else if (seen.get(name) !== lookOf(found)) writeDifferences(path.join(from, name), path.join(to, name));
  }
  return bytes;
}

/** @param {fs.Dirent} entry */
const kindAndName = (entry) => `${entry.isDirectory() ? '/' : ''}${entry.name}`;

/** @param {fs.BigIntStats} found */
const lookOf = ({ ino, size, mtimeNs, ctimeNs }) => [ino, size, mtimeNs, ctimeNs].join();

/**
 * @param {string} from
 * @param {string} to
 * @param {string} name
 */
function copyFile(from, to, name) {
  fs.copyFileSync(path.join(from, name), path.join(to, name), fs.constants.COPYFILE_FICLONE);
  return true;
}

/**
 * @param {string} source
 * @param {string} target
 */
function writeDifferences(source, target) {
  const [wanted, given] = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)];
  const read = fs.openSync(source, 'r');
  const written = fs.openSync(target, 'r+');
  try {
    let position = 0;
    for (;;) {
      const count = fs.readSync(read, wanted, 0, PIECE, position);
      if (count === 0) break;
      const piece = wanted.subarray(0, count);
      const other = given.subarray(0, fs.readSync(written, given, 0, count, position));
      if (!piece.equals(other)) writeAll(written, piece, position);
      position += count;
    }
    fs.ftruncateSync(written, position);
  } finally {
    fs.closeSync(read);
    fs.closeSync(written);
  }
}

/**
 * @param {number} file
 * @param {Buffer} bytes
 * @param {number} position
 */
function writeAll(file, bytes, position) {
  for (let done = 0; done < bytes.length;) {
    done += fs.writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}

/**
 * @param {string} directory
 * @returns {fs.Dirent[]} none of one that was removed meanwhile
 */
const entriesOf = (directory) => orAway(() => fs.readdirSync(directory, { withFileTypes: true })) ?? [];

/**
 * @template T
 * @param {() => T} work
 * @returns {T | undefined} undefined where what it needs was removed meanwhile
 */
function orAway(work) {
  try {
    return work();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
}

module.exports = { beginCopy, finishCopy };
