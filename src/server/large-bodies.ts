import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';

/** What holds the event loop for so long is followed by a pause twice as long, in milliseconds. */
const LONG_TURN_MS = 5;
const LONGEST_PAUSE_MS = 60;

/** How long a large body lets new connections come first, in milliseconds. */
const MOST_ARRIVALS_MS = 200;

const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Large bodies come one after the other: to parse and validate one takes milliseconds without a wait in
 * between, 30 for a thousand lines in a fresh process. After a long one others have the event loop for
 * twice as long: a request asks for its user and then for what it wants, so it needs several turns of it.
 * Storing the thousand lines takes longer than that.
 *
 * Node accepts one connection in each turn. While any come they wait: behind each large body stands
 * everybody who has not been let in yet.
 */
@Injectable()
export class LargeBodies {
  private free: Promise<void> = Promise.resolve();
  private connections = 0;

  constructor(private readonly clock: Clock) {}

  /** Lets the new connections of this server come first. */
  watch(server: Server): void {
    server.on('connection', () => (this.connections += 1));
  }

  /** Resolves when this body may be worked on: until the next turn of the event loop it is the only one. */
  turn(): Promise<void> {
    const turn = this.free.then(() => this.arrivals());
    this.free = turn.then(() => this.afterTurn());
    return turn;
  }

  private async arrivals(): Promise<void> {
    const until = this.clock.elapsed() + MOST_ARRIVALS_MS;
    let before;
    do {
      before = this.connections;
      await turnOfLoop();
    } while (this.connections > before && this.clock.elapsed() < until);
  }

  private async afterTurn(): Promise<void> {
    const begunAt = this.clock.elapsed();
    await turnOfLoop();
    const took = this.clock.elapsed() - begunAt;
    if (took < LONG_TURN_MS) return;
    await new Promise((resolve) => setTimeout(resolve, Math.min(2 * took, LONGEST_PAUSE_MS)));
  }
}
