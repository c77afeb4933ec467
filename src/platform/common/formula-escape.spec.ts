import fc from 'fast-check';
import { escapeFormula, escapeFormulaOnly, unescapeFormula } from './formula-escape';

describe('escapeFormula', () => {
  it.each(['=1+1', '+1', '-1', '@sum', '\t1', '\r1', '＝1', '＋1', '－1', '＠1', "'=1", "''@"])(
    'escapes %p',
    (cell) => {
      expect(escapeFormula(cell)).toBe(`'${cell}`);
    },
  );

  it.each([
    [';=1+1', ";'=1+1"],
    ['a;=1;+2', "a;'=1;'+2"],
    ['a\t=1', "a\t'=1"],
    ['a\r@b', "a\r'@b"],
    ['list:\n- one', "list:\n'- one"],
    ['x;"=1', `x;'"=1`],
    ["x;'=1", "x;''=1"],
    ['\t=1', "'\t'=1"],
    ['=1;=2', "'=1;'=2"],
    ['#REF!', "'#REF!"],
    ['2024-03-06', "'2024-03-06"],
    ["'6-Mar", "''6-Mar"],
  ])(
    'escapes what follows a separator of another program, and what an import refuses: %j',
    (cell, escaped) => {
      expect(escapeFormula(cell)).toBe(escaped);
      expect(unescapeFormula(escaped)).toBe(cell);
    },
  );

  it.each([
    'a; b',
    'a;b=c',
    '50-00-0',
    '5989-27-5',
    '',
    'Glycerin',
    '1-Hexanol',
    "'plain",
    "O'Brien",
    ' =1',
    "don't =x",
  ])('leaves %p as it is', (cell) => {
    expect(escapeFormula(cell)).toBe(cell);
    expect(unescapeFormula(cell)).toBe(cell);
  });

  it.each(['2026-11-28', '6-Mar', '#N/A', '5989-27-5'])('leaves %p in a file to read', (cell) => {
    expect(escapeFormulaOnly(cell)).toBe(cell);
    expect(escapeFormulaOnly(`=${cell}`)).toBe(`'=${cell}`);
  });

  it('is taken back exactly', () => {
    const piece = fc.constantFrom(...'\'=-x \t＠;\r\n"', '#REF!', '6-Mar');
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(fc.property(text, (cell) => unescapeFormula(escapeFormula(cell)) === cell));
    const whole = fc.constantFrom('#N/A', '2024-03-06', "'#N/A", "''6-Mar", '#N/A;=1', ' 6-Mar');
    fc.assert(fc.property(whole, (cell) => unescapeFormula(escapeFormula(cell)) === cell));
  });
});
