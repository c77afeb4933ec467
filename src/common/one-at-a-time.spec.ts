import { OneAtATime } from './one-at-a-time';

describe('OneAtATime', () => {
  const turn = () => new Promise(setImmediate);
  let ends: ((failed?: Error) => void)[];
  let work: OneAtATime<number>;
  beforeEach(() => {
    ends = [];
    work = new OneAtATime(
      () =>
        new Promise<number>((resolve, reject) => {
          const run = ends.length + 1;
          ends.push((failed) => (failed ? reject(failed) : resolve(run)));
        }),
    );
  });

  it('a thousand who ask during one run have the next one together', async () => {
    const first = work.run();
    await turn();
    const others = Array.from({ length: 1000 }, () => work.run());
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    expect(await first).toBe(1);
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]!();
    expect(new Set(await Promise.all(others))).toEqual(new Set([2]));
    await turn();
    expect(ends).toHaveLength(2);
  });

  it('who asks gets nothing of a run that has begun before', async () => {
    void work.run();
    await turn();
    const second = work.run();
    ends[0]!();
    await turn();
    const third = work.run();
    ends[1]!();
    await turn();
    ends[2]!();
    expect(await Promise.all([second, third])).toEqual([2, 3]);
  });

  it('one that fails, fails for those who have waited for it, and is followed by the next', async () => {
    const first = work.run();
    await turn();
    const second = work.run();
    ends[0]!(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await turn();
    ends[1]!();
    expect(await second).toBe(2);
  });
});
