import { nameKey, roundShare, total } from './composition';

describe('names of a composition', () => {
  it('are compared without regard to width, case and spaces', () => {
    expect(nameKey(' Ａqua \t  DEST. ')).toBe('aqua dest.');
    expect(nameKey('甘油')).not.toBe(nameKey('甘 油'));
  });
});

describe('shares of a composition', () => {
  it('are added up, and rounded to two decimals', () => {
    expect(total([])).toBe(0);
    expect(roundShare(total([0.1, 0.2]))).toBe(0.3);
    expect([0.004, 0.005, 12.346].map(roundShare)).toEqual([0, 0.01, 12.35]);
  });
});
