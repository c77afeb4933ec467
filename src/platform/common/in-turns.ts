import { setImmediate } from 'node:timers/promises';

const waiting: (() => void)[] = [];

async function resumeWaiting(): Promise<void> {
  while (waiting.length > 0) {
    await setImmediate();
    waiting.shift()!();
  }
}

/**
 * Gives other requests their turn, between pieces of work that no list holds. One piece goes on in each turn of the
 * event loop, so that many requests with much work keep a short one waiting no longer than one of them does.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) void resumeWaiting();
  });

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
  const keep = async (result: Promise<Result>) => void results.push(await result);
  const pause = async () => {
    await nextTurn();
    end = performance.now() + TURN_MS;
  };
  // Short work has no promise of its own, which would take longer than the work.
  const take = (item: Item): Promise<void> | undefined => {
    const result = work(item, results.length);
    if (result instanceof Promise)
      return keep(result).then(() => (performance.now() < end ? undefined : pause()));
    results.push(result);
    return performance.now() < end ? undefined : pause();
  };
  if (Symbol.asyncIterator in items) for await (const item of items) await take(item);
  else {
    for (const item of items) {
      const waiting = take(item);
      if (waiting) await waiting;
    }
  }
  return results;
}
