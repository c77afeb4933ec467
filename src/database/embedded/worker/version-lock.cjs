// @ts-check
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { tryLock } = require('fs-native-extensions');

/** Behind the end of the file, where nobody reads: Windows keeps others from reading what is locked. */
const OFFSET = 1024;

/**
 * Locks a file that PostgreSQL keeps as long as its directory exists. The lock file beside the directory
 * (`directory-lock.ts`) may be deleted by a person while a process holds it, and a second process would then
 * lock a new one; two PostgreSQLs on one directory lose data. The kernel lets go when the thread ends.
 * @param {string} directory PostgreSQL's own
 * @throws {Error} when another process, or another thread of this one, has it
 */
function lockVersionFile(directory) {
  const descriptor = fs.openSync(path.join(directory, 'PG_VERSION'), 'r+');
  if (tryLock(descriptor, OFFSET, 1)) return;
  fs.closeSync(descriptor);
  throw new Error(`another process has the database in ${directory} open`);
}

module.exports = { lockVersionFile };
