// @ts-check
'use strict';

/*
 * Required before everything else, by each entry of the process: what follows does not even load on an old
 * Node. So this file keeps to what Node 12 understands.
 */

/** As `engines` in package.json says. */
const OLDEST_MAJOR = 20;
const OLDEST_MINOR = 19;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST_MAJOR || (major === OLDEST_MAJOR && minor < OLDEST_MINOR)) {
  process.stderr.write(
    `Node.js ${OLDEST_MAJOR}.${OLDEST_MINOR} or later is needed, and this is ${process.versions.node} (${process.execPath})\n`,
  );
  process.exit(1);
}
