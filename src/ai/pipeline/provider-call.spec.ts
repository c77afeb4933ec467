import { z } from 'zod';
import { aiCall, answer, LIST, part, settled, watch } from '../../../test/support/ai-calls';
import { ManualScheduler } from '../../../test/support/manual-scheduler';
import {
  type RuntimeConfiguration,
  type ProviderAccess,
} from '../../platform/runtime-config/runtime-configuration';
import {
  type AiProvider,
  type CompletionChunk,
  type CompletionRequest,
  type EmbeddingRequest,
} from '../providers/ai-provider';
import { MAX_ANSWER_CHARACTERS } from './answer/answer';
import { type Capability } from './capability';
import { type AiCall } from './ai-call';
import { ProviderCall } from './provider-call';

const LIMIT = 30_000;

describe('ProviderCall', () => {
  let time: ManualScheduler;
  beforeEach(() => (time = new ManualScheduler()));

  /** One of the call, while this is in force in place of the key and address it began with. */
  const attempt = (call: AiCall, inForce?: (name: string) => Promise<ProviderAccess | undefined>) => {
    const configuration = {
      inForce: inForce ?? ((_: string, access: ProviderAccess) => Promise.resolve(access)),
    };
    return new ProviderCall(call, time, configuration as RuntimeConfiguration).handle();
  };

  describe('while the configuration changes', () => {
    const before: ProviderAccess = { key: 'before', baseUrl: 'https://a' };

    async function asked(
      inForce: (name: string) => Promise<ProviderAccess | undefined>,
      more: Partial<AiProvider> = {},
    ) {
      const sent: ProviderAccess[] = [];
      const provider: Partial<AiProvider> = {
        isConfigured: ({ key }) => Promise.resolve(key !== undefined),
        complete: ({ access }) => {
          sent.push(access);
          return Promise.resolve({ text: '{"word":"a"}' });
        },
        ...more,
      };
      const call = aiCall({ access: before, provider });
      const seen = watch(attempt(call, inForce));
      await settled();
      return { seen, sent };
    }

    it('asks with the key of this moment', async () => {
      const now: ProviderAccess = { key: 'now', baseUrl: 'https://a', mustBePublic: true };
      const inForce = jest.fn(() => Promise.resolve(now));
      const { seen, sent } = await asked(inForce);
      expect(sent).toEqual([now]);
      expect(inForce).toHaveBeenCalledWith('remote', before);
      expect(seen).toMatchObject({ events: [answer({ word: 'a' })], completed: true });
    });

    it.each<[string, ProviderAccess | undefined]>([
      ['mock mode is on', undefined],
      ['there is no key any more', { baseUrl: 'https://a' }],
      ['the address is another', { key: 'before', baseUrl: 'https://b' }],
      ['the address has been taken away', { key: 'before' }],
    ])('asks nobody where %s', async (_, now) => {
      const { seen, sent } = await asked(() => Promise.resolve(now));
      expect(sent).toEqual([]);
      expect(seen.error).toMatchObject({ kind: 'not-configured', provider: 'remote', retryable: false });
    });

    it('asks nobody where it cannot be known what is in force', async () => {
      const away = new Error('away');
      expect(await asked(() => Promise.reject(away))).toMatchObject({ sent: [], seen: { error: away } });
    });

    it('asks with a strategy’s own key whatever is configured', async () => {
      const { sent } = await asked(() => Promise.resolve(before), {
        isConfigured: () => Promise.resolve(false),
      });
      expect(sent).toEqual([before]);
    });

    it('leaves a provider that asks nobody outside as it is', async () => {
      const inForce = jest.fn();
      const { sent } = await asked(inForce, { capabilities: { remote: false, streaming: false } });
      expect(sent).toEqual([before]);
      expect(inForce).not.toHaveBeenCalled();
    });

    it('asks nobody when its caller has left meanwhile', async () => {
      const complete = jest.fn();
      const call = aiCall({ access: before, provider: { complete } });
      watch(attempt(call)).leave();
      await settled();
      expect(complete).not.toHaveBeenCalled();
    });
  });

  describe('of a whole answer', () => {
    const run = (
      complete: (request: CompletionRequest) => Promise<{ text: string; tokensUsed?: number }>,
    ) => {
      const call = aiCall({ provider: { complete } });
      return { call, seen: watch(attempt(call)) };
    };

    it('counts the tokens of one that cannot be used', async () => {
      for (const text of ['no', ' '.repeat(MAX_ANSWER_CHARACTERS + 1)]) {
        const { call } = run(() => Promise.resolve({ text, tokensUsed: 3 }));
        await settled();
        expect(call.usage.take()).toBe(3);
      }
    });

    it('gives it, checked, and counts its tokens', async () => {
      const { call, seen } = run(() =>
        Promise.resolve({ text: '```json\n{"word":"a","more":1}\n```', tokensUsed: 4 }),
      );
      await settled();
      expect(seen.events).toEqual([answer({ word: 'a' })]);
      expect(seen.completed).toBe(true);
      expect(call.usage.take()).toBe(4);
      expect(time.scheduled).toBe(0);
    });

    it('asks with what the call says, and with schema, bound and preset of its capability', async () => {
      let asked: CompletionRequest | undefined;
      const complete = (request: CompletionRequest) => {
        asked = request;
        return Promise.resolve({ text: '{"word":"a"}' });
      };
      const access = { key: 'k', baseUrl: 'http://x' };
      const call = aiCall({ provider: { complete }, access });
      call.repair = { answer: 'bad', problem: 'why' };
      watch(attempt(call));
      await settled();
      expect(asked).toEqual({
        model: 'model',
        access,
        system: 'Say.',
        user: 'x',
        schema: call.schema,
        repair: call.repair,
        negotiated: {},
        preset: expect.any(Function),
        maxTokens: 10,
        signal: expect.any(AbortSignal),
      });
      expect(asked?.negotiated).toBe(call.negotiated);
      expect(asked?.preset()).toEqual({ word: 'preset' });
    });

    it('says what is wrong with one that breaks the schema', async () => {
      const { seen } = run(() => Promise.resolve({ text: '{"word":1}' }));
      await settled();
      expect(seen.error).toMatchObject({ kind: 'invalid-answer', answer: '{"word":1}' });
      expect(seen.error).toMatchObject({ problem: expect.stringMatching(/^word: /) });
    });

    it('names the place of a fault, and the whole where that is wrong', async () => {
      const { seen } = run(() => Promise.resolve({ text: '[]' }));
      await settled();
      expect(seen.error).toMatchObject({ problem: expect.stringMatching(/^\(root\): /) });
    });

    it('says so where there is no JSON', async () => {
      const { seen } = run(() => Promise.resolve({ text: 'no' }));
      await settled();
      expect(seen.error).toMatchObject({ answer: 'no', problem: 'The answer is not JSON.' });
    });

    it('takes no character that a request may not hold', async () => {
      const text = JSON.stringify({ word: `a${String.fromCharCode(0)}` });
      const { seen } = run(() => Promise.resolve({ text }));
      await settled();
      expect(seen.error).toMatchObject({
        kind: 'invalid-answer',
        answer: text,
        problem: 'word: 不能包含空字符',
      });
    });

    it('gives up on one of more than a million characters', async () => {
      const whole = '{"word":"a"}'.padEnd(MAX_ANSWER_CHARACTERS);
      const { seen } = run(() => Promise.resolve({ text: whole }));
      await settled();
      expect(seen.error).toBeUndefined();
      const { seen: longer } = run(() => Promise.resolve({ text: `${whole} ` }));
      await settled();
      expect(longer.error).toMatchObject({ kind: 'refused', retryable: false });
    });

    it('gives up after the time of an attempt, aborts the request, and says that trying again may help', async () => {
      let signal: AbortSignal | undefined;
      const { seen } = run((request) => {
        ({ signal } = request);
        return new Promise(() => undefined);
      });
      await time.advance(LIMIT - 1);
      expect(signal?.aborted).toBe(false);
      await time.advance(1);
      expect(seen.error).toMatchObject({ kind: 'timeout', retryable: true });
      expect(signal?.aborted).toBe(true);
    });

    it('aborts the request of a caller who leaves', async () => {
      let signal: AbortSignal | undefined;
      const { seen } = run((request) => {
        ({ signal } = request);
        return new Promise(() => undefined);
      });
      await settled();
      seen.leave();
      expect(signal?.aborted).toBe(true);
      expect(time.scheduled).toBe(0);
    });
  });

  describe('of a stream', () => {
    /** Chunks by hand. */
    class Chunks {
      private readonly waiting: ((result: IteratorResult<CompletionChunk>) => void)[] = [];
      private readonly queue: IteratorResult<CompletionChunk>[] = [];
      fail: (error: unknown) => void = () => undefined;
      request: CompletionRequest | undefined;

      send(chunk: CompletionChunk) {
        this.put({ value: chunk, done: false });
      }

      end() {
        this.put({ value: undefined, done: true });
      }

      stream(request: CompletionRequest): AsyncIterable<CompletionChunk> {
        this.request = request;
        return {
          [Symbol.asyncIterator]: () => ({
            next: () =>
              new Promise((resolve, reject) => {
                this.fail = reject;
                const queued = this.queue.shift();
                if (queued) resolve(queued);
                else this.waiting.push(resolve);
              }),
          }),
        };
      }

      private put(result: IteratorResult<CompletionChunk>) {
        const next = this.waiting.shift();
        if (next) next(result);
        else this.queue.push(result);
      }
    }

    const run = () => {
      const chunks = new Chunks();
      const call = aiCall({ capability: LIST, provider: { stream: (request) => chunks.stream(request) } });
      return { call, chunks, seen: watch(attempt(call)) };
    };

    it('hands on each part as it is complete, and the whole at the end', async () => {
      const { chunks, seen } = run();
      chunks.send({ text: '{"list":[{"name":"a"},{"na' });
      await settled();
      expect(seen.events).toEqual([part({ name: 'a' })]);
      chunks.send({ text: 'me":"unwanted"},{"name":"b"}]}' });
      chunks.end();
      await settled();
      expect(seen.events).toEqual([
        part({ name: 'a' }),
        part({ name: 'b' }),
        answer({ list: [{ name: 'a' }, { name: 'b' }] }),
      ]);
      expect(seen.completed).toBe(true);
    });

    it('counts the last total of its tokens, also for a caller who leaves before the end', async () => {
      const { call, chunks, seen } = run();
      chunks.send({ tokensUsed: 3 });
      chunks.send({ text: '[' });
      chunks.send({ tokensUsed: 8 });
      await settled();
      seen.leave();
      expect(call.usage.take()).toBe(8);
    });

    it('gives up after the silence of an attempt; every chunk begins it anew', async () => {
      const { chunks, seen } = run();
      await time.advance(LIMIT - 1);
      chunks.send({ text: '[' });
      await time.advance(LIMIT - 1);
      expect(seen.error).toBeUndefined();
      await time.advance(1);
      expect(seen.error).toMatchObject({ kind: 'timeout', retryable: true });
      expect(chunks.request?.signal.aborted).toBe(true);
    });

    it('gives up on an answer of more than a million characters', async () => {
      expect(MAX_ANSWER_CHARACTERS).toBe(1_000_000);
      const { chunks, seen } = run();
      chunks.send({ text: `[${' '.repeat(MAX_ANSWER_CHARACTERS - 1)}` });
      await settled();
      expect(seen.error).toBeUndefined();
      chunks.send({ text: ' ' });
      await settled();
      expect(seen.error).toMatchObject({ kind: 'refused', retryable: false });
      expect(chunks.request?.signal.aborted).toBe(true);
    });

    it('what breaks off after the last bracket takes nothing from the answer', async () => {
      const { chunks, seen } = run();
      chunks.send({ text: '[{"name":"a"}]' });
      await settled();
      chunks.fail(new Error('reset'));
      await settled();
      expect(seen).toMatchObject({ completed: true, error: undefined });
      expect(seen.events.at(-1)).toEqual(answer({ list: [{ name: 'a' }] }));
    });

    it('what breaks off before it is a failure', async () => {
      const { chunks, seen } = run();
      chunks.send({ text: '[{"name":"a"}' });
      await settled();
      chunks.fail(new Error('reset'));
      await settled();
      expect(seen.error).toEqual(new Error('reset'));
    });

    it('JSON that just ends is a connection that broke; prose is an invalid answer', async () => {
      const cut = run();
      cut.chunks.send({ text: '{"list":[{"na' });
      cut.chunks.end();
      const prose = run();
      prose.chunks.send({ text: 'Sorry.' });
      prose.chunks.end();
      await settled();
      expect(cut.seen.error).toMatchObject({ kind: 'connection', retryable: true });
      expect(prose.seen.error).toMatchObject({ kind: 'invalid-answer', answer: 'Sorry.' });
    });

    it('brackets that are closed around no JSON are an invalid answer too', async () => {
      const { chunks, seen } = run();
      chunks.send({ text: '{"list":[nothing]}' });
      chunks.end();
      await settled();
      expect(seen.error).toMatchObject({ kind: 'invalid-answer' });
    });

    it('silence after the last bracket takes nothing from the answer', async () => {
      const { chunks, seen } = run();
      chunks.send({ text: '[{"name":"a"}]' });
      await time.advance(LIMIT);
      expect(seen).toMatchObject({ completed: true, error: undefined });
    });

    it.each([
      ['shape', '{"nome":"b"}'],
      ['characters', '{"name":"\\u0000"}'],
    ])('an answer of which parts were left out for their %s may not be remembered', async (_, part) => {
      const { chunks, seen } = run();
      chunks.send({ text: `[{"name":"a"},${part}]` });
      chunks.end();
      await settled();
      expect(seen.events.at(-1)).toEqual(answer({ list: [{ name: 'a' }] }, false));
    });
  });

  it('asks for the whole where a provider cannot stream, and hands its parts on', async () => {
    const complete = () => Promise.resolve({ text: '{"list":[{"name":"a"},{"name":"unwanted"}]}' });
    const capabilities = { remote: true, streaming: false };
    const call = aiCall({ capability: LIST, provider: { complete, capabilities } });
    const seen = watch(attempt(call));
    await settled();
    expect(seen.events).toEqual([part({ name: 'a' }), answer({ list: [{ name: 'a' }] })]);
  });

  describe('of embeddings', () => {
    const EMBED: Capability<unknown, { vectors: number[][] }> = {
      name: 'embed',
      schema: z.object({ vectors: z.array(z.array(z.number()).length(2)) }),
      embedding: { size: 2, texts: () => ['a', 'b'] },
      whenFailed: 'failure',
      maxTokens: 0,
      prompt: () => ({ system: '', user: '' }),
      preset: () => ({ vectors: [] }),
    };
    const run = async (vectors: number[][] | undefined) => {
      let asked: EmbeddingRequest | undefined;
      const embed = (request: EmbeddingRequest) => {
        asked = request;
        return Promise.resolve({ vectors: vectors ?? [], tokensUsed: 2 });
      };
      const call = aiCall({ capability: EMBED, provider: vectors ? { embed } : {}, access: { key: 'k' } });
      const seen = watch(attempt(call));
      await settled();
      return { call, seen, asked };
    };

    it('gives a vector for each text', async () => {
      const vectors = [
        [1, 2],
        [3, 4],
      ];
      const { call, seen, asked } = await run(vectors);
      expect(asked).toEqual({
        model: 'model',
        access: { key: 'k' },
        texts: ['a', 'b'],
        size: 2,
        signal: expect.any(AbortSignal),
      });
      expect(seen.events).toEqual([answer({ vectors })]);
      expect(call.usage.take()).toBe(2);
    });

    it.each([[[[1, 2]]], [[[1, 2], [3]]], [undefined]])(
      'refuses %j, and counts what it cost',
      async (vectors) => {
        const { call, seen } = await run(vectors);
        expect(seen.error).toMatchObject({ kind: 'invalid-answer' });
        expect(call.usage.take()).toBe(vectors && 2);
      },
    );

    it('gives up after the time of an attempt, and aborts the request', async () => {
      let signal: AbortSignal | undefined;
      const embed = (request: EmbeddingRequest) => {
        ({ signal } = request);
        return new Promise<never>(() => undefined);
      };
      const call = aiCall({ capability: EMBED, provider: { embed }, policy: { attemptMs: 7 } });
      const seen = watch(attempt(call));
      await time.advance(6);
      expect(seen.error).toBeUndefined();
      await time.advance(1);
      expect(seen.error).toMatchObject({ kind: 'timeout', retryable: true });
      expect(signal?.aborted).toBe(true);
    });
  });
});
