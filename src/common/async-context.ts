import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { promiseHooks } from 'node:v8';

/*
 * What `AsyncLocalStorage` does. From Node 24 on it is that storage itself; before, a storage follows every
 * promise of the process through async_hooks, and all requests take a sixth longer (docs/decisions/0014).
 * There V8's promise hooks carry the context: it is found again after each `await`, and in callbacks of
 * timers and events where it was bound to them (`bindContext`) or they are followed (`followCallbacks`).
 */

/** One variable's value, and those around it. */
interface Frame {
  readonly variable: object;
  readonly value: unknown;
  readonly outer: Frame | undefined;
}

const FIRST_NODE_WITH_CHEAP_STORAGE = 24;
const isStorageCheap = Number(process.versions.node.split('.')[0]) >= FIRST_NODE_WITH_CHEAP_STORAGE;

/** Where storage is cheap, the context of everything; else of what needs callbacks followed. */
const storage = new AsyncLocalStorage<Frame | undefined>();

const FRAME = Symbol('frame');
type Carrier = Promise<unknown> & { [FRAME]?: Frame };
/** The context of what runs now, as far as promises know it. */
let carried: Frame | undefined;
let stopCarrying: (() => void) | undefined;
let followers = 0;

const currentFrame = (): Frame | undefined => carried ?? storage.getStore();

function within<R>(frame: Frame | undefined, work: () => R): R {
  if (isStorageCheap) return storage.run(frame, work);
  if (frame) stopCarrying ??= carryByPromises();
  const before = carried;
  carried = frame;
  try {
    // Where callbacks are followed, they see it, too.
    return followers > 0 && storage.getStore() ? storage.run(frame, work) : work();
  } finally {
    carried = before;
  }
}

const carryByPromises = () =>
  promiseHooks.createHook({
    init(promise: Carrier) {
      if (carried) promise[FRAME] = carried;
    },
    before(promise: Carrier) {
      carried = promise[FRAME];
    },
    after() {
      carried = undefined;
    },
  }) as () => void;

/** A value that belongs to a line of work. */
export class AsyncVariable<T> {
  /** Whatever `work` begins sees this value: at once, behind each `await`, in what is bound or followed. */
  run<R>(value: T, work: () => R): R {
    return within({ variable: this, value, outer: currentFrame() }, work);
  }

  get(): T | undefined {
    for (let frame = currentFrame(); frame; frame = frame.outer) {
      if (frame.variable === this) return frame.value as T;
    }
    return undefined;
  }
}

/** The function, run in the context of now wherever it is called: for what others call back. */
export function bindContext<Args extends unknown[], R>(work: (...args: Args) => R): (...args: Args) => R {
  const frame = currentFrame();
  // For storages: that of the transaction, that of what is followed, and those of others.
  const resource = new AsyncResource('bindContext');
  return (...args) => resource.runInAsyncScope(() => within(frame, () => work(...args)));
}

/**
 * Does work whose callbacks see the context of now, bound to it or not, at the price of a storage until it
 * has ended.
 * @param onceEnded is given, after `work`, what to call once when it has ended; not called where following
 *   has no price
 */
export function followCallbacks<R>(onceEnded: (end: () => void) => void, work: () => R): R {
  const frame = currentFrame();
  if (isStorageCheap || !frame) return work();
  followers += 1;
  try {
    return storage.run(frame, work);
  } finally {
    onceEnded(() => {
      followers -= 1;
      if (followers === 0) storage.disable();
    });
  }
}

/**
 * Takes the hooks away until a context is entered anew. They are the process's, and would hold on to the
 * application that has ended, and to the modules of a test file.
 */
export function stopCarryingContexts(): void {
  stopCarrying?.();
  stopCarrying = undefined;
  carried = undefined;
}
