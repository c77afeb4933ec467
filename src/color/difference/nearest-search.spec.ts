import { ciede2000, euclideanDifference } from './color-difference';
import { type Lab } from './lab';
import {
  type Candidate,
  type CandidateSource,
  nearestByCiede2000,
  type Ranked,
  rankByCiede2000,
} from './nearest-search';

function randomNumbers(seed: number): () => number {
  return () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 4294967296;
  };
}

const id = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** A table of colours in memory that answers as the database does, and counts what it was asked. */
class Table implements CandidateSource {
  readonly asked = { nearest: 0, within: 0, all: 0 };
  readonly readInBoxes: number[] = [];

  constructor(
    public rows: Candidate[],
    private readonly most = Infinity,
  ) {}

  nearest(query: Lab, count: number): Promise<Candidate[]> {
    this.asked.nearest++;
    const order = (x: Candidate, y: Candidate) =>
      euclideanDifference(query, x) - euclideanDifference(query, y) || (x.id < y.id ? -1 : 1);
    return Promise.resolve([...this.rows].sort(order).slice(0, count));
  }

  within(box: Parameters<CandidateSource['within']>[0], copies: number): Promise<Candidate[] | null> {
    this.asked.within++;
    const inside = (value: number, [low, high]: readonly [number, number]) => value >= low && value <= high;
    const rows = this.rows.filter(
      (row) => inside(row.L, box.L) && inside(row.a, box.a) && inside(row.b, box.b),
    );
    if (rows.length > this.most) return Promise.resolve(null);
    const seen = new Map<string, number>();
    const kept = rows
      .sort((x, y) => (x.id < y.id ? -1 : 1))
      .filter((row) => {
        const key = `${row.L} ${row.a} ${row.b}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
        return seen.get(key)! <= copies;
      });
    this.readInBoxes.push(kept.length);
    return Promise.resolve(kept);
  }

  async *all(): AsyncIterable<Candidate[]> {
    this.asked.all++;
    for (let from = 0; from < this.rows.length; from += 100) {
      yield await Promise.resolve(this.rows.slice(from, from + 100));
    }
  }
}

/** The definition: every row ranked, written without the code under test. */
function bruteForce(rows: Candidate[], query: Lab, k: number): Ranked[] {
  return rows
    .map((row) => ({ id: row.id, distance: ciede2000(query, row) }))
    .sort((x, y) => x.distance - y.distance || (x.id < y.id ? -1 : 1))
    .slice(0, k);
}

type Random = () => number;
const around = (random: Random, centre: Lab, size: number): Lab => ({
  L: Math.min(100, Math.max(0, centre.L + (random() - 0.5) * size)),
  a: centre.a + (random() - 0.5) * size,
  b: centre.b + (random() - 0.5) * size,
});

const SETS: Record<
  string,
  { count: number; draw: (random: Random, index: number) => Lab; query: (random: Random) => Lab }
> = {
  'spread over the whole space': {
    count: 6000,
    draw: (random) => around(random, { L: 50, a: 0, b: 0 }, 200),
    query: (random) => around(random, { L: 50, a: 0, b: 0 }, 200),
  },
  blue: {
    count: 4000,
    draw: (random) => around(random, { L: 35, a: 20, b: -60 }, 70),
    query: (random) => around(random, { L: 35, a: 20, b: -60 }, 50),
  },
  neutral: {
    count: 4000,
    draw: (random) => ({ L: random() * 100, a: (random() - 0.5) * 6, b: (random() - 0.5) * 6 }),
    query: (random) => ({
      L: random() * 100,
      a: (random() - 0.5) * 2,
      b: random() < 0.3 ? 0 : (random() - 0.5) * 2,
    }),
  },
  'a lattice, queried at its points and midpoints (ties)': {
    count: 4096,
    draw: (_, i) => ({ L: 30 + (i & 15) * 2, a: ((i >> 4) & 15) * 2 - 16, b: ((i >> 8) & 15) * 2 - 16 }),
    query: (random) => ({
      L: 30 + Math.floor(random() * 30),
      a: Math.floor(random() * 30) - 15,
      b: Math.floor(random() * 30) - 15,
    }),
  },
  'forty colours, each a hundred times': {
    count: 4000,
    draw: (_, i) => ({ L: 20 + (i % 40), a: ((i % 40) * 7) % 23, b: -((i % 40) * 5) % 31 }),
    query: (random) => around(random, { L: 40, a: 10, b: -15 }, 30),
  },
  'fewer than are asked for': {
    count: 3,
    draw: (random) => around(random, { L: 50, a: 0, b: 0 }, 100),
    query: (random) => around(random, { L: 50, a: 0, b: 0 }, 100),
  },
  'far outside of every gamut': {
    count: 3000,
    draw: (random) => around(random, { L: 50, a: 0, b: 0 }, 150),
    query: (random) => ({ L: random() * 100, a: (random() - 0.5) * 20_000, b: (random() - 0.5) * 20_000 }),
  },
};

const table = (name: string, seed: number): Table => {
  const random = randomNumbers(seed);
  const { count, draw } = SETS[name]!;
  // Ids in an order that has nothing to do with the position.
  return new Table(
    Array.from({ length: count }, (_, i) => ({ id: id((i * 7919) % 1_000_003), ...draw(random, i) })),
  );
};

describe('nearestByCiede2000', () => {
  it.each(Object.keys(SETS))('gives exactly what ranking the whole table gives: %s', async (name) => {
    const colours = table(name, 11);
    const random = randomNumbers(12);
    for (let i = 0; i < 10; i++) {
      const query = SETS[name]!.query(random);
      const expected = bruteForce(colours.rows, query, 20);
      for (const k of [1, 5, 20]) {
        expect(await nearestByCiede2000(colours, query, k)).toEqual(expected.slice(0, k));
      }
    }
  });

  it('mostly needs one statement, sometimes a second, and walks the table only without a bound', async () => {
    const colours = table('spread over the whole space', 21);
    const random = randomNumbers(22);
    for (let i = 0; i < 40; i++)
      await nearestByCiede2000(colours, SETS['spread over the whole space']!.query(random), 5);
    expect(colours.asked.nearest).toBe(40);
    expect(colours.asked.within).toBeGreaterThan(0);
    expect(colours.asked.all).toBe(0);

    const far = table('far outside of every gamut', 23);
    await nearestByCiede2000(far, { L: 50, a: 9000, b: -9000 }, 5);
    expect(far.asked).toEqual({ nearest: 1, within: 0, all: 1 });
  });

  it('a fixed Euclidean filter would not have been enough for these sets', async () => {
    const colours = table('blue', 31);
    const random = randomNumbers(32);
    let lost = 0;
    for (let i = 0; i < 10; i++) {
      const query = SETS['blue']!.query(random);
      const filtered = rankByCiede2000(await colours.nearest(query, 20), query, 20);
      if (JSON.stringify(filtered) !== JSON.stringify(bruteForce(colours.rows, query, 20))) lost++;
    }
    expect(lost).toBeGreaterThan(4);
  });

  it('reads only as many of 10 000 equal colours as can be in the answer', async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => ({ id: id(10_000 - i), L: 50, a: 10, b: 10 }));
    const better = { id: id(20_000), L: 50, a: 10.2, b: 12.1 };
    const colours = new Table([...rows, better]);
    const query = { L: 50, a: 8.6, b: 10.9 };
    const answer = await nearestByCiede2000(colours, query, 5);
    expect(answer).toEqual(bruteForce(colours.rows, query, 5));
    expect(answer.filter((entry) => entry.id !== better.id).map((entry) => entry.id)).toEqual(
      [1, 2, 3, 4, 5].map(id).slice(0, answer.some((entry) => entry.id === better.id) ? 4 : 5),
    );
    expect(Math.max(...colours.readInBoxes)).toBeLessThanOrEqual(6);
  });

  it('walks the table when the box holds more than can sensibly be read at once', async () => {
    const full = table('blue', 41);
    const colours = new Table(full.rows, 10);
    const random = randomNumbers(42);
    for (let i = 0; i < 10; i++) {
      const query = SETS['blue']!.query(random);
      expect(await nearestByCiede2000(colours, query, 20)).toEqual(bruteForce(colours.rows, query, 20));
    }
    expect(colours.asked.all).toBeGreaterThan(0);
  });

  it('stays exact for what is left when colours are deleted between its statements', async () => {
    class Vanishing extends Table {
      override async within(...parameters: Parameters<Table['within']>): Promise<Candidate[] | null> {
        if (this.asked.within === 0) {
          // The best colours of the first statement go before the second one.
          const gone = new Set(bruteForce(this.rows, query, 15).map((row) => row.id));
          this.rows = this.rows.filter((row) => !gone.has(row.id));
        }
        return super.within(...parameters);
      }
    }
    const query = { L: 35, a: 20, b: -60 };
    const colours = new Vanishing(table('blue', 51).rows);
    const answer = await nearestByCiede2000(colours, query, 20);
    expect(colours.asked.within).toBeGreaterThan(1);
    expect(answer).toEqual(bruteForce(colours.rows, query, 20));
  });
});
