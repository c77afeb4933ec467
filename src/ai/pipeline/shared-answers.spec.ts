import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { ManualClock } from '../../../test/support/clock';
import type { Environment } from '../../platform/config/environment';
import { CircuitBreaker } from '../../platform/redis/circuit-breaker';
import { RedisAnswers } from '../../platform/redis/redis-answers';
import type { RedisClient } from '../../platform/redis/redis-connection';
import { RedisKeys } from '../../platform/redis/redis-keys';
import { Redis } from '../../platform/redis/redis.module';
import type { SharedState } from '../../platform/redis/shared-state';
import type { RuntimeConfiguration } from '../../platform/runtime-config/runtime-configuration';
import { SharedAnswers } from './shared-answers';

const SCHEMA = z.object({ word: z.string().max(10) });
const ANSWER = { word: 'a' };
const TTL = 60_000;

/** The Redis of several instances, and the configuration that they read. */
class Laboratory {
  readonly kept = new Map<string, string>();
  readonly set = jest.fn((key: string, value: string, options: object) => {
    this.kept.set(key, value);
    return Promise.resolve(options);
  });
  readonly get = jest.fn((key: string): Promise<string | null> =>
    Promise.resolve(this.kept.get(key) ?? null),
  );
  readonly clock = new ManualClock();
  stored = 'first';
  isAway = false;

  async instance(secret = 'secret'): Promise<Instance> {
    const client = { get: this.get, set: this.set, eval: () => Promise.resolve(1) };
    const redis = new RedisAnswers(client as unknown as RedisClient, new RedisKeys(secret));
    const state = { answers: redis, circuit: new CircuitBreaker(1000, this.clock) };
    const read = { revision: this.stored };
    const configuration = {
      current: () => (this.isAway ? Promise.reject(new Error('away')) : Promise.resolve({ ...read })),
    } as unknown as RuntimeConfiguration;
    const answers = new SharedAnswers(
      configuration,
      this.clock,
      { aiCacheTtlSeconds: TTL / 1000 } as Environment,
      new Redis(state as unknown as SharedState),
    );
    expect(answers.isUsed).toBe(true);
    await answers.onApplicationBootstrap();
    /** As this instance learns of a change. */
    const change = async (revision: string) => {
      read.revision = revision;
      await answers.empty();
    };
    return Object.assign(answers, { change });
  }
}

type Instance = SharedAnswers & { change(revision: string): Promise<void> };

