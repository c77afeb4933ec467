import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { inspect } from 'node:util';
import type { ExecutionContext } from '@nestjs/common';
import { aiCall, WORD } from '../../../test/support/ai-calls';
import { AiCall, AiCallContext, aiCallOf, AiScheduler, Usage } from './ai-call';

/** A capability that sends texts. */
const VECTORS = {
  ...WORD,
  name: 'vectors',
  embedding: { size: 2, texts: (input: unknown) => (input as { texts: string[] }).texts },
  prompt: (input: unknown) => ({
    system: 'Embeddings',
    user: JSON.stringify((input as { texts: string[] }).texts),
  }),
};

describe('AiCall', () => {
  it("makes of the capability's name one that every provider takes for a schema", () => {
    const { schema } = aiCall({ capability: { ...WORD, name: 'my own.word-1' } });
    expect(schema.name).toBe('my_own_word-1');
  });

  it('is not answered with what another address has answered, whichever key it was asked with', () => {
    const key = (baseUrl?: string, secret = 'one') => aiCall({ access: { key: secret, baseUrl } }).cacheKey;
    expect(key('https://new.test')).not.toBe(key('https://old.test'));
    expect(key('https://new.test')).not.toBe(key());
    expect(key('https://new.test', 'another')).toBe(key('https://new.test'));
  });

  it('keeps the hash of the whole prompt: our instructions decide the answer as the data do', () => {
    expect(aiCall().promptHash).toBe(hash('sha256', 'Say.\n\nx'));
    const other = { ...WORD, prompt: () => ({ system: 'Sing.', user: 'x' }) };
    expect(aiCall({ capability: other }).cacheKey).not.toBe(aiCall().cacheKey);
  });

  it('asks with another prompt when it is told to, and is known by that', () => {
    const call = aiCall();
    const before = { hash: call.promptHash, key: call.cacheKey };
    expect(call.withPrompt({ user: '***' })).toBe(call);
    expect(call.prompt).toEqual({ system: 'Say.', user: '***' });
    expect(call.promptHash).toBe(hash('sha256', 'Say.\n\n***'));
    expect(call.cacheKey).not.toBe(before.key);
    call.withPrompt({ system: 'Say.', user: 'x' });
    expect({ hash: call.promptHash, key: call.cacheKey }).toEqual(before);
    expect(call.texts).toEqual([]);
    expect(() => call.withTexts(['x'])).toThrow('word sends a prompt: change it by withPrompt');
  });

  it('of texts asks with other texts when it is told to', () => {
    const call = aiCall({ capability: VECTORS, input: { texts: ['甘油', '秘密'] } });
    const before = { hash: call.promptHash, key: call.cacheKey };
    expect(call.texts).toEqual(['甘油', '秘密']);
    expect(call.withTexts(['甘油', '***'])).toBe(call);
    expect(call.texts).toEqual(['甘油', '***']);
    expect(call.promptHash).not.toBe(before.hash);
    expect(call.cacheKey).not.toBe(before.key);
    expect(JSON.stringify(call.prompt)).not.toContain('秘密');
    call.withTexts(['甘油', '秘密']);
    expect({ hash: call.promptHash, key: call.cacheKey }).toEqual(before);
    expect(() => call.withTexts(['甘油'])).toThrow('There must be a text for each that there was');
    expect(() => call.withPrompt({ user: 'x' })).toThrow('vectors sends texts: change them by withTexts');
  });

  it('makes the schema of a capability once', () => {
    expect(aiCall().schema).toBe(aiCall().schema);
    expect(aiCall().schema.hash).toBe(hash('sha256', JSON.stringify(aiCall().schema.json)));
  });

  it('has the key it is asked with, and shows it in no log line', () => {
    const call = aiCall({ access: { key: 'sk-secret' } });
    expect(call.access.key).toBe('sk-secret');
    expect(inspect(call, { depth: 9 }) + JSON.stringify(call)).not.toContain('sk-secret');
  });
});

