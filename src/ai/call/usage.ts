import { tokenCount } from '../provider/token-count';

/** Tokens spent on one answer, over all attempts, shared by all calls that wait for it. */
export class Usage {
  private spent: number | undefined;
  private taken: number | undefined;

  /**
   * @param total tokens of an attempt so far, as the provider says it: what is no number of them is unknown
   * @param counted those of it that have been added before
   * @returns those that have been added now
   */
  add(total: unknown, counted = 0): number {
    const count = tokenCount(total);
    if (count === undefined) return counted;
    this.spent = (this.spent ?? 0) + count - counted;
    return count;
  }

  /**
   * All so far; undefined when nothing was spent or the provider did not say. Calls that share an answer see
   * the same number.
   */
  get tokens(): number | undefined {
    return this.spent;
  }

  /**
   * Returns the tokens since the last call of this method, for the audit log. Each token is counted once, so the
   * sum of the log is the true usage. Undefined if the number does not fit into the column.
   */
  take(): number | undefined {
    if (this.spent === this.taken) return undefined;
    const rest = (this.spent ?? 0) - (this.taken ?? 0);
    this.taken = this.spent;
    return tokenCount(rest);
  }
}
