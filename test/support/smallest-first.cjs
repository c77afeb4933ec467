// @ts-check
'use strict';

const { statSync } = require('node:fs');

/**
 * For mutation testing: small files first, which test one thing. What they notice the large ones, which take
 * long, need not be run for.
 */
class SmallestFirst {
  /** @template {{ path: string }} T @param {readonly T[]} tests files */
  sort(tests) {
    return tests
      .map((test) => ({ test, size: statSync(test.path).size }))
      .sort((a, b) => a.size - b.size)
      .map(({ test }) => test);
  }

  /** What Jest's own keeps of a run, to begin with what failed. */
  cacheResults() {}
}

module.exports = SmallestFirst;
