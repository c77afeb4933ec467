/** The bounds of one AI call. */
export class AiLimits {
  /** Milliseconds for a whole call: waiting for the rate, all attempts and the pauses between them. */
  readonly deadlineMs: number = 60_000;
  /** Milliseconds without a sign of life after which an attempt is given up. */
  readonly attemptMs: number = 30_000;
  /** Attempts after the first. */
  readonly retries: number = 3;
}
