import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { converter } = require('culori');
const toLab = converter('lab65');

/** The owner of all colours. */
export const USER = { id: '00000000-0000-4000-8000-0000000000aa', username: 'bench-colour' };

/** Deterministic uniform numbers in [0, 1) (mulberry32): every run has the same colours and queries. */
export function randomNumbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A colour that a surface can have: uniform in sRGB, as CIELAB with two decimals, as instruments give it. */
function surfaceColour(random) {
  const { l, a, b } = toLab({ mode: 'rgb', r: random(), g: random(), b: random() });
  const twoDecimals = (value) => Math.round(value * 100) / 100;
  return { L: Math.min(100, twoDecimals(l)), a: twoDecimals(a), b: twoDecimals(b) };
}

const hex = (number, digits) => number.toString(16).padStart(digits, '0');

/** The id of the n-th colour; its order has nothing to do with n. */
export function idOf(n) {
  const mixed = (Math.imul(n + 1, 0x9e3779b1) >>> 0) ^ 0x5bd1e995;
  return `${hex(mixed >>> 0, 8)}-0000-4000-8000-${hex(n, 12)}`;
}

/** `size` colours as columns: a million objects would only cost memory. */
export function colours(size) {
  const random = randomNumbers(1);
  const L = new Float64Array(size);
  const a = new Float64Array(size);
  const b = new Float64Array(size);
  for (let n = 0; n < size; n++) {
    const colour = surfaceColour(random);
    L[n] = colour.L;
    a[n] = colour.a;
    b[n] = colour.b;
  }
  return { size, L, a, b };
}

/**
 * Measurements somebody could ask for: any surface colour, and every other time one right beside a stored
 * colour.
 */
export function queries(count, stored) {
  const random = randomNumbers(2);
  return Array.from({ length: count }, (_, i) => {
    if (i % 2 === 0) return surfaceColour(random);
    const n = Math.floor(random() * stored.size);
    return {
      L: Math.min(100, Math.max(0, stored.L[n] + random() - 0.5)),
      a: stored.a[n] + random() - 0.5,
      b: stored.b[n] + random() - 0.5,
    };
  });
}

/** Colours that mostly no surface has, far outside of what is stored. */
export function farQueries(count) {
  const random = randomNumbers(3);
  return Array.from({ length: count }, () => ({
    L: random() * 100,
    a: random() * 160 - 80,
    b: random() * 160 - 80,
  }));
}

/** Rows of about 370 bytes, as a laboratory has them. */
export function rowOf({ L, a, b }, n) {
  return {
    id: idOf(n),
    name: `色号 ${n} 哑光丝绒唇釉`,
    l: L[n],
    a: a[n],
    b: b[n],
    delta_e: (n % 200) / 100,
    composition: {
      'CI 77891': (n % 97) / 10,
      'CI 77491': (n % 53) / 10,
      'CI 77492': (n % 31) / 10,
      'CI 77499': (n % 13) / 10,
      'CI 15850': (n % 7) / 10,
      notes: 'base: isododecane / dimethicone crosspolymer; grind three passes',
    },
  };
}
