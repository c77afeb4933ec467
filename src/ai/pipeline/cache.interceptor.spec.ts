import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { concat, defer, NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { z } from 'zod';
import { aiCall, answer, around, LIST, part, settled, watch, WORD } from '../../../test/support/ai-calls';
import type { AiCall, AiEvent } from './ai-call';
import { FallbackInterceptor } from './fallback.interceptor';
import { AiCacheInterceptor, type AnswerCache, SharedCalls } from './cache.interceptor';

describe('AiCacheInterceptor', () => {
  let kept: Map<string, unknown>;
  let generation: number;
  let keptOf: unknown[];
  let interceptor: AiCacheInterceptor;
  let requests: number;

  beforeEach(() => {
    kept = new Map();
    generation = 0;
    requests = 0;
    keptOf = [];
    interceptor = new AiCacheInterceptor({
      get generation() {
        return generation;
      },
      get: (key: string) => Promise.resolve(kept.get(key)),
      keep: async (key: string, value: unknown, of: number) => {
        const into = kept;
        keptOf.push(of);
        await new Promise(setImmediate);
        into.set(key, value);
      },
    } as unknown as AnswerCache);
  });

  afterEach(() => jest.restoreAllMocks());

  const ask = async (call: AiCall, events: Observable<AiEvent>) =>
    watch(
      await around(interceptor, call, () => {
        requests += 1;
        return events;
      }),
    );

  it('remembers an answer that may be remembered, and says where it comes from', async () => {
    const [first, second] = [aiCall(), aiCall()];
    await ask(first, of(answer('a')));
    await settled();
    const again = await ask(second, NEVER);
    expect([first.cacheAnswer, second.cacheAnswer]).toEqual(['miss', 'hit']);
    expect(again.events).toEqual([{ ...answer('a', false), source: 'cache' }]);
    expect(requests).toBe(1);
  });

  it('does not remember one that may not be', async () => {
    await ask(aiCall(), of(answer('a', false)));
    await settled();
    expect(kept.size).toBe(0);
  });

  it('a fallback is never remembered', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const failing = () => throwError(() => new Error('down'));
    const seen = await ask(aiCall(), await around(new FallbackInterceptor(), aiCall(), failing));
    await settled();
    expect(seen.events).toMatchObject([{ answer: { word: 'preset' }, source: 'fallback' }]);
    expect(kept.size).toBe(0);
  });

  it('asks each time where the call wants no cache, or the provider is not remote', async () => {
    const local = { capabilities: { remote: false, streaming: true } };
    for (const details of [{ policy: { cache: false } }, { provider: local }]) {
      requests = 0;
      for (let time = 0; time < 2; time++) {
        await ask(aiCall(details), of(answer('a')));
        await settled();
      }
      expect(requests).toBe(2);
      expect(kept.size).toBe(0);
    }
  });

  it('tells apart what decides the answer: capability, schema, prompt, provider, model, what else it names', () => {
    const calls = [
      aiCall(),
      aiCall({ capability: { ...WORD, name: 'other' } }),
      aiCall({ capability: { ...WORD, schema: z.object({ word: z.string().max(5) }) } }),
      aiCall({ input: 'y' }),
      aiCall({ provider: { name: 'other' } }),
      aiCall({ model: 'other' }),
      aiCall({ capability: { ...WORD, alsoDependsOn: () => 'what one may read' } }),
      aiCall({ capability: { ...WORD, alsoDependsOn: () => 'what another may read' } }),
    ];
    expect(new Set(calls.map(({ cacheKey }) => cacheKey)).size).toBe(8);
    expect(aiCall().cacheKey).toBe(calls[0]?.cacheKey);
  });

  it('equal calls under way share one request, a late one sees what came before it, tokens are counted once', async () => {
    const events = new Subject<AiEvent>();
    const [first, second] = [aiCall({ capability: LIST }), aiCall({ capability: LIST })];
    const early = await ask(first, events);
    events.next(part('a'));
    events.next(part('b'));
    const late = await ask(second, NEVER);
    events.next(answer('whole'));
    events.complete();
    await settled();
    for (const seen of [early, late]) {
      expect(seen).toMatchObject({ events: [part('a'), part('b'), answer('whole')], completed: true });
    }
    expect(requests).toBe(1);
    first.usage.add(5);
    expect([second.usage.take(), first.usage.take()]).toEqual([5, undefined]);
  });

  it('a call of a later generation does not join one from before', async () => {
    await ask(aiCall(), NEVER);
    generation += 1;
    await ask(aiCall(), of(answer('new')));
    expect(requests).toBe(2);
  });

  it('keeps an answer as one of the generation in which it was asked for', async () => {
    const events = new Subject<AiEvent>();
    await ask(aiCall(), events);
    generation = 7;
    events.next(answer('old'));
    await settled();
    expect(keptOf).toEqual([0]);
  });

  it('gives an answer when it is kept: who asks again after it finds it', async () => {
    const seen = await ask(aiCall(), of(answer('a')));
    expect(seen.events).toEqual([]);
    await settled();
    expect([seen.events, kept.size]).toEqual([[answer('a')], 1]);
  });

  it('begins nothing for a caller who left while the memory was looked through', async () => {
    const handle = jest.fn(() => NEVER);
    await around(interceptor, aiCall(), handle);
    expect(handle).not.toHaveBeenCalled();
  });

  it('a request goes on until the last caller has left', async () => {
    const events = new Subject<AiEvent>();
    const early = await ask(aiCall(), events);
    const late = await ask(aiCall(), events);
    early.leave();
    expect(events.observed).toBe(true);
    late.leave();
    expect(events.observed).toBe(false);
    await ask(aiCall(), of(answer('a')));
    expect(requests).toBe(2);
  });

  it('a failed request is not joined any more', async () => {
    const failed = await ask(
      aiCall(),
      throwError(() => new Error('down')),
    );
    expect(failed.error).toEqual(new Error('down'));
    const next = await ask(aiCall(), concat(of(answer('a'))));
    await settled();
    expect(next.completed).toBe(true);
    expect(requests).toBe(2);
  });
});

