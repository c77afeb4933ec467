import { type Random, randomNumbers, samples } from '../../../test/support/random-numbers';
import { type BoundTerms, CIEDE2000_TERMS } from './ciede2000-bound';
import {
  ciede2000,
  type CieLab,
  type CieLabBox,
  euclideanDifference,
  leastEuclidean,
} from './color-difference';
import { leastCiede2000 } from './least-ciede2000';

const spread = (random: Random, size: number) => (random() - 0.5) * 2 * size;

function boxOf(corner: CieLab, sides: [number, number, number]): CieLabBox {
  return {
    L: [corner.L, corner.L + sides[0]],
    a: [corner.a, corner.a + sides[1]],
    b: [corner.b, corner.b + sides[2]],
  };
}

/**
 * Ways to draw a query and a box, each aimed at a part of the space where the least difference could be put
 * too high.
 */
const KINDS: Record<string, (random: Random) => [CieLab, CieLabBox]> = {
  uniform: (random) => [anyColour(random), boxOf(anyColour(random), sides(random))],
  'near the query': (random) => {
    const query = anyColour(random);
    const corner = {
      L: query.L + spread(random, 10),
      a: query.a + spread(random, 10),
      b: query.b + spread(random, 10),
    };
    return [query, boxOf(corner, sides(random))];
  },
  'around neutral': (random) => [
    { L: random() * 100, a: spread(random, 4), b: spread(random, 4) },
    boxOf({ L: random() * 100, a: spread(random, 4), b: spread(random, 4) }, sides(random)),
  ],
  'blue (mean hue around 275°)': (random) => {
    const blue = () => {
      const hue = ((275 + spread(random, 50)) * Math.PI) / 180;
      const chroma = 10 + random() * 120;
      return { L: random() * 100, a: chroma * Math.cos(hue), b: chroma * Math.sin(hue) };
    };
    return [blue(), boxOf(blue(), sides(random))];
  },
  'opposite hues': (random) => {
    const query = anyColour(random);
    const corner = { L: query.L, a: -query.a * random() * 2, b: -query.b * random() * 2 };
    return [query, boxOf(corner, sides(random))];
  },
  'one hue': (random) => {
    const query = anyColour(random);
    const factor = random() * 2;
    return [query, boxOf({ L: query.L, a: query.a * factor, b: query.b * factor }, sides(random))];
  },
  'on the axes': (random) => {
    const axis = (): CieLab =>
      random() < 0.5 ? { L: 50, a: spread(random, 80), b: 0 } : { L: 50, a: 0, b: spread(random, 80) };
    return [axis(), boxOf(axis(), sides(random))];
  },
  'far out of every gamut': (random) => [
    { L: random() * 100, a: spread(random, 10_000), b: spread(random, 10_000) },
    boxOf(anyColour(random), sides(random)),
  ],
};

const anyColour = (random: Random): CieLab => ({
  L: random() * 100,
  a: spread(random, 128),
  b: spread(random, 128),
});
const sides = (random: Random): [number, number, number] => {
  const size = 10 ** (random() * 4 - 2);
  return [size * random(), size * random(), size * (random() < 0.1 ? 0 : random())];
};

const between = ([low, high]: readonly [number, number], share: number) => low + (high - low) * share;
const inside = (random: Random, box: CieLabBox): CieLab => {
  const share = () => (random() < 0.3 ? Math.round(random()) : random());
  return { L: between(box.L, share()), a: between(box.a, share()), b: between(box.b, share()) };
};

/**
 * How much nearer a colour of the box comes than the least difference allows: at most rounding, if that
 * holds.
 */
function excess(query: CieLab, box: CieLabBox, other: CieLab, terms: BoundTerms): number {
  return leastCiede2000(query, box, terms) - ciede2000(query, other);
}

function largestExcess(kind: string, count: number, terms: BoundTerms, seed: number): number {
  const random = randomNumbers(seed);
  let largest = -Infinity;
  for (let i = 0; i < count; i++) {
    const [query, box] = KINDS[kind]!(random);
    for (let j = 0; j < 4; j++) largest = Math.max(largest, excess(query, box, inside(random, box), terms));
  }
  return largest;
}

/** Walks inside the box to the colour nearest to the query by CIEDE2000, as well as one can. */
function climb(random: Random, query: CieLab, box: CieLabBox): CieLab {
  const starts = Array.from({ length: 8 }, () => inside(random, box));
  let [best] = starts.sort((x, y) => ciede2000(query, x) - ciede2000(query, y)) as [CieLab];
  let size = 0.5;
  for (let step = 0; step < 120; step++) {
    const move = (limits: readonly [number, number], value: number) =>
      Math.min(limits[1], Math.max(limits[0], value + spread(random, size) * (limits[1] - limits[0])));
    const next = { L: move(box.L, best.L), a: move(box.a, best.a), b: move(box.b, best.b) };
    if (ciede2000(query, next) < ciede2000(query, best)) best = next;
    else size = Math.max(1e-4, size * 0.93);
  }
  return best;
}

