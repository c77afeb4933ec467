import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { ManualClock } from '../../../../test/support/clock';
import { discovering } from '../../../../test/support/discovery';
import type { Environment } from '../../../platform/config/environment';
import { SigningSecret } from '../../../platform/config/signing-secret';
import { Redis } from '../../../platform/redis/redis.module';
import type { RuntimeConfiguration } from '../../../platform/runtime-config/runtime-configuration';
import type { AnswerCache } from './answer-cache';
import { AI_ANSWER_STORE, SharedAnswers } from './shared-answers';

const SCHEMA = z.object({ word: z.string().max(10) });
const ANSWER = { word: 'a' };
const TTL = 60_000;

/** The store of several instances, and the configuration that they read. */
class Laboratory {
  readonly kept = new Map<string, string>();
  readonly set = jest.fn((key: string, value: string, ttl: number) => {
    this.kept.set(key, value);
    return Promise.resolve(ttl);
  });
  readonly get = jest.fn((key: string): Promise<unknown> => Promise.resolve(this.kept.get(key)));
  readonly clock = new ManualClock();
  stored = 'first';
  isAway = false;

  async instance(secret = 'secret', store: object = { get: this.get, set: this.set }): Promise<Instance> {
    const wrapper = { token: AI_ANSWER_STORE, instance: store, host: { name: 'RedisModule' } };
    const read = { revision: this.stored };
    const configuration = {
      current: () => (this.isAway ? Promise.reject(new Error('away')) : Promise.resolve({ ...read })),
    } as unknown as RuntimeConfiguration;
    const cache = { keepIn: jest.fn() };
    const answers = new SharedAnswers(
      cache as unknown as AnswerCache,
      discovering(wrapper),
      configuration,
      this.clock,
      new SigningSecret(secret),
      { aiCacheTtlSeconds: TTL / 1000 } as Environment,
      new Redis(undefined),
    );
    answers.onModuleInit();
    expect(cache.keepIn).toHaveBeenCalledWith(answers);
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
    const [key, , ttl] = laboratory.set.mock.calls[0]!;
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(ttl).toBe(TTL);
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

  const kept = (value: unknown) => JSON.stringify({ key: 'k', answer: value });

  it.each<unknown>([
    7,
    true,
    {},
    Buffer.from(kept(ANSWER)),
    '',
    'not JSON',
    'null',
    '[]',
    JSON.stringify(ANSWER),
    JSON.stringify({ key: 'k' }),
    JSON.stringify({ key: 'another', answer: ANSWER }),
    `${kept(ANSWER)}${' '.repeat(1_000_000)}`,
  ])('what the store answers is nothing, and told: %p', async (value) => {
    laboratory.get.mockResolvedValue(value);
    expect(await (await laboratory.instance()).get('k', SCHEMA)).toBeUndefined();
    expect(failed).toHaveBeenCalledTimes(1);
    expect(failed.mock.calls[0]![0]).toMatch(/^AI_ANSWER_STORE fails \(.+\): providers are asked anew$/);
  });

  it.each([undefined, null])('%p is no answer and no fault', async (value) => {
    laboratory.get.mockResolvedValue(value);
    expect(await (await laboratory.instance()).get('k', SCHEMA)).toBeUndefined();
    expect(failed).not.toHaveBeenCalled();
  });

  it.each<unknown>([
    null,
    'a',
    { word: 1 },
    { word: 'longer than it may be' },
    { word: 'a\0' },
    { word: '\ud800' },
  ])('an answer %j that breaks the schema is none, and no fault of the store', async (value) => {
    laboratory.get.mockResolvedValue(kept(value));
    expect(await (await laboratory.instance()).get('k', SCHEMA)).toBeUndefined();
    expect(failed).not.toHaveBeenCalled();
  });

  it('serves what the schema names and nothing else', async () => {
    laboratory.get.mockResolvedValue(`{"key":"k","answer":{"word":"a","more":1,"__proto__":{"admin":true}}}`);
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
