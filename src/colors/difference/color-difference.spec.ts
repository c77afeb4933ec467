import { samples } from '../../../test/support/random-numbers';
import { ciede2000, type CieLab, euclideanDifference } from './color-difference';

/**
 * L1, a1, b1, L2, a2, b2, ΔE00: table 1 of G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 color-difference
 * formula: implementation notes, supplementary test data, and mathematical observations", Color Research &
 * Application 30(1), 2005.
 */
const PUBLISHED: [number, number, number, number, number, number, number][] = [
  [50.0, 2.6772, -79.7751, 50.0, 0.0, -82.7485, 2.0425],
  [50.0, 3.1571, -77.2803, 50.0, 0.0, -82.7485, 2.8615],
  [50.0, 2.8361, -74.02, 50.0, 0.0, -82.7485, 3.4412],
  [50.0, -1.3802, -84.2814, 50.0, 0.0, -82.7485, 1.0],
  [50.0, -1.1848, -84.8006, 50.0, 0.0, -82.7485, 1.0],
  [50.0, -0.9009, -85.5211, 50.0, 0.0, -82.7485, 1.0],
  [50.0, 0.0, 0.0, 50.0, -1.0, 2.0, 2.3669],
  [50.0, -1.0, 2.0, 50.0, 0.0, 0.0, 2.3669],
  [50.0, 2.49, -0.001, 50.0, -2.49, 0.0009, 7.1792],
  [50.0, 2.49, -0.001, 50.0, -2.49, 0.001, 7.1792],
  [50.0, 2.49, -0.001, 50.0, -2.49, 0.0011, 7.2195],
  [50.0, 2.49, -0.001, 50.0, -2.49, 0.0012, 7.2195],
  [50.0, -0.001, 2.49, 50.0, 0.0009, -2.49, 4.8045],
  [50.0, -0.001, 2.49, 50.0, 0.001, -2.49, 4.8045],
  [50.0, -0.001, 2.49, 50.0, 0.0011, -2.49, 4.7461],
  [50.0, 2.5, 0.0, 50.0, 0.0, -2.5, 4.3065],
  [50.0, 2.5, 0.0, 73.0, 25.0, -18.0, 27.1492],
  [50.0, 2.5, 0.0, 61.0, -5.0, 29.0, 22.8977],
  [50.0, 2.5, 0.0, 56.0, -27.0, -3.0, 31.903],
  [50.0, 2.5, 0.0, 58.0, 24.0, 15.0, 19.4535],
  [50.0, 2.5, 0.0, 50.0, 3.1736, 0.5854, 1.0],
  [50.0, 2.5, 0.0, 50.0, 3.2972, 0.0, 1.0],
  [50.0, 2.5, 0.0, 50.0, 1.8634, 0.5757, 1.0],
  [50.0, 2.5, 0.0, 50.0, 3.2592, 0.335, 1.0],
  [60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644],
  [63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.263],
  [61.2901, 3.7196, -5.3901, 61.4292, 2.248, -4.962, 1.8731],
  [35.0831, -44.1164, 3.7933, 35.0232, -40.0716, 1.5901, 1.8645],
  [22.7233, 20.0904, -46.694, 23.0331, 14.973, -42.5619, 2.0373],
  [36.4612, 47.858, 18.3852, 36.2715, 50.5065, 21.2231, 1.4146],
  [90.8027, -2.0831, 1.441, 91.1528, -1.6435, 0.0447, 1.4441],
  [90.9257, -0.5406, -0.9208, 88.6381, -0.8985, -0.7239, 1.5381],
  [6.7747, -0.2908, -2.4247, 5.8714, -0.0985, -2.2286, 0.6377],
  [2.0776, 0.0795, -1.135, 0.9033, -0.0636, -0.5514, 0.9082],
];

const lab = (L: number, a: number, b: number): CieLab => ({ L, a, b });

describe('ciede2000', () => {
  it('has the whole published table', () => {
    expect(PUBLISHED).toHaveLength(34);
  });

  it.each(PUBLISHED)(
    '(%d, %d, %d) and (%d, %d, %d) differ by %d, both ways',
    (L1, a1, b1, L2, a2, b2, expected) => {
      expect(ciede2000(lab(L1, a1, b1), lab(L2, a2, b2)).toFixed(4)).toBe(expected.toFixed(4));
      expect(ciede2000(lab(L2, a2, b2), lab(L1, a1, b1)).toFixed(4)).toBe(expected.toFixed(4));
    },
  );

  it('is symmetric, finite and zero only for equal colours', () => {
    const values = [-128, -25.5, -1e-9, 0, 1e-9, 3, 60, 127];
    const colours = [0, 1e-9, 18.4, 50, 99.9, 100].flatMap((L) =>
      values.flatMap((a) => values.map((b) => lab(L, a, b))),
    );
    const step = Math.round(colours.length / samples(colours.length));
    const others = colours.filter((_, at) => at % step === 0);
    for (const x of colours) {
      expect(ciede2000(x, x)).toBe(0);
      for (const y of others) {
        const difference = ciede2000(x, y);
        if (!Number.isFinite(difference) || difference < 0 || (difference === 0) !== (x === y))
          throw new Error(`${JSON.stringify([x, y])}: ${difference}`);
        if (Math.abs(difference - ciede2000(y, x)) > 1e-12)
          throw new Error(`not symmetric: ${JSON.stringify([x, y])}`);
      }
    }
  });

  it('is |ΔL|/S_L for achromatic pairs', () => {
    for (const [L1, L2] of [
      [0, 100],
      [0, 0.5],
      [49, 51],
      [12.3, 77],
      [99.5, 100],
    ] as const) {
      const square = ((L1 + L2) / 2 - 50) ** 2;
      const sl = 1 + (0.015 * square) / Math.sqrt(20 + square);
      expect(ciede2000(lab(L1, 0, 0), lab(L2, 0, 0))).toBeCloseTo(Math.abs(L1 - L2) / sl, 12);
    }
  });
});

describe('euclideanDifference', () => {
  it('is the straight distance in L, a and b', () => {
    expect(euclideanDifference(lab(50, 0, 0), lab(53, 4, 12))).toBe(13);
    expect(euclideanDifference(lab(50, 1, -1), lab(50, 1, -1))).toBe(0);
  });
});
