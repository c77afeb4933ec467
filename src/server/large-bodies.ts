import type { Clock } from '../common/clock';

/** What holds the event loop for so long is followed by a pause as long, in milliseconds. */
const LONG_TURN_MS = 5;
const LONGEST_PAUSE_MS = 20;

/**
 * Large bodies come one after the other: to parse and validate one takes milliseconds without a wait in
 * between, 30 for a thousand lines in a fresh process. After a long one others have the event loop for as
 * long: a request asks for its user and then for what it wants, so it needs several turns of the loop.
 */
export class LargeBodies {
  private free: Promise<void> = Promise.resolve();

  constructor(private readonly clock: Pick<Clock, 'elapsed'>) {}

  /** Resolves when this body may be worked on: until the next turn of the event loop it is the only one. */
  turn(): Promise<void> {
    const turn = this.free;
    this.free = turn.then(() => this.afterTurn());
    return turn;
  }

  private async afterTurn(): Promise<void> {
    const begunAt = this.clock.elapsed();
    await new Promise((resolve) => setImmediate(resolve));
    const took = this.clock.elapsed() - begunAt;
    if (took < LONG_TURN_MS) return;
    await new Promise((resolve) => setTimeout(resolve, Math.min(took, LONGEST_PAUSE_MS)));
  }
}
