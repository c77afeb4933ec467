import { ManualClock } from '../../test/support/clock';
import type { DatabaseLocation } from '../environment/environment';
import type { HeavyKind } from './heavy-turn';
import { HeavyWork } from './heavy-work';

const SERVER: DatabaseLocation = { kind: 'server', url: 'postgres://h/d' };

const DATABASE_KINDS: HeavyKind[] = ['search', 'catalogue', 'reading', 'composition'];

/** How much of it runs at once when clients ask for all they can. */
async function mostAtOnce(work: HeavyWork, kinds: HeavyKind[], clients: number): Promise<number> {
  let running = 0;
  for (const kind of kinds) {
    for (let n = 0; n < 200; n++) {
      const client = `user|${n % clients}`;
      work.run(kind, { client }, () => new Promise(() => running++)).catch(() => undefined);
    }
  }
  await new Promise(setImmediate);
  return running;
}

describe('heavy work', () => {
  it.each([
    [20, 11],
    [40, 22],
    [10, 7],
    [9, 3],
    [4, 2],
    [3, 1],
    [2, 1],
  ])('on a server with %d connections takes %d of them', async (databasePoolSize, most) => {
    const work = new HeavyWork({ database: SERVER, databasePoolSize }, new ManualClock());
    expect(await mostAtOnce(work, DATABASE_KINDS, 50)).toBe(most);
  });

  it.each([4, 9, 10, 13, 19, 20, 40, 1000])(
    'leaves a connection of %d to short requests, and one to the reads of users',
    async (databasePoolSize) => {
      const work = new HeavyWork({ database: SERVER, databasePoolSize }, new ManualClock());
      expect(await mostAtOnce(work, DATABASE_KINDS, 50)).toBeLessThan(databasePoolSize - 1);
    },
  );

  it.each<HeavyKind>(['catalogue', 'reading'])('%s waits for no search', async (kind) => {
    const work = new HeavyWork({ database: SERVER, databasePoolSize: 10 }, new ManualClock());
    await mostAtOnce(work, ['search'], 50);
    expect(await work.run(kind, { client: 'user|lin' }, () => Promise.resolve('done'))).toBe('done');
  });

  it.each<[HeavyKind, number, number]>([
    ['search', 3, 2],
    ['catalogue', 3, 2],
    ['reading', 3, 1],
    ['composition', 2, 1],
    ['ai', 128, 32],
  ])('%s: %d at once, %d of one client', async (kind, most, ofOne) => {
    const work = () => new HeavyWork({ database: SERVER, databasePoolSize: 20 }, new ManualClock());
    expect(await mostAtOnce(work(), [kind], 50)).toBe(most);
    expect(await mostAtOnce(work(), [kind], 1)).toBe(ofOne);
  });

  describe('while searches are quick', () => {
    const clock = new ManualClock();

    /** With so many turns of this length behind it. */
    async function workAfter(count: number, ms: number, databasePoolSize: number, kind: HeavyKind) {
      const work = new HeavyWork({ database: SERVER, databasePoolSize }, clock);
      const take = () => Promise.resolve(clock.advance(ms));
      for (let n = 0; n < count; n++) await work.run(kind, { client: 'user|lin' }, take);
      return work;
    }

    it.each<[HeavyKind, number, number, number]>([
      ['catalogue', 20, 8, 5],
      ['catalogue', 40, 11, 6],
      ['catalogue', 13, 2, 2],
      ['catalogue', 10, 1, 1],
      ['search', 20, 5, 3],
      ['search', 40, 8, 4],
      ['search', 15, 4, 3],
      ['search', 14, 3, 2],
      ['search', 9, 2, 1],
    ])('%s: with %d connections %d run at once, %d of one client', async (kind, poolSize, most, ofOne) => {
      const quick = () => workAfter(50, 1, poolSize, kind);
      expect(await mostAtOnce(await quick(), [kind], 50)).toBe(most);
      expect(await mostAtOnce(await quick(), [kind], 1)).toBe(ofOne);
    });

    it.each([10, 11, 13, 19, 20, 21, 40, 1000])('%d connections are enough for all', async (poolSize) => {
      const work = await workAfter(50, 1, poolSize, 'catalogue');
      for (let n = 0; n < 50; n++) {
        await work.run('search', { client: 'user|lin' }, () => Promise.resolve(clock.advance(1)));
      }
      expect(await mostAtOnce(work, DATABASE_KINDS, 50)).toBeLessThan(poolSize - 1);
    });

    it.each<HeavyKind>(['search', 'reading', 'composition', 'ai'])(
      'of the catalogue, %s has as many as ever',
      async (kind) => {
        const before = await mostAtOnce(await workAfter(0, 1, 20, kind), [kind], 50);
        expect(await mostAtOnce(await workAfter(50, 1, 20, 'catalogue'), [kind], 50)).toBe(before);
        expect(await mostAtOnce(await workAfter(50, 1, 20, kind), ['catalogue'], 50)).toBe(3);
      },
    );

    it('what one client still has of them when they are over is not missing to others', async () => {
      const work = await workAfter(50, 1, 20, 'catalogue');
      const ends: (() => void)[] = [];
      const slow = () => new Promise<void>((resolve) => ends.push(resolve));
      const turns = Array.from({ length: 5 }, () => work.run('catalogue', { client: 'user|lin' }, slow));
      await new Promise(setImmediate);
      expect(ends).toHaveLength(5);
      clock.advance(1000);
      ends[0]!();
      await turns[0];
      const begun: string[] = [];
      const more = ['user|lin', 'user|wang', 'user|zhao'].map((client) =>
        work.run('catalogue', { client }, () => {
          begun.push(client);
          return slow();
        }),
      );
      await new Promise(setImmediate);
      expect(begun).toEqual(['user|wang']);
      // Who is left waiting is told so half a minute later, in the midst of another file.
      for (const end of ends) end();
      while (begun.length < 3) await new Promise(setImmediate);
      for (const end of ends) end();
      await Promise.all([...turns, ...more]);
    });

    it('it is over with a long one', async () => {
      const work = await workAfter(50, 1, 20, 'catalogue');
      await work.run('catalogue', { client: 'user|lin' }, () => Promise.resolve(clock.advance(100)));
      expect(await mostAtOnce(work, ['catalogue'], 50)).toBe(3);
    });
  });

  it.each<DatabaseLocation>([{ kind: 'memory' }, { kind: 'directory', dataDir: '/d' }])(
    'on the embedded database a client has one statement of any kind before it',
    async (database) => {
      const work = () => new HeavyWork({ database, databasePoolSize: 10 }, new ManualClock());
      expect(await mostAtOnce(work(), DATABASE_KINDS, 1)).toBe(1);
      expect(await mostAtOnce(work(), DATABASE_KINDS, 50)).toBe(2);
    },
  );

  describe('a long turn', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    /** Turns of this length one after the other. @returns what has been done after so many milliseconds */
    function turns(database: DatabaseLocation, kind: HeavyKind, length: number) {
      const clock = new ManualClock();
      const work = new HeavyWork({ database, databasePoolSize: 10 }, clock);
      const done: number[] = [];
      const take = (number: number) => {
        clock.advance(length);
        done.push(number);
        return Promise.resolve();
      };
      for (let number = 1; number <= 40; number++)
        void work.run(kind, { client: 'user|lin' }, () => take(number));
      return async (ms: number) => {
        await jest.advanceTimersByTimeAsync(ms);
        return done.length;
      };
    }

    it.each<HeavyKind>(['search', 'composition'])(
      'of %s lets short requests of the embedded database come before the next',
      async (kind) => {
        const doneAfter = turns({ kind: 'memory' }, kind, 50);
        expect(await doneAfter(0)).toBe(1);
        expect(await doneAfter(9)).toBe(1);
        expect(await doneAfter(1)).toBe(2);
        expect(await doneAfter(10)).toBe(3);
      },
    );

    it.each<[string, DatabaseLocation, HeavyKind, number]>([
      ['a shorter one', { kind: 'memory' }, 'search', 49],
      ['an AI call', { kind: 'memory' }, 'ai', 50],
      ['one on a server', SERVER, 'search', 50],
    ])('%s is followed by the next at once', async (_, database, kind, length) => {
      const doneAfter = turns(database, kind, length);
      expect(await doneAfter(0)).toBe(40);
    });
  });

  describe.each<DatabaseLocation>([SERVER, { kind: 'memory' }])(
    'with a database of kind $kind',
    (database) => {
      const work = new HeavyWork({ database, databasePoolSize: 10 }, new ManualClock());
      const caller = { client: 'user|lin' };
      const kinds: HeavyKind[] = [...DATABASE_KINDS, 'ai'];
      const nested = (outer: HeavyKind, inner: HeavyKind) =>
        work.run(outer, caller, () => work.run(inner, caller, () => Promise.resolve('done')));

      it.each(kinds.flatMap((outer) => kinds.map((inner) => [outer, inner] as const)))(
        'inside a turn of %s, one of %s is refused at once, unless it is of the database inside AI',
        async (outer, inner) => {
          if (outer === 'ai' && inner !== 'ai') expect(await nested(outer, inner)).toBe('done');
          else
            await expect(nested(outer, inner)).rejects.toThrow(
              `"${inner}" is asked for inside one of "${outer}"`,
            );
          expect(work.turnsOf(outer).size).toBe(0);
        },
      );

      it('where no turn is due, none is taken', async () => {
        const held = await work.runWhere(undefined, caller, () =>
          Promise.resolve(work.turnsOf('search').size),
        );
        expect(held).toBe(0);
        const taken = await work.runWhere('search', caller, () =>
          Promise.resolve(work.turnsOf('search').size),
        );
        expect(taken).toBe(1);
      });

      it('a third inside an allowed second is refused, too', async () => {
        const third = work.run('ai', caller, () => nested('search', 'composition'));
        await expect(third).rejects.toThrow('"composition" is asked for inside one of "search"');
      });

      it('one after the other, and side by side, are none inside another', async () => {
        await work.run('search', caller, () => Promise.resolve());
        const both = kinds.map((kind) => work.run(kind, caller, () => Promise.resolve(kind)));
        expect(await Promise.all(both)).toEqual(kinds);
      });

      it('what a turn’s work has begun and left is inside none when the turn has ended', async () => {
        let ended = () => {};
        const end = new Promise<void>((resolve) => (ended = resolve));
        let left = Promise.resolve('');
        await work.run('ai', caller, () =>
          work.run('search', caller, () => {
            left = end.then(() => work.run('ai', caller, () => Promise.resolve('done')));
            return Promise.resolve();
          }),
        );
        ended();
        expect(await left).toBe('done');
      });
    },
  );
});
