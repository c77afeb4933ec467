/** Tokens spent on one answer, over all attempts, shared by all calls that wait for it. */
export class Usage {
  private spent: number | undefined;
  private taken: number | undefined;

  add(tokens: number | undefined): void {
    if (tokens !== undefined) this.spent = (this.spent ?? 0) + tokens;
  }

  /**
   * All so far; undefined when nothing was spent or the provider did not say. Calls that share an answer see
   * the same number.
   */
  get tokens(): number | undefined {
    return this.spent;
  }

  /**
   * For the audit log: what has come together since somebody took it last. Each token is counted once, so the
   * log's sum is what was really spent.
   */
  take(): number | undefined {
    if (this.spent === this.taken) return undefined;
    const rest = (this.spent ?? 0) - (this.taken ?? 0);
    this.taken = this.spent;
    return rest;
  }
}