describe('SharedAnswers', () => {
  const failed = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  let laboratory: Laboratory;

  beforeEach(() => {
    laboratory = new Laboratory();
    failed.mockClear();
  });
  afterAll(() => jest.restoreAllMocks());

  it('what one instance keeps another finds, for as long as answers are kept', async () => {
    const [one, other] = [await laboratory.instance(), await laboratory.instance()];
    await one.keep('k', ANSWER);
    expect(await other.get('k', SCHEMA)).toEqual(ANSWER);
    expect(await other.get('l', SCHEMA)).toBeUndefined();
    const [key, , options] = laboratory.set.mock.calls[0]!;
    expect(key).toMatch(/^formula:[0-9a-f]{16}:answer:[0-9a-f]{64}$/);
    expect(options).toEqual({ expiration: { type: 'PX', value: TTL } });
  });

  it('none finds what was kept with another secret, whoever wrote it', async () => {
    const [one, other] = [await laboratory.instance(), await laboratory.instance('other')];
    await one.keep('k', ANSWER);
    expect(await other.get('k', SCHEMA)).toBeUndefined();
  });

  it('after a change nothing of before is found, and those who have the same configuration share again', async () => {
    const [one, other] = [await laboratory.instance(), await laboratory.instance()];
    await one.keep('k', ANSWER);
    await one.change('second');
    expect(await one.get('k', SCHEMA)).toBeUndefined();
    expect(await other.get('k', SCHEMA)).toEqual(ANSWER);
    await one.keep('k', { word: 'new' });
    laboratory.stored = 'second';
    expect(await (await laboratory.instance()).get('k', SCHEMA)).toEqual({ word: 'new' });
    expect(await other.get('k', SCHEMA)).toEqual(ANSWER);
  });

  it('emptied without a change: one instance goes its own way until what was kept is gone', async () => {
    const [one, other] = [await laboratory.instance(), await laboratory.instance()];
    await one.keep('k', ANSWER);
    await one.empty();
    expect(await one.get('k', SCHEMA)).toBeUndefined();
    await one.keep('k', { word: 'new' });
    expect(await one.get('k', SCHEMA)).toEqual({ word: 'new' });
    expect(await other.get('k', SCHEMA)).toEqual(ANSWER);
    await one.empty();
    expect(await one.get('k', SCHEMA)).toBeUndefined();
    laboratory.clock.advance(TTL - 1);
    expect(await one.get('k', SCHEMA)).toBeUndefined();
    laboratory.clock.advance(1);
    expect(await one.get('k', SCHEMA)).toEqual(ANSWER);
  });

  it('an answer that is written while the configuration changes is of before it', async () => {
    const one = await laboratory.instance();
    const writing = one.keep('k', ANSWER);
    await one.change('second');
    await writing;
    expect(laboratory.kept.size).toBe(1);
    expect(await one.get('k', SCHEMA)).toBeUndefined();
  });

  it('while nobody knows the configuration nothing is found or kept', async () => {
    laboratory.isAway = true;
    const one = await laboratory.instance();
    await one.keep('k', ANSWER);
    expect(await one.get('k', SCHEMA)).toBeUndefined();
    await one.empty();
    expect([laboratory.get.mock.calls, laboratory.set.mock.calls]).toEqual([[], []]);
    laboratory.isAway = false;
    await one.keep('k', ANSWER);
    expect(await one.get('k', SCHEMA)).toEqual(ANSWER);
  });

  it.each(['', 'not JSON'])('%j is no answer', async (text) => {
    laboratory.get.mockResolvedValue(text);
    expect(await (await laboratory.instance()).get('k', SCHEMA)).toBeUndefined();
  });

  it('while Redis fails nothing is found, and it is told', async () => {
    laboratory.get.mockRejectedValue(new Error('down'));
    expect(await (await laboratory.instance()).get('k', SCHEMA)).toBeUndefined();
    expect(failed).toHaveBeenCalledTimes(1);
  });

  it.each<unknown>([
    null,
    'a',
    { word: 1 },
    { word: 'longer than it may be' },
    { word: 'a\0' },
    { word: '\ud800' },
  ])('an answer %j that breaks the schema is none, and no fault of Redis', async (value) => {
    laboratory.get.mockResolvedValue(JSON.stringify(value));
    expect(await (await laboratory.instance()).get('k', SCHEMA)).toBeUndefined();
    expect(failed).not.toHaveBeenCalled();
  });

  it('serves what the schema names and nothing else', async () => {
    laboratory.get.mockResolvedValue('{"word":"a","more":1,"__proto__":{"admin":true}}');
    const answer = await (await laboratory.instance()).get('k', SCHEMA);
    expect(Object.entries(answer as object)).toEqual([['word', 'a']]);
    expect((answer as { admin?: unknown }).admin).toBeUndefined();
  });

  it('keeps nothing longer than a million characters, and nothing that JSON cannot say', async () => {
    const one = await laboratory.instance();
    await one.keep('k', { word: 'x'.repeat(1_000_000) });
    await one.keep('k', { word: 1n });
    expect(laboratory.set).not.toHaveBeenCalled();
    expect(failed).not.toHaveBeenCalled();
    await one.keep('k', { word: 'x'.repeat(999_000) });
    expect(laboratory.set).toHaveBeenCalledTimes(1);
  });
});
