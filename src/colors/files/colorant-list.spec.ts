import { inEnglish } from '../../../test/support/reasons';
import { hasKeyTwice, readColorants } from './colorant-list';

describe('readColorants', () => {
  const red = { 'CI 77491': 2.4, 'CI 77891': 5.1 };

  it('reads up to 1,000 colorants, each of up to 1,000 characters', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `A${at}: 1`).join(';');
    expect(Object.keys((readColorants(many(1000)) as { value: object }).value)).toHaveLength(1000);
    expect(readColorants(many(1001))).toHaveProperty('fault');
    const named = (length: number) => `${'A'.repeat(length - 3)}: 1`;
    expect(readColorants(named(1000))).toHaveProperty('value');
    expect(readColorants(named(1001))).toHaveProperty('fault');
  });

  it.each([',', ', ', '，', '、', ' | ', '|', '；', ';', '\n', '\r\n', '\t', ' / ', '/', '／', ', \n'])(
    'separates colorants at %j',
    (separator) => {
      expect(readColorants(`CI 77491: 2.4${separator}CI 77891: 5.1`)).toEqual({ value: red });
    },
  );

  it.each([
    ['CI 77491: 2.4, CI 77891: 5.1,', red],
    ['CI 77491: 2,4; CI 77891: 5,1', red],
    ['A: 2,4', { A: 2.4 }],
    ['A/B: 1, C/D: 2', { 'A/B': 1, 'C/D': 2 }],
    ['TiO2/Mica: 5', { 'TiO2/Mica': 5 }],
    ['Red 1,2: 3', { 'Red 1,2': 3 }],
    ['CI 15850:1: 2.4, CI 15850:2: 5', { 'CI 15850:1': 2.4, 'CI 15850:2': 5 }],
    ['CI 15850:1 lake: 3', { 'CI 15850:1 lake': 3 }],
    ['CI 77491:2; CI 77891:5', { 'CI 77491': 2, 'CI 77891': 5 }],
    ['ratio 1:2: 3', { 'ratio 1:2': 3 }],
    ['Blend(1:12): 3; Mica [1:1.5]: 2', { 'Blend(1:12)': 3, 'Mica [1:1.5]': 2 }],
    ['__proto__: 1', JSON.parse('{"__proto__": 1}') as object],
    ['A: −2', { A: -2 }],
    ['CI 77491: 2.4%; CI 77891: 5.1 %', red],
    ['CI 77491 2.4%; CI 77891 5.1%', red],
    ['2.4% CI 77491, 5.1 % CI 77891', red],
    ['CI 77491 2,4%; CI 77891 5,1%', red],
    ['CI 15850:1 2%; 3% CI 15850:2', { 'CI 15850:1': 2, 'CI 15850:2': 3 }],
    ['CI 15850: 1%', { 'CI 15850': 1 }],
    ['paste 10%: 5', { 'paste 10%': 5 }],
  ])('reads %j', (text, value) => expect(inEnglish(readColorants(text))).toEqual({ value }));

  it.each([
    ...['CI 77491: 2.4 CI 77891: 5.1', 'A:2 B:3', 'A: 2.4, B: 3 C: 4', 'A: 1, Red 1,2: 3', 'A:2,5,B:3'],
    ...['A: 2,4, B: 5,1', 'A: 1,250; B: 2', 'A: 2,4; B: 5.1', 'A: 1; B', 'A; B: 1', 'A', '', 'A: 1e999'],
    ...['A: 1+B: 2', 'A:1&B:2', 'A: 1.5-B: 2', 'A:1·B:2', 'A: 1. B: 2', 'A:1B:2', 'A=1%+B=2', 'A：12\\B：2'],
    ...['CI 77491 2.4% CI 77891 5.1%', '2.4% CI 77491 5.1% CI 77891', 'CI 77491: 2.4%; CI 77891: 5'],
    ...['CI 77491 2.4', '2.4 CI 77491', '2.4%', 'CI 77491, 2.4%'],
    ...['CI 15850:1', 'CI 15850:1; CI 77891: 5', 'CI 77268:1', 'A: 1; ; B'],
  ])('refuses %j', (text) => {
    expect(inEnglish(readColorants(text))).toEqual({
      fault: 'is neither JSON nor a list like "CI 77491: 2.4; CI 77891: 5.1"',
    });
  });

  it.each(['CI 77491: 2; CI 77491: 3', 'CI 77491: 2, ci\u00a077491: 3', 'A: 1; A\u200b: 1'])(
    'refuses a colorant that is named twice: %j',
    (text) =>
      expect(inEnglish(readColorants(text))).toEqual({ fault: expect.stringMatching(/^names ".*" twice$/) }),
  );
});

describe('hasKeyTwice', () => {
  it.each([
    ['{"a":1,"a":2}', true],
    ['{"x":{"a":1,"a":2}}', true],
    ['[{"a":1},{"a":2}]', false],
    ['{"a":"\\"a\\": 1","b":"a:"}', false],
    ['{"a" : {"a": 1}}', false],
    ['{"a":1,"\\u0061":2}', true],
    ['"a"', false],
    ['12', false],
  ])('%s: %j', (json, expected) => expect(hasKeyTwice(json, JSON.parse(json))).toBe(expected));
});
