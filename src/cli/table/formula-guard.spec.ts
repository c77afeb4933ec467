import { guardFormula, unguardFormula } from './formula-guard';

describe('guardFormula', () => {
  it.each(['=1+1', '+1', '-1', '@sum', '\t=1', '\r=1', '＝1', '－1', "'=1", "''@"])('guards %p', (cell) => {
    expect(guardFormula(cell)).toBe(`'${cell}`);
  });

  it.each(['', 'Glycerin', '1-Hexanol', "'plain", "O'Brien", ' =1', "don't =x"])(
    'leaves %p as it is',
    (cell) => {
      expect(guardFormula(cell)).toBe(cell);
      expect(unguardFormula(cell)).toBe(cell);
    },
  );

  it('is taken back exactly', () => {
    const pieces = ["'", '=', '-', 'x', ' ', '\t', '＠'];
    for (const a of pieces) {
      for (const b of pieces) {
        for (const c of pieces) expect(unguardFormula(guardFormula(a + b + c))).toBe(a + b + c);
      }
    }
  });
});
