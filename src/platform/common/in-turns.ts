import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other requests get their turn. */
const TURN_MS = 10;

/** Returns the results of `work` for all items, in their order. Other requests get their turn about every 10 ms. */
export async function inTurns<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let end = performance.now() + TURN_MS;
  for (const item of items) {
    results.push(work(item, results.length));
    if (performance.now() < end) continue;
    await setImmediate();
    end = performance.now() + TURN_MS;
  }
  return results;
}
