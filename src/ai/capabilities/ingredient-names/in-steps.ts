import { setImmediate } from 'node:timers/promises';

/** So many names of the longest kind are brought into another form within a few milliseconds. */
const NAMES_IN_STEP = 100;

/** What `work` makes of each, with a pause for other requests between steps. */
export async function inSteps<T, R>(items: Iterable<T>, work: (item: T) => R): Promise<R[]> {
  const made: R[] = [];
  for (const item of items) {
    made.push(work(item));
    if (made.length % NAMES_IN_STEP === 0) await setImmediate();
  }
  return made;
}
