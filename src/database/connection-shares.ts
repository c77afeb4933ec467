import { busyDatabase } from './pg-errors';

/** How long a statement waits for its place, in milliseconds: as long as for a connection. */
export const PLACE_PATIENCE_MS = 5000;

type Admit = () => void;

/** The most connections that statements may have at once. */
export interface ConnectionLimits {
  /** The statements of one group. */
  readonly group: number;
  /** All groups together, but those of `reserved`. */
  readonly all: number;
  /** Groups that never wait for others: short statements that every request needs. */
  readonly reserved: ReadonlySet<string>;
}

/**
 * How many connections the statements of one group may have at most, so that what waits for one locked table
 * leaves connections to everything else. The others of the group wait here, in the order of their coming.
 */
export class ConnectionShares {
  private readonly taken = new Map<string, number>();
  /** Those who wait, by group; the groups in the order of their turns. */
  private readonly waiting = new Map<string, Set<Admit>>();
  private takenByAll = 0;

  constructor(private readonly limits: ConnectionLimits) {}

  /**
   * Takes a place, which `leave` gives back.
   * @returns nothing when there is one; else resolves when it is this one's turn
   * @throws UnavailableError, by the promise, when that takes too long
   */
  enter(group: string): Promise<void> | undefined {
    if (!this.hasPlace(group)) return this.turn(group);
    this.take(group, 1);
    return undefined;
  }

  leave(group: string): void {
    this.take(group, -1);
    for (const [next, waiting] of this.waiting) {
      if (!this.hasPlace(next)) continue;
      const [admit] = waiting;
      this.take(next, 1);
      // Those of other groups come first.
      this.waiting.delete(next);
      if (waiting.size > 1) this.waiting.set(next, waiting);
      return admit!();
    }
  }

  private hasPlace(group: string): boolean {
    if ((this.taken.get(group) ?? 0) >= this.limits.group) return false;
    return this.limits.reserved.has(group) || this.takenByAll < this.limits.all;
  }

  private take(group: string, places: number): void {
    this.taken.set(group, (this.taken.get(group) ?? 0) + places);
    if (!this.limits.reserved.has(group)) this.takenByAll += places;
  }

  private turn(group: string): Promise<void> {
    let waiting = this.waiting.get(group);
    if (!waiting) this.waiting.set(group, (waiting = new Set()));
    const others = waiting;
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => {
        others.delete(admit);
        if (others.size === 0) this.waiting.delete(group);
        reject(busyDatabase());
      }, PLACE_PATIENCE_MS).unref();
      const admit = () => {
        clearTimeout(patience);
        others.delete(admit);
        resolve();
      };
      others.add(admit);
    });
  }
}
