import type { DatabaseLocation } from '../environment/environment';
import { type HeavyKind, HeavyWork } from './heavy-work';

const SERVER: DatabaseLocation = { kind: 'server', url: 'postgres://h/d' };

/** How much of it runs at once when clients ask for all they can. */
async function mostAtOnce(work: HeavyWork, kinds: HeavyKind[], clients: number): Promise<number> {
  let running = 0;
  for (const kind of kinds) {
    for (let n = 0; n < 2000; n++) {
      const client = `user|${n % clients}`;
      work.run(kind, { client }, () => new Promise(() => running++)).catch(() => undefined);
    }
  }
  await new Promise(setImmediate);
  return running;
}

describe('heavy work', () => {
  it.each([
    [10, 5],
    [20, 10],
    [4, 2],
    [3, 1],
    [2, 1],
  ])('on a server with %d connections takes %d of them', async (databasePoolSize, most) => {
    const work = new HeavyWork({ database: SERVER, databasePoolSize });
    expect(await mostAtOnce(work, ['search', 'composition'], 50)).toBe(most);
  });

  it.each<[HeavyKind, number, number]>([
    ['search', 3, 2],
    ['composition', 2, 1],
    ['ai', 128, 32],
  ])('%s: %d at once, %d of one client', async (kind, most, ofOne) => {
    const work = () => new HeavyWork({ database: SERVER, databasePoolSize: 10 });
    expect(await mostAtOnce(work(), [kind], 50)).toBe(most);
    expect(await mostAtOnce(work(), [kind], 1)).toBe(ofOne);
  });

  it.each<DatabaseLocation>([{ kind: 'memory' }, { kind: 'directory', dataDir: '/d' }])(
    'on the embedded database a client has one statement of any kind before it',
    async (database) => {
      const work = () => new HeavyWork({ database, databasePoolSize: 10 });
      expect(await mostAtOnce(work(), ['search', 'composition'], 1)).toBe(1);
      expect(await mostAtOnce(work(), ['search', 'composition'], 50)).toBe(2);
    },
  );
});
