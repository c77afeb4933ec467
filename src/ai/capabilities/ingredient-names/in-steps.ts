import { setImmediate } from 'node:timers/promises';

/** Number of names per step. Converting this many of the longest names takes a few milliseconds. */
const NAMES_IN_STEP = 100;

/** Returns the results of `work` for all items, pausing for other requests between steps. */
export async function inSteps<T, R>(items: Iterable<T>, work: (item: T) => R): Promise<R[]> {
  const made: R[] = [];
  for (const item of items) {
    made.push(work(item));
    if (made.length % NAMES_IN_STEP === 0) await setImmediate();
  }
  return made;
}
