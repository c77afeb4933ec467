import { toHundredths, total } from './explore-rules';

describe('shares of a composition', () => {
  it('are added up, and rounded to two decimals', () => {
    expect(total([])).toBe(0);
    expect(toHundredths(total([0.1, 0.2]))).toBe(0.3);
    expect([0.004, 0.005, 12.346].map(toHundredths)).toEqual([0, 0.01, 12.35]);
  });
});
