import { setImmediate as nextTurn } from 'node:timers/promises';

/** Gives other requests their turn, between pieces of work that no list holds. */
export { nextTurn };

/** Milliseconds of work after which other requests get their turn. */
const TURN_MS = 10;

/** Returns the results of `work` for all items, in their order. Other requests get their turn about every 10 ms. */
export async function inTurns<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let end = performance.now() + TURN_MS;
  for (const item of items) {
    const result = work(item, results.length);
    results.push(result instanceof Promise ? await result : result);
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MS;
  }
  return results;
}
