import { type Random, randomNumbers, samples } from '../../../test/support/random-numbers';
import { ciede2000, euclideanDifference } from './color-difference';
import { type Lab } from './lab';
import { ciede2000Metric, EUCLIDEAN_METRIC, type LabMetric } from './local-metric';

const valueOf = (metric: LabMetric, x: Lab, y: Lab): number => {
  const [L, a, b] = [y.L - x.L, y.a - x.a, y.b - x.b];
  return metric.L * L * L + metric.aa * a * a + 2 * metric.ab * a * b + metric.bb * b * b;
};
const draw = (random: Random, centre: Lab, size: number): Lab => ({
  L: Math.min(100, Math.max(0, centre.L + (random() - 0.5) * size)),
  a: centre.a + (random() - 0.5) * size,
  b: centre.b + (random() - 0.5) * size,
});

describe('a metric', () => {
  it('of Euclidean differences is their square', () => {
    const random = randomNumbers(1);
    for (let i = 0; i < samples(200); i++) {
      const [x, y] = [draw(random, { L: 50, a: 0, b: 0 }, 100), draw(random, { L: 50, a: 0, b: 0 }, 100)];
      expect(Math.sqrt(valueOf(EUCLIDEAN_METRIC, x, y))).toBeCloseTo(euclideanDifference(x, y), 9);
    }
  });

  // Far from blue, where the formula's rotation is nothing; G alone makes up to a half of it in grey.
  it.each([
    ['yellow', { L: 80, a: 0, b: 70 }],
    ['red', { L: 45, a: 60, b: 30 }],
    ['green', { L: 30, a: -50, b: 20 }],
    ['grey', { L: 90, a: 0, b: 0 }],
  ])('of CIEDE2000 is about its square in %s', (_, centre) => {
    const random = randomNumbers(2);
    const shares: number[] = [];
    for (let i = 0; i < 400; i++) {
      const query = draw(random, centre, 4);
      const other = draw(random, query, 2);
      shares.push(ciede2000(query, other) / Math.sqrt(valueOf(ciede2000Metric(query), query, other)));
    }
    expect(Math.min(...shares)).toBeGreaterThan(0.7);
    expect(Math.max(...shares)).toBeLessThan(1.55);
  });

  it.each([
    ['ΔL', { L: 3, a: 0, b: 0 }],
    ['ΔC', { L: 0, a: 3 * Math.SQRT1_2, b: 3 * Math.SQRT1_2 }],
    ['ΔH', { L: 0, a: -3 * Math.SQRT1_2, b: 3 * Math.SQRT1_2 }],
  ])('of CIEDE2000 weighs %s as the formula does', (_, difference) => {
    const query = { L: 20, a: 30, b: 30 };
    const other = { L: 20 + difference.L, a: 30 + difference.a, b: 30 + difference.b };
    const share = ciede2000(query, other) / Math.sqrt(valueOf(ciede2000Metric(query), query, other));
    expect(share).toBeGreaterThan(0.85);
    expect(share).toBeLessThan(1.25);
  });
});
