import { busyDatabase } from './pg-errors';

/** How long a statement waits for its place, in milliseconds: as long as for a connection. */
export const PLACE_PATIENCE_MS = 5000;

type Admit = () => void;

/** The most connections that statements may have at once. */
export interface ConnectionLimits {
  /** The statements of one group. */
  readonly group: number;
  /** Groups whose names are alike up to a slash, together: `formulas`, `formulas/written`. */
  readonly family: number;
  /** All groups together, but those of `reserved`. */
  readonly all: number;
  /** Groups that never wait for others: short statements that every request needs. */
  readonly reserved: ReadonlySet<string>;
}

/** Some statements' places. */
interface Bound {
  readonly places: number;
  taken: number;
}

/**
 * How many connections the statements of one group may have at most, so that what waits for one locked table
 * leaves connections to everything else. The others of the group wait here, in the order of their coming.
 */
export class ConnectionShares {
  private readonly all: Bound;
  /** What bounds the statements of a group, by group and by family. */
  private readonly bounds = new Map<string, Bound>();
  private readonly boundsOfGroups = new Map<string, readonly Bound[]>();
  /** Those who wait, by group; the groups in the order of their turns. */
  private readonly waiting = new Map<string, Set<Admit>>();

  constructor(private readonly limits: ConnectionLimits) {
    this.all = { places: limits.all, taken: 0 };
  }

  /**
   * Takes a place, which `leave` gives back.
   * @returns nothing when there is one; else resolves when it is this one's turn
   * @throws UnavailableError, by the promise, when that takes too long
   */
  enter(group: string): Promise<void> | undefined {
    if (!this.hasPlace(group)) return this.turn(group);
    this.take(group);
    return undefined;
  }

  leave(group: string): void {
    for (const bound of this.boundsOf(group)) bound.taken -= 1;
    for (const [next, waiting] of this.waiting) {
      if (!this.hasPlace(next)) continue;
      const [admit] = waiting;
      this.take(next);
      // Those of other groups come first.
      this.waiting.delete(next);
      if (waiting.size > 1) this.waiting.set(next, waiting);
      return admit!();
    }
  }

  /** Statements that wait, of all groups. */
  get waitingCount(): number {
    let count = 0;
    for (const { size } of this.waiting.values()) count += size;
    return count;
  }

  private hasPlace(group: string): boolean {
    return this.boundsOf(group).every(({ taken, places }) => taken < places);
  }

  private take(group: string): void {
    for (const bound of this.boundsOf(group)) bound.taken += 1;
  }

  private boundsOf(group: string): readonly Bound[] {
    const known = this.boundsOfGroups.get(group);
    if (known) return known;
    const [family] = group.split('/');
    const bounds = [this.bound(group, this.limits.group), this.bound(`${family}/`, this.limits.family)];
    if (!this.limits.reserved.has(group)) bounds.push(this.all);
    this.boundsOfGroups.set(group, bounds);
    return bounds;
  }

  private bound(name: string, places: number): Bound {
    let bound = this.bounds.get(name);
    if (!bound) this.bounds.set(name, (bound = { places, taken: 0 }));
    return bound;
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
