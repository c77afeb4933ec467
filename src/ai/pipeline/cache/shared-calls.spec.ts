import { AsyncLocalStorage } from 'node:async_hooks';
import { defer, NEVER, Subject } from 'rxjs';
import { aiCall, answer, watch } from '../../../../test/support/ai-calls';
import { type AiEvent } from '../ai-call';
import { SharedCalls } from './shared-calls';

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
