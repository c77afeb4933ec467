// @ts-check
import fs from 'node:fs';
import path from 'node:path';

/**
 * Forces a directory to the disk: its files first, then the directory itself.
 * @param {string} directory
 * @param {{ deep?: boolean }} [options] deep false: only the directory's own entries (names), not their content
 */
export function syncTree(directory, { deep = true } = {}) {
  if (deep) {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const name = path.join(directory, entry.name);
      if (entry.isDirectory()) syncTree(name);
      else if (entry.isFile()) syncPath(name, 'r+');
    }
  }
  // Windows keeps directories in order by itself and does not open them.
  if (process.platform !== 'win32') syncPath(directory, 'r');
}

/**
 * @param {string} name
 * @param {string} flags
 */
function syncPath(name, flags) {
  const descriptor = fs.openSync(name, flags);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
