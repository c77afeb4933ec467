/** A pool that can give up a statement in progress. */
export interface CancellingPool {
  /**
   * @param values the very array that the statement was given: it tells which one is meant
   * @param hasEnded whether there is nothing to cancel any more
   */
  cancel(values: readonly unknown[], hasEnded: () => boolean): void;
}

/** A SELECT or WITH without a word that writes. Functions that write are called inside transactions. */
export const onlyReads = (text: string): boolean =>
  /^\s*(?:SELECT|WITH)\b/i.test(text) && !/\b(?:INSERT|UPDATE|DELETE|MERGE)\b/i.test(text);

/** A statement of one request: if it only reads, it is cancelled when the request's client goes away. */
export class AbandonableRead {
  isAbandoned = false;
  /** Set when the statement has been answered. */
  hasEnded = false;

  constructor(
    private readonly text: string,
    private readonly values: readonly unknown[],
    /** The embedded database's cannot: its session ends what it has begun. */
    private readonly pool: Partial<CancellingPool>,
  ) {}

  abandon(): void {
    // What changes something is never cancelled: its client may have gone away trusting that it happens.
    if (!onlyReads(this.text)) return;
    this.isAbandoned = true;
    this.pool.cancel?.(this.values, () => this.hasEnded);
  }
}
