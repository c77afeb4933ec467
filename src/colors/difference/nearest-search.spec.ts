import { samples } from '../../../test/support/random-numbers';
import { type PlacedColor, type Ranked } from './best-of';
import { ciede2000, type CieLab, euclideanDifference } from './color-difference';
import { cellNumber, type CellRange } from './cie-lab-cells';
import { type ColorSource, NearestColors, type RangeContent, rankByCiede2000 } from './nearest-search';

function randomNumbers(seed: number): () => number {
  return () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 4294967296;
  };
}

const id = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** A table of colours in memory that answers as the database does, and counts what it was asked. */
class Table implements ColorSource {
  readonly asked = { around: 0, inRanges: 0, inSmallestCell: 0 };
  rowsRead = 0;
  protected rows: (PlacedColor & { cell: number })[] = [];

  constructor(rows: readonly PlacedColor[]) {
    this.replace(rows);
  }

  replace(rows: readonly PlacedColor[]): void {
    this.rows = rows.map((row) => ({ ...row, cell: cellNumber(row) })).sort((x, y) => x.cell - y.cell);
  }

  around(cell: number, count: number): Promise<PlacedColor[]> {
    this.asked.around++;
    const at = this.firstFrom(cell);
    return this.read(this.rows.slice(Math.max(0, at - count), at + count));
  }

  async inRanges(ranges: readonly CellRange[], most: number): Promise<RangeContent[]> {
    this.asked.inRanges++;
    return Promise.all(
      ranges.map(async ({ first, last }) => {
        const inside = this.rows.slice(this.firstFrom(first), this.firstFrom(last + 1));
        const read = await this.read(inside.slice(0, most + 1));
        return { colors: read.slice(0, most), complete: inside.length <= most };
      }),
    );
  }

  inSmallestCell(cell: number, copies: number): Promise<PlacedColor[]> {
    this.asked.inSmallestCell++;
    const seen = new Map<string, number>();
    return this.read(
      this.rows
        .filter((row) => row.cell === cell)
        .sort((x, y) => (x.id < y.id ? -1 : 1))
        .filter((row) => {
          const key = `${row.L} ${row.a} ${row.b}`;
          seen.set(key, (seen.get(key) ?? 0) + 1);
          return seen.get(key)! <= copies;
        }),
    );
  }

  get statements(): number {
    return this.asked.around + this.asked.inRanges + this.asked.inSmallestCell;
  }

  forget(): void {
    Object.assign(this.asked, { around: 0, inRanges: 0, inSmallestCell: 0 });
    this.rowsRead = 0;
  }

  get colors(): readonly PlacedColor[] {
    return this.rows;
  }

  /** The place of the first row in this cell or one after it. */
  private firstFrom(cell: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle]!.cell < cell) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private read(rows: PlacedColor[]): Promise<PlacedColor[]> {
    this.rowsRead += rows.length;
    return Promise.resolve(rows);
  }
}

/** The definition: every row ranked, written without the code under test. */
function bruteForce(
  rows: readonly PlacedColor[],
  query: CieLab,
  k: number,
  difference = ciede2000,
): Ranked[] {
  return rows
    .map((row) => ({ id: row.id, distance: difference(query, row) }))
    .sort((x, y) => x.distance - y.distance || (x.id < y.id ? -1 : 1))
    .slice(0, k);
}

type Random = () => number;
const around = (random: Random, centre: CieLab, size: number): CieLab => ({
  L: Math.min(100, Math.max(0, centre.L + (random() - 0.5) * size)),
  a: centre.a + (random() - 0.5) * size,
  b: centre.b + (random() - 0.5) * size,
});

const SETS: Record<
  string,
  { count: number; draw: (random: Random, index: number) => CieLab; query: (random: Random) => CieLab }
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

