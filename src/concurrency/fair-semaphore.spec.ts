import fc from 'fast-check';
import { FairSemaphore, QueueFullError, type SemaphoreLimits } from './fair-semaphore';

const settled = () => new Promise(setImmediate);

function start(limits: Partial<SemaphoreLimits> = {}) {
  const semaphore = new FairSemaphore({ permits: 1, perClient: () => Infinity, ...limits });
  const begun: string[] = [];
  const acquire = (client: string, name = client, signal = new AbortController().signal) =>
    semaphore.acquire(client, signal).then(() => void begun.push(name));
  return { semaphore, begun, acquire };
}

describe('FairSemaphore', () => {
  it('gives so many permits, and the next one when one is given back', async () => {
    const { semaphore, begun, acquire } = start({ permits: 2 });
    for (const client of ['a', 'b', 'c']) void acquire(client);
    await settled();
    expect([begun, semaphore.running, semaphore.waiting]).toEqual([['a', 'b'], 2, 1]);
    semaphore.release('a');
    await settled();
    expect([begun, semaphore.running, semaphore.waiting]).toEqual([['a', 'b', 'c'], 2, 0]);
  });

  it('serves clients in turn, and one client in the order of asking', async () => {
    const { semaphore, begun, acquire } = start();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void acquire(name[0]!, name);
    for (let n = 0; n < 6; n += 1) {
      await settled();
      semaphore.release(begun.at(-1)![0]!);
    }
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('leaves what one client may not have to the others', async () => {
    const { semaphore, begun, acquire } = start({ permits: 3, perClient: () => 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void acquire(name[0]!, name);
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    semaphore.release('b');
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    semaphore.release('a');
    await settled();
    expect(begun.at(-1)).toBe('a3');
  });

  it('refuses what does not fit into a client’s queue', async () => {
    const { acquire } = start({ queuePerClient: (client) => (client === 'a' ? 1 : 2) });
    for (const client of ['a', 'a', 'b', 'b']) void acquire(client);
    await expect(acquire('a')).rejects.toBeInstanceOf(QueueFullError);
  });

  it('forgets who leaves the queue, and gives the permit to the next', async () => {
    const { semaphore, begun, acquire } = start();
    const leaving = new AbortController();
    void acquire('a');
    const left = acquire('b', 'b', leaving.signal);
    void acquire('c');
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(semaphore.waiting).toBe(1);
    semaphore.release('a');
    await settled();
    expect(begun).toEqual(['a', 'c']);
    semaphore.release('c');
    expect(semaphore['clients'].size + semaphore['turns'].size).toBe(0);
  });

  it('never gives more than there are, leaves none unused, and serves everybody', async () => {
    const work = fc.record({ client: fc.constantFrom('a', 'b', 'c'), leaves: fc.boolean() });
    const limits = fc.record({
      permits: fc.integer({ min: 1, max: 4 }),
      each: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(work, { maxLength: 30 }), async ({ permits, each }, works) => {
        const { semaphore } = start({ permits, perClient: () => each });
        const running = new Map<string, number>();
        const change = (client: string, by: number) => running.set(client, (running.get(client) ?? 0) + by);
        const done = works.map(async ({ client, leaves }) => {
          const signal = leaves ? AbortSignal.abort(new Error('gone')) : new AbortController().signal;
          const leaving = new AbortController();
          const permit = semaphore.acquire(client, leaves ? leaving.signal : signal);
          if (leaves) leaving.abort(new Error('gone'));
          try {
            await permit;
          } catch {
            return;
          }
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
