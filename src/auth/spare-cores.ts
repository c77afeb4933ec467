import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';

/** The event loop has little to do when it is busy for less than this share of the time. */
const LITTLE = 0.35;

/** Shortest time that is judged, in milliseconds: a single request must not look like a busy service. */
const JUDGED = 20;

/** One of libuv's four threads is left for files and name lookups. */
const THREADS = 3;

/**
 * How many cores work beside the event loop may take: all of them while the event loop has little to do, else
 * all but one, at least one; never more than there are threads to work in.
 */
export class SpareCores {
  private since = performance.eventLoopUtilization();
  private busy = 0;

  count(): number {
    const now = performance.eventLoopUtilization();
    const lately = performance.eventLoopUtilization(now, this.since);
    if (lately.active + lately.idle >= JUDGED) {
      this.busy = lately.utilization;
      this.since = now;
    }
    const cores = availableParallelism();
    const spare = this.busy < LITTLE ? cores : Math.max(1, cores - 1);
    return Math.min(spare, THREADS);
  }
}
