/**
 * Tokens spent on one answer, over all attempts. When several calls share the answer, each token is counted
 * once: whoever asks first takes what has come together so far, so the audit log's sum is what was really
 * spent.
 */
export class Usage {
  private tokens: number | undefined;

  add(tokens: number | undefined): void {
    if (tokens !== undefined) this.tokens = (this.tokens ?? 0) + tokens;
  }

  take(): number | undefined {
    const taken = this.tokens;
    this.tokens = undefined;
    return taken;
  }
}
