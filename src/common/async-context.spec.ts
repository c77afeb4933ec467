import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { AsyncVariable, bindContext, followCallbacks, stopCarryingContexts } from './async-context';

const isStorageCheap = Number(process.versions.node.split('.')[0]) >= 24;

const later = (ms = 1) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** What the variable is in a timer that is begun now. */
const inTimer = <T>(variable: AsyncVariable<T>) =>
  new Promise<T | undefined>((resolve) => setTimeout(() => resolve(variable.get()), 1));

async function* steps() {
  for (let step = 0; step < 2; step++) {
    await later();
    yield step;
  }
}

describe('AsyncVariable', () => {
  const variable = new AsyncVariable<string>();

  it('has its value in what is run, and none outside', () => {
    expect(variable.run('a', () => variable.get())).toBe('a');
    expect(variable.get()).toBeUndefined();
  });

  it('gives what the work gives, and throws what it throws', () => {
    expect(variable.run('a', () => 7)).toBe(7);
    expect(() => variable.run('a', () => { throw new Error('broken'); })).toThrow('broken'); // prettier-ignore
    expect(variable.get()).toBeUndefined();
  });

  it('is found again after every await, timers and rejections included', async () => {
    const seen: (string | undefined)[] = [];
    await variable.run('a', async () => {
      await Promise.resolve();
      seen.push(variable.get());
      await later();
      seen.push(variable.get());
      await Promise.reject(new Error()).catch(() => seen.push(variable.get()));
      seen.push(variable.get());
      await Promise.all([later(), later(2)]);
      seen.push(variable.get());
      for await (const step of steps()) seen.push(`${variable.get()}${step}`);
    });
    expect(seen).toEqual(['a', 'a', 'a', 'a', 'a', 'a0', 'a1']);
    expect(variable.get()).toBeUndefined();
  });

  it('is found in a thenable that is awaited, and behind it', async () => {
    const seen: unknown[] = [];
    const thenable = {
      then: (resolve: (value: string) => void) => {
        seen.push(variable.get());
        setTimeout(() => resolve('later'), 1);
      },
    };
    await variable.run('a', async () => {
      await Promise.resolve();
      seen.push(await thenable, variable.get());
    });
    expect(seen).toEqual(['a', 'later', 'a']);
  });

  it('is each one’s own where many are under way at once', async () => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        variable.run(String(number), async () => {
          for (let step = 0; step < 5; step++) await later(number % 3);
          return variable.get();
        }),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 20 }, (_, number) => String(number)));
  });

  it('is that of whoever waits, not of whoever resolves', async () => {
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const waits = variable.run('waits', async () => {
      await gate;
      return variable.get();
    });
    variable.run('opens', () => open());
    expect(await waits).toBe('waits');
  });

  it('has the inner value inside, the outer one again behind it, and others beside it', async () => {
    const other = new AsyncVariable<number>();
    await variable.run('outer', async () => {
      await variable.run('inner', async () => {
        await later();
        expect([variable.get(), other.get()]).toEqual(['inner', undefined]);
        await other.run(1, async () => {
          await later();
          expect([variable.get(), other.get()]).toEqual(['inner', 1]);
        });
      });
      expect([variable.get(), other.get()]).toEqual(['outer', undefined]);
    });
  });
});

describe('bindContext', () => {
  const variable = new AsyncVariable<string>();

  it('runs a callback in the context where it was bound', async () => {
    const emitter = new EventEmitter();
    const seen = jest.fn();
    variable.run('a', () => emitter.on('event', bindContext((word: string) => seen(word, variable.get())))); // prettier-ignore
    variable.run('b', () => emitter.emit('event', 'one'));
    await later();
    emitter.emit('event', 'two');
    expect(seen.mock.calls).toEqual([
      ['one', 'a'],
      ['two', 'a'],
    ]);
  });

  it('runs outside of contexts what was bound outside of them', async () => {
    const bound = bindContext(() => variable.get());
    expect(variable.run('a', bound)).toBeUndefined();
    await variable.run('a', async () => {
      await later();
      expect(bound()).toBeUndefined();
      expect(variable.get()).toBe('a');
    });
  });

  it('gives what the function gives', () => {
    expect(bindContext((a: number, b: number) => a + b)(1, 2)).toBe(3);
  });
});

describe('followCallbacks', () => {
  const variable = new AsyncVariable<string>();

  it('finds the context in callbacks until it has ended', async () => {
    let end = () => {};
    const found = variable.run('a', () => followCallbacks((ended) => (end = ended), () => inTimer(variable))); // prettier-ignore
    expect(await found).toBe('a');
    end();
    expect(await variable.run('b', () => inTimer(variable))).toBe(isStorageCheap ? 'b' : undefined);
  });

  it('finds in callbacks what is entered inside', async () => {
    const inner = new AsyncVariable<number>();
    const ends: (() => void)[] = [];
    const found = variable.run('a', () =>
      followCallbacks(
        (end) => ends.push(end),
        () => inner.run(1, () => Promise.all([inTimer(inner), inTimer(variable)])),
      ),
    );
    expect(await found).toEqual([1, 'a']);
    ends[0]?.();
  });

  it('goes on for one when another has ended', async () => {
    const disable = jest.spyOn(AsyncLocalStorage.prototype, 'disable');
    const ends: (() => void)[] = [];
    const follow = (value: string) =>
      variable.run(value, () => followCallbacks((end) => ends.push(end), async () => {
        await later();
        return inTimer(variable);
      })); // prettier-ignore
    const [first, second] = [follow('a'), follow('b')];
    ends[0]?.();
    expect(disable).not.toHaveBeenCalled();
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
    ends[1]?.();
    expect(disable).toHaveBeenCalledTimes(isStorageCheap ? 0 : 1);
    disable.mockRestore();
  });

  it('follows nothing outside of contexts', async () => {
    const onceEnded = jest.fn();
    expect(await followCallbacks(onceEnded, () => inTimer(variable))).toBeUndefined();
    expect(onceEnded).not.toHaveBeenCalled();
  });
});

describe('stopCarryingContexts', () => {
  it('follows no promise until a value is given anew', async () => {
    const variable = new AsyncVariable<string>();
    const before = variable.run('a', async () => {
      await later();
      return variable.get();
    });
    stopCarryingContexts();
    expect(await before).toBe(isStorageCheap ? 'a' : undefined);
    const after = variable.run('b', async () => {
      await later();
      return variable.get();
    });
    expect(await after).toBe('b');
  });
});
