import { type Random, randomNumbers, samples } from '../../../test/support/random-numbers';
import { type BoundTerms, CIEDE2000_TERMS, ciede2000Bound } from './ciede2000-bound';
import { ciede2000, type CieLab } from './color-difference';

const clampL = (L: number) => Math.min(100, Math.max(0, L));

/**
 * By how much the pair leaves the bound for its own difference: at most 1 (and some rounding) for a bound
 * that holds; NaN where there is no bound.
 */
function usedShare(query: CieLab, other: CieLab, terms: BoundTerms): number {
  const bound = ciede2000Bound(query, ciede2000(query, other), terms);
  if (!bound) return NaN;
  const share = (value: number, limit: number) => (value <= 1e-9 ? 0 : value / limit);
  const deltaL = other.L - query.L;
  const chromatic = Math.hypot(other.a - query.a, other.b - query.b);
  return Math.max(
    share(deltaL > 0 ? deltaL : -deltaL, deltaL > 0 ? bound.up : bound.down),
    share(chromatic, bound.chromatic),
  );
}

const spread = (random: Random, size: number) => (random() - 0.5) * 2 * size;
const anyColour = (random: Random): CieLab => ({
  L: random() * 100,
  a: spread(random, 128),
  b: spread(random, 128),
});
const near = (random: Random, to: CieLab, size: number): CieLab => ({
  L: clampL(to.L + spread(random, size)),
  a: to.a + spread(random, size),
  b: to.b + spread(random, size),
});

/** Ways to draw a pair, each aimed at a part of the space where a bound could be too narrow. */
const PAIRS: Record<string, (random: Random) => [CieLab, CieLab]> = {
  uniform: (random) => [anyColour(random), anyColour(random)],
  near: (random) => {
    const query = anyColour(random);
    return [query, near(random, query, 10 ** (random() * 4 - 2))];
  },
  'single axis': (random) => {
    const query = anyColour(random);
    const size = spread(random, 40);
    const axis = Math.floor(random() * 3);
    return [
      query,
      {
        L: axis === 0 ? clampL(query.L + size) : query.L,
        a: axis === 1 ? query.a + size : query.a,
        b: axis === 2 ? query.b + size : query.b,
      },
    ];
  },
  'near-neutral': (random) => [
    { L: random() * 100, a: spread(random, 4), b: spread(random, 4) },
    { L: random() * 100, a: spread(random, 4), b: spread(random, 4) },
  ],
  'blue (mean hue around 275°)': (random) => {
    const hue = ((275 + spread(random, 40)) * Math.PI) / 180;
    const chroma = 20 + random() * 120;
    const query = { L: random() * 100, a: chroma * Math.cos(hue), b: chroma * Math.sin(hue) };
    return [query, near(random, query, 30 * random())];
  },
  'equal hue or equal chroma': (random) => {
    const query = anyColour(random);
    const turn = random() < 0.5 ? 0 : spread(random, 0.6);
    const factor = turn === 0 ? random() * 2 : 1;
    const [cos, sin] = [Math.cos(turn) * factor, Math.sin(turn) * factor];
    return [query, { L: query.L, a: query.a * cos - query.b * sin, b: query.a * sin + query.b * cos }];
  },
};

/** The largest share over `count` random pairs of a kind, and how many of them had a bound at all. */
function largestShare(
  kind: string,
  count: number,
  terms: BoundTerms,
  seed: number,
): { share: number; bounded: number } {
  const random = randomNumbers(seed);
  let largest = 0;
  let bounded = 0;
  for (let i = 0; i < count; i++) {
    const [query, other] = PAIRS[kind]!(random);
    const share = usedShare(query, other, terms);
    if (Number.isNaN(share)) continue;
    bounded++;
    if (share > largest) largest = share;
  }
  return { share: largest, bounded };
}

/** Walks uphill from a random pair: moves the second colour wherever it uses more of its bound. */
function climb(random: Random, terms: BoundTerms): number {
  const kinds = Object.values(PAIRS);
  const [query, start] = kinds[Math.floor(random() * kinds.length)]!(random);
  let other = start;
  let share = usedShare(query, other, terms);
  if (Number.isNaN(share)) return 0;
  for (let step = 0, size = 4; step < 150; step++) {
    const next = near(random, other, size);
    const nextShare = usedShare(query, next, terms);
    if (nextShare > share) {
      other = next;
      share = nextShare;
    } else size = Math.max(1e-3, size * 0.95);
  }
  return share;
}

