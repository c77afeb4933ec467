import { setImmediate as nextTurn } from 'node:timers/promises';

/** Gives other requests their turn, between pieces of work that no list holds. */
export { nextTurn };

/** Milliseconds of work after which other requests get their turn. */
const TURN_MS = 10;

/**
 * Returns a function for loops that `inTurns` does not fit: awaited at each item, it gives other requests their turn if
 * 10 ms have passed since the last one.
 */
export function turns(): () => Promise<void> {
  let end = performance.now() + TURN_MS;
  return async () => {
    if (performance.now() < end) return;
    await nextTurn();
    end = performance.now() + TURN_MS;
  };
}

/** Returns the results of `work` for all items, in their order. Other requests get their turn about every 10 ms. */
export async function inTurns<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let end = performance.now() + TURN_MS;
  for await (const item of items) {
    const result = work(item, results.length);
    results.push(result instanceof Promise ? await result : result);
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MS;
  }
  return results;
}
