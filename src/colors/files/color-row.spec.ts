import { inEnglish } from '../../../test/support/reasons';
import { readColorRow } from './color-row';

const read = (cells: Partial<Record<string, string>>) => inEnglish(readColorRow(7, (field) => cells[field]));
const target = { name: '正红', L: '41.2', a: '52', b: '23.5' };

describe('readColorRow', () => {
  it('takes a whole row', () => {
    const { draft, faults } = read({
      ...target,
      name: ' 正红 ',
      measuredL: '41',
      measuredA: '-1.5e1',
      measuredB: '.5',
      deltaE: '0',
      composition: '{"CI 15850": 3.2, "steps": [1, {"x": null}]}',
    });
    expect(faults).toEqual([]);
    expect(draft).toEqual({
      line: 7,
      name: '正红',
      targetLab: { L: 41.2, a: 52, b: 23.5 },
      actualLab: { L: 41, a: -15, b: 0.5 },
      deltaE: 0,
      colorantComposition: { 'CI 15850': 3.2, steps: [1, { x: null }] },
    });
  });

  it('takes empty cells and missing columns for absent values', () => {
    const absent = { actualLab: undefined, deltaE: undefined, colorantComposition: undefined };
    const expected = { line: 7, name: '正红', targetLab: { L: 41.2, a: 52, b: 23.5 }, ...absent };
    expect(read(target).draft).toEqual(expected);
    const empty = { measuredL: '', measuredA: ' ', measuredB: '', deltaE: '', composition: ' ' };
    expect(read({ ...target, ...empty }).draft).toEqual(expected);
    expect(read({ ...target, measuredL: '\u200b', composition: '\u3164' }).draft).toEqual(expected);
    expect(read({ ...target, composition: 'null' }).draft).toEqual(expected);
  });

  it('takes the limits themselves, and any difference', () => {
    const limits = { L: '100', a: '10000', b: '-10000', deltaE: '1e9' };
    expect(read({ ...target, ...limits }).draft).toMatchObject({
      targetLab: { L: 100, a: 10_000, b: -10_000 },
      deltaE: 1e9,
    });
  });

  it('counts the characters of a name as a reader does', () => {
    expect(read({ ...target, name: '𠮷'.repeat(200) }).draft?.name).toHaveLength(400);
    expect(read({ ...target, name: '𠮷'.repeat(201) }).draft).toBeUndefined();
  });

  it.each([
    ['CI 77491: 2.4; CI 77891 = 5', { 'CI 77491': 2.4, 'CI 77891': 5 }],
    ['CI 77491：2.4；CI 77891: 5', { 'CI 77491': 2.4, 'CI 77891': 5 }],
    ['CI 77491: 2.4\nCI 77891: 5', { 'CI 77491': 2.4, 'CI 77891': 5 }],
    ['钛白: 12.5; 氧化铁红:1', { 钛白: 12.5, 氧化铁红: 1 }],
    ['ratio 1:2: 3', { 'ratio 1:2': 3 }],
    ['CI 77491 : 2.4; ;CI 77891: 5;', { 'CI 77491': 2.4, 'CI 77891': 5 }],
    ['red [A]: 2', { 'red [A]': 2 }],
    ['[1, 2]', [1, 2]],
    ['"as before"', 'as before'],
    ['12', 12],
  ])('reads the composition %s', (composition, expected) => {
    expect(read({ ...target, composition }).draft?.colorantComposition).toEqual(expected);
  });

  it.each<[Partial<Record<string, string>>, string[]]>([
    [{ ...target, name: ' ' }, ['name: is empty']],
    [{ ...target, name: '\u3164\u2800' }, ['name: is empty']],
    [{ ...target, name: 'x'.repeat(201) }, ['name: is longer than 200 characters']],
    [{ ...target, name: 'a\u0000' }, ['name: contains characters that cannot be stored']],
    [{ name: '正红' }, ['L: is empty']],
    [{ ...target, L: '' }, ['L: is empty']],
    [{ ...target, a: '' }, ['a: is empty']],
    [{ ...target, b: '' }, ['b: is empty']],
    [{ ...target, L: '100.1' }, ['L: must not be above 100, is 100.1']],
    [
      { ...target, L: '-0.1', a: 'x' },
      ['L: must not be below 0, is -0.1', 'a: "x" is not a number (digits and a decimal point, like 42.5)'],
    ],
    [{ ...target, b: '1,5' }, ['b: "1,5" is not a number (digits and a decimal point, like 42.5)']],
    [{ ...target, b: '1e999' }, ['b: "1e999" is not a number (digits and a decimal point, like 42.5)']],
    [{ ...target, a: 'NaN' }, ['a: "NaN" is not a number (digits and a decimal point, like 42.5)']],
    [{ ...target, a: '10001' }, ['a: must not be above 10000, is 10001']],
    [{ ...target, measuredL: '50' }, ['measuredA: is empty']],
    [
      { ...target, measuredL: '150', measuredA: '1', measuredB: '1' },
      ['measuredL: must not be above 100, is 150'],
    ],
    [{ ...target, deltaE: '-1' }, ['deltaE: must not be below 0, is -1']],
    [
      { ...target, composition: '{"a": 1' },
      ['composition: is neither JSON nor a list like "CI 77491: 2.4; CI 77891: 5.1"'],
    ],
    [
      { ...target, composition: '"CI 77491: 2.4' },
      ['composition: is neither JSON nor a list like "CI 77491: 2.4; CI 77891: 5.1"'],
    ],
    ...['some red', 'red: 1e999', ';'].map((composition): [Partial<Record<string, string>>, string[]] => [
      { ...target, composition },
      ['composition: is neither JSON nor a list like "CI 77491: 2.4; CI 77891: 5.1"'],
    ]),
    [
      { ...target, composition: '{"CI 77491": 1e999}' },
      ['composition: contains characters or numbers that cannot be stored, or is nested too deeply'],
    ],
    [
      { ...target, composition: '["\\u0000"]' },
      ['composition: contains characters or numbers that cannot be stored, or is nested too deeply'],
    ],
  ])('refuses %j', (cells, reasons) => {
    expect(read(cells)).toEqual({ faults: reasons });
  });

  it('takes as much JSON as a request does', () => {
    const composition = JSON.stringify('x'.repeat(64 * 1024 - 2));
    expect(read({ ...target, composition }).faults).toEqual([]);
    expect(read({ ...target, composition: composition.replace('x', 'xx') })).toEqual({
      faults: ['composition: is longer than 65536 bytes as JSON text'],
    });
  });
});
