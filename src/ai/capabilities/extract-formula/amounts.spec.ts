import { gramsPer, readAmount } from './amounts';

describe('readAmount', () => {
  it.each([
    ['2.5', { kind: 'number', value: 2.5 }],
    ['2,5 %', { kind: 'number', value: 2.5 }],
    ['5克', { kind: 'number', value: 5 }],
    ['１０％', { kind: 'number', value: 10 }],
    ['1-3', { kind: 'range', low: 1, high: 3 }],
    ['1 % – 3 %', { kind: 'range', low: 1, high: 3 }],
    ['0.5~1.5%', { kind: 'range', low: 0.5, high: 1.5 }],
    ['3-3', { kind: 'range', low: 3, high: 3 }],
    ['3-1', { kind: 'number', value: 3 }],
    ['1至3', { kind: 'range', low: 1, high: 3 }],
    ['2 to 4', { kind: 'range', low: 2, high: 4 }],
    ['加至100', { kind: 'balance', target: 100 }],
    ['加水至100', { kind: 'balance', target: 100 }],
    ['补足至 1000 g', { kind: 'balance', target: 1000 }],
    ['to 100', { kind: 'balance', target: 100 }],
    ['q.s. to 100', { kind: 'balance', target: 100 }],
    ['qs ad 100 %', { kind: 'balance', target: 100 }],
    ['余量', { kind: 'balance' }],
    ['balance', { kind: 'balance' }],
    ['q.s.', { kind: 'as-needed' }],
    ['QS', { kind: 'as-needed' }],
    ['适量', { kind: 'as-needed' }],
    [`${' '.repeat(200)}5`, { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
    ['see note', { kind: 'unknown' }],
  ])('reads %j', (text, amount) => {
    expect(readAmount(text)).toEqual(amount);
  });
});

describe('gramsPer', () => {
  it.each([
    ['g', 1],
    ['克', 1],
    ['KG', 1000],
    [' g ', 1],
    ['mg', 0.001],
    ['%', undefined],
    ['ml', undefined],
    [null, undefined],
  ])('%j', (unit, grams) => expect(gramsPer(unit)).toBe(grams));
});
