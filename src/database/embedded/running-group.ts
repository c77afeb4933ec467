import { StuckWork } from '../stuck-work';

/** How often the thread's note is looked at, in milliseconds. */
const LOOK_EVERY_MS = 1000;

/**
 * What the thread is running: memory that both sides share, because the thread hears and says nothing while
 * a statement runs. First the number of the group, 0 for none; then the client it belongs to.
 */
export type RunningGroup = Int32Array<SharedArrayBuffer>;

export const noteRunningGroup = (): RunningGroup => new Int32Array(new SharedArrayBuffer(8));

/**
 * Watches that no group runs for too long.
 * @param limit how long one may run, in seconds
 * @param isExempt whether a client's groups may take their time
 * @param onStuck told the limit, once, when one has run for longer; it ends the thread
 * @returns ends the watch
 */
export function watchRunningGroup(
  running: RunningGroup,
  limit: number,
  isExempt: (client: number) => boolean,
  onStuck: (seconds: number) => void,
): () => void {
  const stuck = new StuckWork<'thread'>();
  const timer = setInterval(() => {
    const group = Atomics.load(running, 0);
    const isWatched = group !== 0 && !isExempt(Atomics.load(running, 1));
    const looks = stuck.look(isWatched ? [['thread', group]] : []).get('thread') ?? 0;
    if (looks <= limit) return;
    // A thread that is ended can no longer say that it has come to the end of it.
    running.fill(0);
    onStuck(limit);
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}