const LIMIT = 1e-9;

/**
 * The property: no colour of a box is nearer than the least difference. True when it holds for every kind of
 * box.
 */
function holds(terms: BoundTerms): boolean {
  const random = randomNumbers(7);
  return (
    Object.keys(KINDS).every(
      (kind, index) => largestExcess(kind, samples(3000), terms, index + 1) <= LIMIT,
    ) &&
    Array.from({ length: samples(400) }, (_, i) => {
      const kinds = Object.values(KINDS);
      const [query, box] = kinds[i % kinds.length]!(random);
      return excess(query, box, climb(random, query, box), terms);
    }).every((value) => value <= LIMIT)
  );
}

describe('leastCiede2000', () => {
  it.each(Object.keys(KINDS))('no colour of a box is nearer: %s', (kind) => {
    expect(largestExcess(kind, samples(10_000), CIEDE2000_TERMS, 20050101)).toBeLessThanOrEqual(LIMIT);
  });

  it('no colour of a box is nearer: hill-climbed', () => {
    expect(holds(CIEDE2000_TERMS)).toBe(true);
  });

  it.each([
    [2330.4166666666674, -2326.083333333333, -6991.25, 6978.25],
    [-2170.833333333333, 1588.500000000001, 6512.5, -4765.5],
  ])(
    'no colour of a box is nearer: opposite hues but for rounding, where the mean hue jumps',
    (a, b, otherA, otherB) => {
      const query = { L: 0, a, b };
      const other = { L: 0, a: otherA, b: otherB };
      expect(leastCiede2000(query, boxOf(other, [0.25, 0.25, 0.25]))).toBeLessThanOrEqual(
        ciede2000(query, other),
      );
    },
  );

  it('that property can fail: it does with ρ = 0, and with T ≤ 0.7', () => {
    expect(holds({ ...CIEDE2000_TERMS, rotation: () => 0 })).toBe(false);
    expect(holds({ ...CIEDE2000_TERMS, hueWeight: () => 0.7 })).toBe(false);
  });

  it('is the difference itself for a single colour, but for the rotation term and bins of T', () => {
    const random = randomNumbers(5);
    for (let i = 0; i < samples(5000); i++) {
      const [query, other] = [anyColour(random), anyColour(random)];
      const box = boxOf(other, [0, 0, 0]);
      const [least, real] = [leastCiede2000(query, box), ciede2000(query, other)];
      expect(least).toBeLessThanOrEqual(real + LIMIT);
      // Away from blue nothing is given away but the width of a bin.
      if (query.b > 0 && other.b > 0) expect(least).toBeGreaterThan(real * 0.97);
    }
  });

  it('comes close to the nearest colour of a small box', () => {
    const random = randomNumbers(6);
    const boxes = samples(500);
    let close = 0;
    for (let i = 0; i < boxes; i++) {
      const query = anyColour(random);
      const box = boxOf(anyColour(random), [2, 2, 2]);
      if (leastCiede2000(query, box) > 0.9 * ciede2000(query, climb(random, query, box))) close++;
    }
    expect(close).toBeGreaterThan(0.8 * boxes);
  });

  it('is 0 for a box around the query', () => {
    const random = randomNumbers(8);
    for (let i = 0; i < samples(1000); i++) {
      const query = anyColour(random);
      const box = boxOf({ L: query.L - 1, a: query.a - random() * 5, b: query.b - random() * 5 }, [2, 5, 5]);
      expect(leastCiede2000(query, box)).toBe(0);
    }
  });
});

describe('leastEuclidean', () => {
  it('is the distance to the nearest colour of the box', () => {
    const random = randomNumbers(9);
    for (let i = 0; i < samples(2000); i++) {
      const [query, box] = [anyColour(random), boxOf(anyColour(random), sides(random))];
      const nearest = (value: number, [low, high]: readonly [number, number]) =>
        Math.min(high, Math.max(low, value));
      const other = { L: nearest(query.L, box.L), a: nearest(query.a, box.a), b: nearest(query.b, box.b) };
      expect(leastEuclidean(query, box)).toBeCloseTo(euclideanDifference(query, other), 9);
      expect(leastEuclidean(query, box)).toBeLessThanOrEqual(
        euclideanDifference(query, inside(random, box)) + LIMIT,
      );
    }
  });
});
