import fc from 'fast-check';
import { FairSemaphore, QueueFullError, type SemaphoreLimits } from './fair-semaphore';

const settled = () => new Promise(setImmediate);

function start(limits: Partial<SemaphoreLimits> = {}) {
  const semaphore = new FairSemaphore({ permits: 1, perClient: () => Infinity, ...limits });
  const begun: string[] = [];
  /** Takes a permit or queues for one; returns what leaves the queue. */
  const acquire = (client: string, name = client, begin = () => void begun.push(name)) => {
    if (!semaphore.tryAcquire(client)) return semaphore.enqueue(client, begin);
    begin();
    return () => undefined;
  };
  return { semaphore, begun, acquire };
}

describe('FairSemaphore', () => {
  it('gives so many permits, and the next one when one is given back', async () => {
    const { semaphore, begun, acquire } = start({ permits: 2 });
    for (const client of ['a', 'b', 'c']) acquire(client);
    await settled();
    expect([begun, semaphore.running, semaphore.waiting]).toEqual([['a', 'b'], 2, 1]);
    semaphore.release('a');
    await settled();
    expect([begun, semaphore.running, semaphore.waiting]).toEqual([['a', 'b', 'c'], 2, 0]);
  });

  it('serves clients in turn, and one client in the order of asking', async () => {
    const { semaphore, begun, acquire } = start();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) acquire(name[0]!, name);
    for (let n = 0; n < 6; n += 1) {
      await settled();
      semaphore.release(begun.at(-1)![0]!);
    }
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('leaves what one client may not have to the others', async () => {
    const { semaphore, begun, acquire } = start({ permits: 3, perClient: () => 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) acquire(name[0]!, name);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    semaphore.release('b');
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    semaphore.release('a');
    await settled();
    expect(begun.at(-1)).toBe('a3');
  });

  it('refuses what does not fit into a client’s queue', () => {
    const { acquire } = start({ queuePerClient: (client) => (client === 'a' ? 1 : 2) });
    for (const client of ['a', 'a', 'b', 'b']) acquire(client);
    expect(() => acquire('a')).toThrow(QueueFullError);
  });

  it('forgets who leaves the queue, and gives the permit to the next', () => {
    const { semaphore, begun, acquire } = start();
    acquire('a');
    const leave = acquire('b');
    acquire('c');
    leave();
    leave();
    expect(semaphore.waiting).toBe(1);
    semaphore.release('a');
    expect(begun).toEqual(['a', 'c']);
    semaphore.release('c');
    expect(semaphore['clients'].size + semaphore['turns'].length).toBe(0);
  });

  it('never gives more than there are, leaves none unused, and serves everybody', async () => {
    const work = fc.record({ client: fc.constantFrom('a', 'b', 'c'), leaves: fc.boolean() });
    const limits = fc.record({
      permits: fc.integer({ min: 1, max: 4 }),
      each: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(work, { maxLength: 30 }), async ({ permits, each }, works) => {
        const { semaphore, acquire } = start({ permits, perClient: () => each });
        const running = new Map<string, number>();
        const change = (client: string, by: number) => running.set(client, (running.get(client) ?? 0) + by);
        const done = works.map(async ({ client, leaves }) => {
          let hasBegun = false;
          const permit = new Promise<void>((resolve) => {
            const leave = acquire(client, client, () => {
              hasBegun = true;
              resolve();
            });
            if (leaves) leave();
            if (leaves) resolve();
          });
          await permit;
          if (!hasBegun) return;
          change(client, 1);
          expect(running.get(client)).toBeLessThanOrEqual(each);
          expect(semaphore.running).toBeLessThanOrEqual(permits);
          await settled();
          change(client, -1);
          semaphore.release(client);
        });
        await Promise.all(done);
        expect([semaphore.running, semaphore.waiting]).toEqual([0, 0]);
      }),
      { numRuns: 50 },
    );
  });
});
