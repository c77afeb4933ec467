import { AsyncLocalStorage } from 'node:async_hooks';
import { GATHERING_MS, KeyedReads } from './keyed-reads';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Answers for every id but `none`, in reverse order, and keeps what it was asked. */
function start(answer = (ids: readonly string[]) => ids.filter((id) => id !== 'none').map((id) => ({ id }))) {
  const asked: (readonly string[])[] = [];
  const reads = new KeyedReads((ids) => {
    asked.push(ids);
    return Promise.resolve(answer(ids).toReversed());
  });
  return { asked, reads };
}

describe('KeyedReads', () => {
  it('reads what is asked for in one turn with one statement, each row once', async () => {
    const { asked, reads } = start();
    const rows = await Promise.all(['a', 'b', 'a', 'none'].map((id) => reads.read(id)));
    expect(rows).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'a' }, undefined]);
    expect(asked).toEqual([['a', 'b', 'none']]);
  });

  it('reads anew what is asked for later: nothing is kept', async () => {
    const { asked, reads } = start();
    await reads.read('a');
    await reads.read('a');
    expect(asked).toEqual([['a'], ['a']]);
  });

  describe('while a statement is under way', () => {
    let asked: (readonly string[])[];
    let answers: (() => void)[];
    let reads: KeyedReads<{ id: string }>;

    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['setImmediate'] });
      asked = [];
      answers = [];
      reads = new KeyedReads((ids) => {
        asked.push(ids);
        return new Promise((resolve) => answers.push(() => resolve(ids.map((id) => ({ id })))));
      });
    });
    afterEach(() => jest.useRealTimers());

    it('gathers what comes until it has been answered', async () => {
      const first = reads.read('a');
      await turn();
      const second = reads.read('b');
      await turn();
      const third = reads.read('c');
      await turn();
      expect(asked).toEqual([['a']]);
      answers[0]!();
      expect(await first).toEqual({ id: 'a' });
      expect(asked).toEqual([['a'], ['b', 'c']]);
      answers[1]!();
      expect(await Promise.all([second, third])).toEqual([{ id: 'b' }, { id: 'c' }]);
      jest.advanceTimersByTime(GATHERING_MS);
      await turn();
      expect(asked).toHaveLength(2);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('sends what has gathered as a part of the work that asked first', async () => {
      const requests = new AsyncLocalStorage<string>();
      const senders: (string | undefined)[] = [];
      const gathering = new KeyedReads<{ id: string }>((ids) => {
        senders.push(requests.getStore());
        return new Promise((resolve) => answers.push(() => resolve(ids.map((id) => ({ id })))));
      });
      const first = requests.run('first', () => gathering.read('a'));
      await turn();
      const second = requests.run('second', () => gathering.read('b'));
      await turn();
      answers[0]!();
      await first;
      answers[1]!();
      await second;
      expect(senders).toEqual(['first', 'second']);
    });

    it('does not wait long for one that hangs', async () => {
      const first = reads.read('a');
      await turn();
      const second = reads.read('b');
      jest.advanceTimersByTime(GATHERING_MS - 1);
      await turn();
      expect(asked).toEqual([['a']]);
      jest.advanceTimersByTime(1);
      await turn();
      expect(asked).toEqual([['a'], ['b']]);
      answers[1]!();
      expect(await second).toEqual({ id: 'b' });
      answers[0]!();
      expect(await first).toEqual({ id: 'a' });
    });

    it('sends what has gathered when one ends while another hangs', async () => {
      const first = reads.read('a');
      await turn();
      const second = reads.read('b');
      jest.advanceTimersByTime(GATHERING_MS);
      await turn();
      const third = reads.read('c');
      await turn();
      expect(asked).toEqual([['a'], ['b']]);
      answers[1]!();
      await second;
      expect(asked).toEqual([['a'], ['b'], ['c']]);
      answers[2]!();
      expect(await third).toEqual({ id: 'c' });
      answers[0]!();
      await first;
    });

    it('sends what has gathered behind one that failed', async () => {
      let fail = () => undefined as void;
      const failing = new KeyedReads<{ id: string }>((ids) => {
        asked.push(ids);
        if (asked.length > 1) return Promise.resolve(ids.map((id) => ({ id })));
        return new Promise((_, reject) => (fail = () => reject(new Error('unreachable'))));
      });
      const failed = Promise.allSettled([failing.read('a')]);
      await turn();
      const gathered = failing.read('b');
      await turn();
      fail();
      await failed;
      expect(await gathered).toEqual({ id: 'b' });
    });

    it('waits for nothing again after one that failed', async () => {
      const failed = new KeyedReads((ids) => {
        asked.push(ids);
        return Promise.reject(new Error('unreachable'));
      });
      await expect(failed.read('a')).rejects.toThrow('unreachable');
      const again = failed.read('b').catch(() => undefined);
      await turn();
      expect(asked).toEqual([['a'], ['b']]);
      await again;
    });
  });

  it('waits for others hardly longer than a statement takes', () => expect(GATHERING_MS).toBe(2));

  it('sends a hundred ids at most in one statement', async () => {
    const { asked, reads } = start();
    await Promise.all(Array.from({ length: 101 }, (_, number) => reads.read(String(number))));
    expect(asked.map((ids) => ids.length)).toEqual([100, 1]);
  });

  it('tells a failure to everyone who waits for it, and to nobody after them', async () => {
    let broken = true;
    const { reads } = start((ids) => {
      if (broken) throw new Error('unreachable');
      return ids.map((id) => ({ id }));
    });
    const outcomes = await Promise.allSettled([reads.read('a'), reads.read('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect(await reads.read('a')).toEqual({ id: 'a' });
  });
});
