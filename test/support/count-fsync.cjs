'use strict';

/** Preloaded into a process and its threads: says `fsync` whenever data was forced to the disk. */
const fs = require('node:fs');

const fsyncSync = fs.fsyncSync;
fs.fsyncSync = (descriptor) => {
  fsyncSync(descriptor);
  fs.writeSync(1, 'fsync\n');
};
