/** Limits of one AI call. */
export class AiLimits {
  /** Time limit of the entire call in milliseconds: waiting for the rate limit, attempts and pauses. */
  readonly deadlineMs: number = 60_000;
  /** Milliseconds without data after which an attempt is aborted. */
  readonly attemptMs: number = 30_000;
  /** Number of attempts after the first one. */
  readonly retries: number = 3;
}
