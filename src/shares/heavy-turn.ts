import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Work that takes long on what all share: statements that search, those of the catalogue apart (they go on
 * while formulas are locked), reading what is large, writing compositions of many lines, AI calls from the
 * question to the last word of the answer.
 */
export type HeavyKind = 'search' | 'catalogue' | 'reading' | 'composition' | 'ai';

/** The turn in which something is being done. */
const current = new AsyncLocalStorage<HeavyTurn>();

/** A turn that has come; to be ended with `end`. */
export class HeavyTurn {
  private readonly outer = current.getStore();
  private hasEnded = false;

  constructor(
    private readonly kind: HeavyKind,
    private readonly whenEnded: () => void,
  ) {}

  /** Does work in this turn: what it begins belongs to it, as far as `AsyncLocalStorage` finds it. */
  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  end(): void {
    this.hasEnded = true;
    this.whenEnded();
  }

  /**
   * Called before a turn is waited for. One that is waited for inside another may wait for itself: on the
   * embedded database at once, where both kinds are one; on a server when all turns are taken by such.
   * @throws Error where a turn is held already, other than of `ai` around one of the database
   */
  static refuseInside(kind: HeavyKind): void {
    let held = current.getStore();
    // What outlives its turn has none.
    while (held?.hasEnded) held = held.outer;
    if (!held || (held.kind === 'ai' && kind !== 'ai')) return;
    throw new Error(
      `A turn of "${kind}" is asked for inside one of "${held.kind}", which it may wait for. Do both in one ` +
        'turn, or end the first before the second; only inside "ai" another kind may be asked for.',
    );
  }
}
