import { concat, defer, NEVER, type Observable, of, throwError } from 'rxjs';
import { aiCall, answer, around, part, watch } from '../../../test/support/ai-calls';
import { ManualScheduler } from '../../../test/support/manual-scheduler';
import { AiFailure, InvalidAnswer } from '../../platform/common/errors/ai-failure';
import type { AiCall, AiEvent } from './ai-call';
import { pauseBeforeRetry, RetryInterceptor } from './retry.interceptor';

const server = (retryAfterMs?: number) =>
  new AiFailure('server', 'remote', { retryable: true, retryAfterMs });
const GOOD = of(answer({ word: 'good' }));

describe('RetryInterceptor', () => {
  let time: ManualScheduler;
  beforeEach(() => (time = new ManualScheduler()));

  /** The attempts, one after another; the last one stands for all that follow. */
  async function run(call: AiCall, ...attempts: Observable<AiEvent>[]) {
    let made = 0;
    const last = attempts.length - 1;
    const handle = () => defer(() => attempts[Math.min(made++, last)] as Observable<AiEvent>);
    const seen = watch(await around(new RetryInterceptor(time), call, handle));
    return { seen, made: () => made };
  }
  const fails = (error: unknown) => throwError(() => error);

  it('makes three retries after a failure that a repetition can cure, and no fourth', async () => {
    const { seen, made } = await run(aiCall(), fails(server(100)));
    await time.advance(300);
    expect(made()).toBe(4);
    expect(seen.error).toMatchObject({ kind: 'server' });
    expect(time.scheduled).toBe(0);
  });

  it('waits before a retry, and hands the answer on', async () => {
    const { seen, made } = await run(aiCall(), fails(server(100)), GOOD);
    await time.advance(99);
    expect(made()).toBe(1);
    await time.advance(1);
    expect(seen).toMatchObject({ events: [answer({ word: 'good' })], completed: true });
  });

  it('pauses by chance, so that callers who failed together do not come back together', async () => {
    const chance = jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const { made } = await run(aiCall(), fails(server()), GOOD);
    chance.mockRestore();
    await time.advance(374);
    expect(made()).toBe(1);
    await time.advance(1);
    expect(made()).toBe(2);
    expect(time.scheduled).toBe(0);
  });

  it('does not repeat what a repetition does not cure, nor what is no failure of a provider', async () => {
    for (const error of [new AiFailure('key-refused', 'x', { retryable: false }), new Error('ours')]) {
      const { seen, made } = await run(aiCall(), fails(error), GOOD);
      await time.advance(50_000);
      expect(made()).toBe(1);
      expect(seen.error).toBe(error);
    }
  });

  it('does not repeat once a part has been handed on', async () => {
    const { seen, made } = await run(aiCall(), concat(of(part('a')), fails(server(0))), GOOD);
    await time.advance(50_000);
    expect(made()).toBe(1);
    expect(seen).toMatchObject({ events: [part('a')], error: { kind: 'server' } });
  });

  it('the deadline ends an attempt that hangs, at its millisecond and not before', async () => {
    const { seen, made } = await run(aiCall({ policy: { deadlineMs: 5_000 } }), NEVER);
    await time.advance(4_999);
    expect(seen.error).toBeUndefined();
    await time.advance(1);
    expect(seen.error).toMatchObject({ kind: 'deadline', retryable: false });
    expect(made()).toBe(1);
  });

  it('the deadline counts over all attempts, not anew for each', async () => {
    const { seen } = await run(aiCall({ policy: { deadlineMs: 5_000 } }), fails(server(4_000)), NEVER);
    await time.advance(5_000);
    expect(seen.error).toMatchObject({ kind: 'deadline' });
  });

  it('does not wait for a retry that would come at the deadline or after it', async () => {
    const call = () => aiCall({ policy: { deadlineMs: 5_000 } });
    const late = await run(call(), fails(server(5_000)), GOOD);
    expect(late.seen.error).toMatchObject({ kind: 'server' });
    const inTime = await run(call(), fails(server(4_999)), GOOD);
    await time.advance(4_999);
    expect(inTime.seen.completed).toBe(true);
  });

  it('waits no longer than 20 seconds, whatever the provider asks for', async () => {
    const { seen, made } = await run(aiCall(), fails(server(3_600_000)), GOOD);
    await time.advance(19_999);
    expect(made()).toBe(1);
    await time.advance(1);
    expect(seen.completed).toBe(true);
  });

  it('asks once more with what was wrong, and only once', async () => {
    const call = aiCall();
    const invalid = new InvalidAnswer('remote', 'bad', 'word: missing');
    const { seen, made } = await run(
      call,
      fails(invalid),
      fails(new InvalidAnswer('remote', 'worse', 'again')),
      GOOD,
    );
    await time.advance(50_000);
    expect(made()).toBe(2);
    expect(call.repair).toEqual({ answer: 'bad', problem: 'word: missing' });
    expect(seen.error).toMatchObject({ kind: 'invalid-answer', answer: 'worse' });
  });

  it('asks for no repair where no retries are wanted', async () => {
    const { made } = await run(
      aiCall({ policy: { retries: 0 } }),
      fails(new InvalidAnswer('remote', 'bad', 'x')),
      GOOD,
    );
    await time.advance(50_000);
    expect(made()).toBe(1);
  });

  it('another format and a repair take nothing from the three retries', async () => {
    const format = new AiFailure('format', 'remote', { retryable: true });
    const attempts = [
      format,
      format,
      new InvalidAnswer('remote', 'bad', 'x'),
      server(1),
      server(1),
      server(1),
    ];
    const { seen, made } = await run(aiCall({ policy: { retries: 3 } }), ...attempts.map(fails), GOOD);
    await time.advance(10);
    expect(made()).toBe(7);
    expect(seen.completed).toBe(true);
  });

  it('goes on to another format even where no retries are wanted', async () => {
    const format = new AiFailure('format', 'remote', { retryable: true });
    const { seen } = await run(aiCall({ policy: { retries: 0 } }), fails(format), GOOD);
    await time.advance(1);
    expect(seen.completed).toBe(true);
  });

  it('who leaves ends the pause and the deadline', async () => {
    const { seen, made } = await run(aiCall(), fails(server(100)), GOOD);
    seen.leave();
    await time.advance(60_000);
    expect(made()).toBe(1);
    expect(time.scheduled).toBe(0);
  });
});

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
