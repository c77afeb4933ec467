// @ts-check
'use strict';

/**
 * Notes in shared memory (`figures.ts` says where) how long what the session runs takes, and what upkeep it
 * is given.
 */
class Figures {
  /**
   * @param {{ shared: Float64Array, bounds: readonly number[], upkeepKinds: readonly string[] }} places
   * @param {() => number} now Milliseconds of a monotonic clock.
   */
  constructor({ shared, bounds, upkeepKinds }, now) {
    this.shared = shared;
    this.bounds = bounds;
    this.upkeepKinds = upkeepKinds;
    this.now = now;
  }

  /**
   * @template T
   * @param {() => T} run
   * @returns {T}
   */
  timed(run) {
    const begunAt = this.now();
    try {
      return run();
    } finally {
      const seconds = (this.now() - begunAt) / 1000;
      const found = this.bounds.findIndex((bound) => seconds <= bound);
      this.add(found < 0 ? this.bounds.length : found, 1);
      this.add(this.bounds.length + 1, seconds);
    }
  }

  /** @param {string} sql a statement of the upkeep; what only looks is none */
  upkeep(sql) {
    const kind = this.upkeepKinds.findIndex((name) => sql.startsWith(name));
    if (kind >= 0) this.add(this.bounds.length + 2 + kind, 1);
  }

  /**
   * @param {number} place
   * @param {number} more
   */
  add(place, more) {
    this.shared[place] = /** @type {number} */ (this.shared[place]) + more;
  }
}

module.exports = { Figures };