const LIMIT = 1 + 1e-9;
const PER_KIND = samples(10_000);

/**
 * The property: no pair leaves its bound. True when it holds for every kind of pair and for the climbed ones.
 */
function holds(terms: BoundTerms, perKind = 4000, climbs = 100): boolean {
  const random = randomNumbers(7);
  return (
    Object.keys(PAIRS).every((kind, index) => largestShare(kind, perKind, terms, index + 1).share <= LIMIT) &&
    Array.from({ length: climbs }, () => climb(random, terms)).every((share) => share <= LIMIT)
  );
}

describe('ciede2000Bound', () => {
  it.each(Object.keys(PAIRS))('no pair leaves its bound: %s', (kind) => {
    const { share, bounded } = largestShare(kind, PER_KIND, CIEDE2000_TERMS, 20050101);
    expect(share).toBeLessThanOrEqual(LIMIT);
    expect(bounded).toBeGreaterThan(PER_KIND / 20);
  });

  it('no pair leaves its bound: hill-climbed, and the climb comes close to it', () => {
    const random = randomNumbers(1998);
    const largest = Math.max(...Array.from({ length: samples(200) }, () => climb(random, CIEDE2000_TERMS)));
    expect(largest).toBeLessThanOrEqual(LIMIT);
    expect(largest).toBeGreaterThan(0.9999);
  });

  it('that property can fail: it does with ρ = 0', () => {
    expect(holds(CIEDE2000_TERMS, samples(4000), samples(100))).toBe(true);
    expect(holds({ ...CIEDE2000_TERMS, rotation: () => 0 })).toBe(false);
  });

  it('that property can fail: it does with T ≤ 1', () => {
    expect(holds({ ...CIEDE2000_TERMS, hueWeight: () => 1 })).toBe(false);
  });

  it('bounds T from above on every interval, and not by much', () => {
    const T = (h: number) =>
      1 -
      0.17 * Math.cos(h - Math.PI / 6) +
      0.24 * Math.cos(2 * h) +
      0.32 * Math.cos(3 * h + Math.PI / 30) -
      0.2 * Math.cos(4 * h - (63 * Math.PI) / 180);
    const random = randomNumbers(42);
    for (let i = 0; i < samples(2000); i++) {
      const from = spread(random, 4);
      const to = from + random() * 3;
      let sampled = 0;
      for (let step = 0; step <= 200; step++)
        sampled = Math.max(sampled, T(from + ((to - from) * step) / 200));
      const bound = CIEDE2000_TERMS.hueWeight(from, to);
      expect(bound).toBeGreaterThanOrEqual(sampled);
      expect(bound).toBeLessThan(sampled + 0.06);
    }
    expect(CIEDE2000_TERMS.hueWeight(0, 2 * Math.PI)).toBeGreaterThan(1.57);
    expect(CIEDE2000_TERMS.hueWeight(0, 2 * Math.PI)).toBeLessThan(1.5935);
  });

  it('is the query itself for t = 0, and stays inside 0 ≤ L ≤ 100', () => {
    const exact = ciede2000Bound({ L: 40, a: 10, b: -20 }, 0)!;
    expect(exact.chromatic).toBe(0);
    expect(Math.max(exact.up, exact.down)).toBeLessThan(1e-12);
    const wide = ciede2000Bound({ L: 97, a: 0, b: 0 }, 5)!;
    expect(wide.up).toBe(3);
    expect(wide.down).toBeGreaterThan(5);
  });

  it('grows with t, and gives up instead of guessing when t allows any colour', () => {
    const query = { L: 50, a: 20, b: -60 };
    let last = 0;
    for (const t of [0.1, 0.5, 1, 2, 5, 10, 15, 20]) {
      const { chromatic } = ciede2000Bound(query, t)!;
      expect(chromatic).toBeGreaterThan(last);
      last = chromatic;
    }
    expect(ciede2000Bound(query, 30)).toBeNull();
    expect(ciede2000Bound(query, Infinity)).toBeNull();
  });
});