describe('nearest colours', () => {
  it.each(Object.keys(SETS))('are exactly what ranking the whole table gives: %s', async (name) => {
    const colours = table(name, 11);
    const random = randomNumbers(12);
    for (let i = 0; i < samples(20); i++) {
      const query = SETS[name]!.query(random);
      const expected = bruteForce(colours.colors, query, 20);
      const straight = bruteForce(colours.colors, query, 20, euclideanDifference);
      for (const k of [1, 5, 20]) {
        expect(await new NearestColors(colours).byCiede2000(query, k)).toEqual(expected.slice(0, k));
        expect(await new NearestColors(colours).byEuclidean(query, k)).toEqual(straight.slice(0, k));
      }
    }
  });

  it('of any number, up to all of them', async () => {
    const colours = new Table(table('blue', 61).colors.slice(0, 400));
    for (const k of [100, 399, 400, 500]) {
      const query = { L: 40, a: 10, b: -50 };
      expect(await new NearestColors(colours).byCiede2000(query, k)).toEqual(
        bruteForce(colours.colors, query, k),
      );
    }
  });

  it('mostly need two statements and a small part of the table', async () => {
    const colours = table('spread over the whole space', 21);
    const random = randomNumbers(22);
    const queries = samples(40);
    for (let i = 0; i < queries; i++) {
      await new NearestColors(colours).byCiede2000(SETS['spread over the whole space']!.query(random), 5);
    }
    expect(colours.asked.around).toBe(queries);
    expect(colours.statements).toBeLessThan(queries * 3);
    expect(colours.rowsRead).toBeLessThan((queries * colours.colors.length) / 10);
  });

  // With coarse cells read whole, or a level told by the curve's leaps, it would be twice as many and more.
  it.each([
    ['spread over the whole space', 200],
    ['neutral', 170],
  ])('read few colours of a table of some thousand: %s', async (name, most) => {
    const colours = table(name, 71);
    const random = randomNumbers(72);
    // A mean of fewer, as under mutation testing, may be above it.
    const queries = 40;
    for (let i = 0; i < queries; i++)
      await new NearestColors(colours).byCiede2000(SETS[name]!.query(random), 5);
    expect(colours.rowsRead / queries).toBeLessThan(most);
    expect(colours.asked.inRanges / queries).toBeLessThan(1.3);
  });

  it('stay exact when the table changes between searches', async () => {
    const query = { L: 40, a: 10, b: -50 };
    const all = table('blue', 91).colors;
    const crowd = Array.from({ length: 3000 }, (_, n) => ({
      id: id(2_000_000 + n),
      L: 40 + (n % 15) / 10,
      a: 10 + (Math.floor(n / 15) % 15) / 10,
      b: -50 + Math.floor(n / 225) / 10,
    }));
    const colours = new Table(all);
    const nearest = new NearestColors(colours);
    const states = [all, all.slice(0, 40), [...all, ...crowd], all, all.slice(0, 3), [], all];
    for (const rows of states) {
      colours.replace(rows);
      for (let i = 0; i < 3; i++) {
        colours.forget();
        expect(await nearest.byCiede2000(query, 5)).toEqual(bruteForce(rows, query, 5));
      }
    }
  });

  it('are found again where all had gone', async () => {
    const query = { L: 40, a: 10, b: -50 };
    const all = table('blue', 91).colors;
    let goes = true;
    const colours = new (class extends Table {
      override async inRanges(...parameters: Parameters<Table['inRanges']>): Promise<RangeContent[]> {
        if (goes) this.replace([]);
        return super.inRanges(...parameters);
      }
    })(all);
    const nearest = new NearestColors(colours);
    // They go between the statements of the first search.
    for (let i = 0; i < 3; i++) expect(await nearest.byCiede2000(query, 5)).toEqual([]);
    goes = false;
    colours.replace(all);
    for (let i = 0; i < 3; i++)
      expect(await nearest.byCiede2000(query, 5)).toEqual(bruteForce(all, query, 5));
  });

  it('ask a crowded smallest cell for all it has only where that can count', async () => {
    const random = randomNumbers(98);
    const inCrowd = () => around(random, { L: 56, a: 8, b: 8 }, 1.5);
    const colours = new Table(Array.from({ length: 20_000 }, (_, n) => ({ id: id(n), ...inCrowd() })));
    const queries = 20;
    for (let i = 0; i < queries; i++) await new NearestColors(colours).byCiede2000(inCrowd(), 5);
    expect(colours.asked.inSmallestCell / queries).toBeLessThan(6);
  });

  it('a fixed Euclidean filter would not have been enough for these sets', async () => {
    const colours = table('blue', 31);
    const random = randomNumbers(32);
    let lost = 0;
    for (let i = 0; i < 10; i++) {
      const query = SETS['blue']!.query(random);
      const near = new Set(
        (await new NearestColors(colours).byEuclidean(query, 20)).map((entry) => entry.id),
      );
      const filtered = rankByCiede2000(
        colours.colors.filter((row) => near.has(row.id)),
        query,
        20,
      );
      if (JSON.stringify(filtered) !== JSON.stringify(bruteForce(colours.colors, query, 20))) lost++;
    }
    expect(lost).toBeGreaterThan(4);
  });

  it('read only as many of 10 000 equal colours as can be in the answer', async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => ({ id: id(10_000 - i), L: 50, a: 10, b: 10 }));
    const better = { id: id(20_000), L: 50, a: 10.2, b: 12.1 };
    const colours = new Table([...rows, better]);
    const query = { L: 50, a: 8.6, b: 10.9 };
    const answer = await new NearestColors(colours).byCiede2000(query, 5);
    expect(answer).toEqual(bruteForce(colours.colors, query, 5));
    expect(answer.filter((entry) => entry.id !== better.id).map((entry) => entry.id)).toEqual(
      [1, 2, 3, 4, 5].map(id).slice(0, answer.some((entry) => entry.id === better.id) ? 4 : 5),
    );
    expect(colours.rowsRead).toBeLessThan(1000);
  });

  it('stay exact for what is left when colours are deleted between the statements', async () => {
    class Vanishing extends Table {
      override async inRanges(...parameters: Parameters<Table['inRanges']>): Promise<RangeContent[]> {
        if (this.asked.inRanges === 0) {
          // The best colours of the first statement go before the second one.
          const gone = new Set(bruteForce(this.rows, query, 60).map((row) => row.id));
          this.rows = this.rows.filter((row) => !gone.has(row.id));
        }
        return super.inRanges(...parameters);
      }
    }
    const query = { L: 35, a: 20, b: -60 };
    const colours = new Vanishing([...table('blue', 51).colors]);
    const answer = await new NearestColors(colours).byCiede2000(query, 20);
    expect(colours.asked.inRanges).toBeGreaterThan(1);
    expect(answer).toEqual(bruteForce(colours.colors, query, 20));
  });

  it('look again, farther away, when all that was near is gone', async () => {
    class Vanishing extends Table {
      override async inRanges(...parameters: Parameters<Table['inRanges']>): Promise<RangeContent[]> {
        this.rows = this.rows.filter(({ a }) => a > 1);
        return super.inRanges(...parameters);
      }
    }
    const near = Array.from({ length: 40 }, (_, n) => ({ id: id(n), L: 50 + n / 1000, a: 0, b: 0 }));
    const far = [31, 30, 32].map((a, n) => ({ id: id(100 + n), L: 50, a, b: 0 }));
    const colours = new Vanishing([...near, ...far]);
    const query = { L: 50, a: 0, b: 0 };
    expect(await new NearestColors(colours).byCiede2000(query, 2)).toEqual(bruteForce(far, query, 2));
  });

  it('look again where what is left is farther away than what lies beside the cells that were read', async () => {
    class Vanishing extends Table {
      override async inRanges(...parameters: Parameters<Table['inRanges']>): Promise<RangeContent[]> {
        this.rows = this.rows.filter((row) => row.id !== best.id);
        return super.inRanges(...parameters);
      }
    }
    // In the middle of a cell whose side is 1: only that one can hold a colour within 0.1.
    const query = { L: 50.5, a: 0.5, b: 0.5 };
    const best = { id: id(1), L: 50.6, a: 0.5, b: 0.5 };
    const beside = { id: id(2), L: 51.05, a: 0.5, b: 0.5 };
    const signs = [-1, 1];
    const corners = signs.flatMap((x) => signs.flatMap((y) => signs.map((z) => [x, y, z] as const)));
    const farther = [0.42, 0.43, 0.44, 0.45].flatMap((out, ring) =>
      corners.map(([x, y, z], corner) => ({
        id: id(100 + ring * 8 + corner),
        L: query.L + x * out,
        a: query.a + y * out,
        b: query.b + z * out,
      })),
    );
    const colours = new Vanishing([best, beside, ...farther]);
    const [nearest] = await new NearestColors(colours).byEuclidean(query, 1);
    expect(nearest!.id).toBe(beside.id);
  });

  it('name a colour once that is changed between the statements', async () => {
    class Moving extends Table {
      override async inRanges(...parameters: Parameters<Table['inRanges']>): Promise<RangeContent[]> {
        const contents = await super.inRanges(...parameters);
        // All of them move by a little, as an import may do to any colour: the next statement finds them
        // elsewhere.
        this.rows = this.rows.map((row) => ({ ...row, a: row.a + 0.001 }));
        return contents;
      }
    }
    const colours = new Moving([
      ...Array.from({ length: 3000 }, (_, n) => ({
        id: id(n),
        L: 50,
        a: 10 + (n % 100) / 1000,
        b: 10 + n / 10_000,
      })),
    ]);
    const answer = await new NearestColors(colours).byCiede2000({ L: 50, a: 10.02, b: 10 }, 20);
    expect(colours.asked.inRanges + colours.asked.inSmallestCell).toBeGreaterThan(1);
    expect(new Set(answer.map((entry) => entry.id)).size).toBe(20);
  });
});
