import { KeyedReads } from './keyed-reads';

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

  it('does not wait for a statement under way', async () => {
    const releases: (() => void)[] = [];
    const reads = new KeyedReads<{ id: string }>(
      (ids) => new Promise((resolve) => releases.push(() => resolve(ids.map((id) => ({ id }))))),
    );
    const first = reads.read('a');
    await turn();
    const second = reads.read('b');
    await turn();
    releases[1]!();
    expect(await second).toEqual({ id: 'b' });
    releases[0]!();
    expect(await first).toEqual({ id: 'a' });
  });

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
