import { escapeFormula, unescapeFormula } from './formula-escape';

describe('escapeFormula', () => {
  it.each(['=1+1', '+1', '-1', '@sum', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠1', "'=1", "''@"])(
    'escapes %p',
    (cell) => {
      expect(escapeFormula(cell)).toBe(`'${cell}`);
    },
  );

  it.each(['', 'Glycerin', '1-Hexanol', "'plain", "O'Brien", ' =1', "don't =x"])(
    'leaves %p as it is',
    (cell) => {
      expect(escapeFormula(cell)).toBe(cell);
      expect(unescapeFormula(cell)).toBe(cell);
    },
  );

  it('is taken back exactly', () => {
    const pieces = ["'", '=', '-', 'x', ' ', '\t', '＠'];
    for (const a of pieces) {
      for (const b of pieces) {
        for (const c of pieces) expect(unescapeFormula(escapeFormula(a + b + c))).toBe(a + b + c);
      }
    }
  });
});
