// @ts-check
'use strict';

const { createRequire } = require('node:module');

const { default: Sequencer } = createRequire(require.resolve('jest'))('@jest/test-sequencer');

/** Files that wait for processes and limits of time: one that began last would run alone at the end. */
const LONGEST =
  /[/](start|no-server-errors|embedded-postgres|database-setup|database-backup|cli-db|fair-shares)[.]e2e-spec[.]ts$/;

/** In a clean clone, where Jest knows no durations and begins with the largest files. */
class LongestFirst extends Sequencer {
  /** @param {any[]} tests files */
  sort(tests) {
    const sorted = /** @type {any[]} */ (super.sort(tests));
    const isLong = (/** @type {{ path: string }} */ { path }) => LONGEST.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}

module.exports = LongestFirst;