describe('SharedCalls', () => {
  it.each(['complete', 'error'] as const)(
    'one that has joined before the end (%s) and looks after it sees all, without another request',
    (end) => {
      const calls = new SharedCalls();
      const source = new Subject<AiEvent>();
      let requests = 0;
      const join = () =>
        calls.join('key', aiCall(), () =>
          defer(() => {
            requests += 1;
            return source;
          }),
        );
      const [first, late] = [join(), join()];
      expect(late.leader).toBe(first.leader);
      watch(first.events);
      source.next(answer('a'));
      if (end === 'error') source.error(new Error('down'));
      else source.complete();
      const seen = watch(late.events);
      expect(seen.events).toEqual([answer('a')]);
      expect([seen.completed, seen.error]).toEqual(
        end === 'error' ? [false, new Error('down')] : [true, undefined],
      );
      expect(requests).toBe(1);
      expect(join().leader).not.toBe(first.leader);
    },
  );

  it('one that is given up late takes its place from no other', () => {
    const calls = new SharedCalls();
    const join = () => calls.join('key', aiCall(), () => NEVER);
    const [first, late] = [join(), join()];
    watch(first.events).leave();
    const next = join();
    expect(next.leader).not.toBe(first.leader);
    watch(late.events).leave();
    expect(join().leader).toBe(next.leader);
  });

  it('hands events, errors and the end on in the context of whoever waits for them', () => {
    const request = new AsyncLocalStorage<string>();
    for (const end of ['complete', 'error'] as const) {
      const calls = new SharedCalls();
      const source = new Subject<AiEvent>();
      const seen: unknown[] = [];
      const note = (what: string) => () => seen.push([what, request.getStore()]);
      for (const name of ['first', 'second']) {
        request.run(name, () => {
          const { events } = calls.join('key', aiCall(), () => source);
          events.subscribe({ next: note(name), error: note(name), complete: note(name) });
        });
      }
      request.run('provider', () => {
        source.next(answer({ word: 'a' }));
        if (end === 'error') source.error(new Error());
        else source.complete();
      });
      expect(seen).toEqual([
        ['first', 'provider'],
        ['second', 'second'],
        ['first', 'provider'],
        ['second', 'second'],
      ]);
    }
  });
});
