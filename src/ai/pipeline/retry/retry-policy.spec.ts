import { AiFailure } from '../../../platform/common/errors/ai-failure';
import { pauseBeforeRetry } from './retry-policy';

const failure = (retryable: boolean, retryAfterMs?: number) =>
  new AiFailure('server', 'alpha', { retryable, retryAfterMs });

describe('pauseBeforeRetry', () => {
  it('grows by doubling, between half and all of it', () => {
    expect([0, 1, 2].map((done) => pauseBeforeRetry(failure(true), done, 3, 0))).toEqual([250, 500, 1000]);
    expect([0, 1, 2].map((done) => pauseBeforeRetry(failure(true), done, 3, 1))).toEqual([500, 1000, 2000]);
  });

  it('grows to eight seconds and no further', () =>
    expect([3, 4, 5, 9].map((done) => pauseBeforeRetry(failure(true), done, 10, 1))).toEqual([
      4000, 8000, 8000, 8000,
    ]));

  it('ends after the last retry', () => expect(pauseBeforeRetry(failure(true), 3, 3, 0)).toBeUndefined());

  it('does not try again what cannot be cured', () =>
    expect(pauseBeforeRetry(failure(false), 0, 3, 0)).toBeUndefined());

  it('does as the provider asks, up to 20 seconds', () => {
    expect(pauseBeforeRetry(failure(true, 0), 0, 3, 0.5)).toBe(0);
    expect(pauseBeforeRetry(failure(true, 7_000), 0, 3, 0.5)).toBe(7_000);
    expect(pauseBeforeRetry(failure(true, 3_600_000), 0, 3, 0.5)).toBe(20_000);
  });
});
