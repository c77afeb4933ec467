// @ts-check
'use strict';

/**
 * Begins a copy of a directory in a thread of its own: nobody waits for it. Started by its file address, so
 * it must stay plain JavaScript.
 */
const { parentPort, workerData } = require('node:worker_threads');
const { beginCopy } = require('./directory-copy.cjs');

const { from, to } = /** @type {import('../directory-copy').Places} */ (workerData);

/** @type {import('node:worker_threads').MessagePort} */ (parentPort).postMessage(beginCopy(from, to));
