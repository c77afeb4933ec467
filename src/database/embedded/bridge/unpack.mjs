// @ts-check
import fs from 'node:fs/promises';
import path from 'node:path';

const BLOCK = 512;

/** A start of PostgreSQL without one of these would not even say what is missing. */
const VITAL = ['PG_VERSION', 'global/pg_control', 'postgresql.conf'];

/** The file by which a running PostgreSQL marks its directory: an archive made from one that runs has it too. */
const MARK_OF_THE_RUNNING = 'postmaster.pid';

/**
 * Writes an archive of PostgreSQL's directory, as PGlite makes it, into a new directory, and forces it to the disk.
 * @param {Uint8Array} archive uncompressed tar
 * @param {string} directory
 */
export async function unpack(archive, directory) {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const directories = [directory];
  /** @type {{ name: string, content: Buffer }[]} */
  const files = [];
  for (const { name, isDirectory, content } of entries(bytes)) {
    if (isDirectory) directories.push(path.join(directory, name));
    else if (name !== MARK_OF_THE_RUNNING) files.push({ name, content });
  }
  const missing = VITAL.filter((name) => !files.some((file) => file.name === name));
  if (missing.length > 0) throw new Error(`not an archive of a database: ${missing.join(', ')} missing`);

  // PostgreSQL refuses directories that others may read.
  for (const name of directories) await fs.mkdir(name, { recursive: true, mode: 0o700 });
  // Together, so that the file system can write many in one go.
  await Promise.all(files.map(({ name, content }) => writeDown(path.join(directory, name), content)));
  for (const name of directories.reverse()) await syncDirectory(name);
}

/**
 * @param {Buffer} bytes
 * @returns {Generator<{ name: string, isDirectory: boolean, content: Buffer }>}
 */
function* entries(bytes) {
  const text = (/** @type {number} */ start, /** @type {number} */ length) =>
    bytes.toString('utf8', start, start + length).replace(/\0.*$/s, '');
  let offset = 0;
  while (offset + BLOCK <= bytes.length && bytes[offset] !== 0) {
    const name = path.posix.normalize(text(offset, 100)).replace(/^\/+|\/+$/g, '');
    const size = Number.parseInt(text(offset + 124, 12), 8);
    const end = offset + BLOCK + size;
    if (!(size >= 0) || end > bytes.length || name.startsWith('..'))
      throw new Error('not an archive of a database');
    yield {
      name,
      isDirectory: String.fromCharCode(bytes[offset + 156] ?? 0) === '5',
      content: bytes.subarray(offset + BLOCK, end),
    };
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
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
export async function syncDirectory(name) {
  // Windows keeps directories in order by itself and does not open them.
  if (process.platform === 'win32') return;
  const directory = await fs.open(name, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
