import { setImmediate } from 'node:timers/promises';

/** Work on much data that can be interrupted at each `yield`. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Milliseconds of work after which other requests get their turn. */
const SLICE = 10;

/** Does the work without interruption. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does the work in slices, between which other requests get their turn. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let end = performance.now() + SLICE;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < end) continue;
    await setImmediate();
    end = performance.now() + SLICE;
  }
}

/** Returns the results of `make` for all items. */
export function* mapping<T, R>(items: Iterable<T>, make: (item: T) => R): Steps<R[]> {
  const made: R[] = [];
  for (const item of items) {
    made.push(make(item));
    yield;
  }
  return made;
}
