import { tokenCount } from '../providers/token-count';

/** Tokens used for one answer over all attempts, shared by all calls that wait for it. */
export class Usage {
  private spent: number | undefined;
  private taken: number | undefined;

  /**
   * @param total tokens of an attempt so far, as reported by the provider; ignored if it is not a valid number
   * @param counted the part of `total` that has been added before
   * @returns the part of `total` that has been added now
   */
  add(total: unknown, counted = 0): number {
    const count = tokenCount(total);
    if (count === undefined) return counted;
    this.spent = (this.spent ?? 0) + count - counted;
    return count;
  }

  /**
   * Tokens so far; undefined if none were used or the provider did not report them. Calls that share an
   * answer see the same number.
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
