import { type AiFailure } from '../../../platform/common/errors/ai-failure';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** Longest `Retry-After` that is followed, in milliseconds. Providers may ask for minutes. */
const LONGEST_RETRY_AFTER_MS = 20_000;

/**
 * Returns the milliseconds to wait before the next attempt, or undefined if there is none.
 *
 * Exponential backoff from half a second, with jitter between half and all of it, so that callers
 * that failed together do not retry together. A provider's `Retry-After` is used instead, up to 20 s.
 *
 * @param retriesDone attempts already made after the first
 * @param random a number in [0, 1)
 */
export function pauseBeforeRetry(
  failure: AiFailure,
  retriesDone: number,
  maxRetries: number,
  random: number,
): number | undefined {
  if (!failure.retryable || retriesDone >= maxRetries) return undefined;
  if (failure.retryAfterMs !== undefined) return Math.min(failure.retryAfterMs, LONGEST_RETRY_AFTER_MS);
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retriesDone);
  return pause * (0.5 + random / 2);
}
