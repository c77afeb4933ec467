import { AsyncLocalStorage } from 'node:async_hooks';
import { Subject } from 'rxjs';
import { aiCall, answer } from '../../../../test/support/ai-calls';
import { type AiEvent } from '../ai-call';
import { SharedCalls } from './shared-calls';

describe('SharedCalls', () => {
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