describe('Usage', () => {
  it('is nothing while nothing is said', () => {
    const usage = new Usage();
    usage.add(undefined);
    expect([usage.tokens, usage.take()]).toEqual([undefined, undefined]);
  });

  it('gives each token once, and tells of all as often as it is asked', () => {
    const usage = new Usage();
    usage.add(5);
    usage.add(undefined);
    usage.add(2);
    expect([usage.tokens, usage.tokens]).toEqual([7, 7]);
    expect([usage.take(), usage.take()]).toEqual([7, undefined]);
    usage.add(3);
    expect([usage.tokens, usage.take(), usage.take(), usage.tokens]).toEqual([10, 3, undefined, 10]);
  });

  it('tells of none that was needed', () => {
    const usage = new Usage();
    usage.add(0);
    expect([usage.tokens, usage.take(), usage.take()]).toEqual([0, 0, undefined]);
  });

  it.each([null, 12.5, -5, 2_147_483_648, 99_999_999_999, true, '7', 'many', {}, NaN, Infinity])(
    'does not count %p',
    (tokens) => {
      const usage = new Usage();
      expect(usage.add(tokens)).toBe(0);
      expect(usage.tokens).toBeUndefined();
      usage.add(7);
      expect(usage.add(tokens, 7)).toBe(7);
      expect(usage.take()).toBe(7);
    },
  );

  it('counts of a total so far what is new', () => {
    const usage = new Usage();
    let counted = 0;
    for (const total of [3, undefined, 8, 6]) counted = usage.add(total, counted);
    expect(usage.take()).toBe(6);
  });

  it('gives a row nothing that it cannot hold', () => {
    const usage = new Usage();
    for (let attempt = 0; attempt < 2; attempt++) usage.add(2_147_483_647);
    expect(usage.take()).toBeUndefined();
  });
});

describe('AiScheduler', () => {
  const scheduler = new AiScheduler();
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('has a time that only moves forward, whatever the wall clock does', () => {
    jest.spyOn(Date, 'now').mockReturnValue(0);
    jest.spyOn(performance, 'now').mockReturnValue(12.5);
    expect(scheduler.now()).toBe(12.5);
  });

  it('does work with its state when its time has come, and not what was taken back', () => {
    jest.useFakeTimers();
    const done: unknown[] = [];
    const work = (state?: string): void => void done.push(state);
    scheduler.schedule(work, 100, 'a');
    scheduler.schedule(work, 100, 'taken back').unsubscribe();
    jest.advanceTimersByTime(99);
    expect(done).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(done).toEqual(['a']);
  });

  it('does it in the context of whoever asked for it', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen = await new Promise((resolve) =>
      request.run('a', () => scheduler.schedule((state) => resolve([request.getStore(), state]), 1, 'state')),
    );
    expect(seen).toEqual(['a', 'state']);
  });
});

describe('AiCallContext', () => {
  const call = aiCall();
  const context = new AiCallContext(call);

  it('stands for a handler: its one argument is the call, its metadata is on the prompt', () => {
    expect(context.getType()).toBe('ai');
    expect(context.getClass()).toBe(AiCall);
    expect(context.getHandler()).toBe(call.capability.prompt);
    expect(context.getArgs()).toHaveLength(1);
    expect(context.getArgs()[0]).toBe(call);
    expect(context.getArgByIndex(0)).toBe(call);
    expect(context.getArgByIndex(1)).toBeUndefined();
  });

  it.each(['switchToHttp', 'switchToRpc', 'switchToWs'] as const)('%s: there is no transport', (name) => {
    expect(() => context[name]()).toThrow('An AI call has no transport');
  });

  it('an interceptor of AI calls that is put around anything else says so', () => {
    expect(aiCallOf(context)).toBe(call);
    expect(() => aiCallOf({ call } as unknown as ExecutionContext)).toThrow('around AI calls only');
  });
});
