import { type Amount, gramsPer, readAmount } from '../../../formula-text/complete-percentages';

describe('readAmount', () => {
  it.each<[string, Amount]>([
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
    ...['適量', '少许', '微量', 'q. s.', 'quantum satis', 'as needed', 'Trace'].map(
      (text): [string, Amount] => [text, { kind: 'as-needed' }],
    ),
    ...['余額', '剩余', '补足', '补齐', '平衡', 'Bal.', 'bal', 'remainder', 'the rest'].map(
      (text): [string, Amount] => [text, { kind: 'balance' }],
    ),
    ...['ad 500', '至500', '补至 500', '补足到:500', '定容500', '定容至500', 'add water to 500'].map(
      (text): [string, Amount] => [text, { kind: 'balance', target: 500 }],
    ),
    ...['1到3', '1—3', '1～3%'].map((text): [string, Amount] => [text, { kind: 'range', low: 1, high: 3 }]),
    ['加至99.5', { kind: 'balance', target: 99.5 }],
    ...['auto 5', 'balm 5', 'restore 5', 'traces 5'].map((text): [string, Amount] => [
      text,
      { kind: 'number', value: 5 },
    ]),
    [`${' '.repeat(199)}5`, { kind: 'number', value: 5 }],
    [`${' '.repeat(200)}5`, { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
    ['see note', { kind: 'unknown' }],
  ])('reads %j', (text, amount) => {
    expect(readAmount(text)).toEqual(amount);
  });
});

describe('gramsPer', () => {
  it.each<[string | null | undefined, number | undefined]>([
    ['g', 1],
    ['克', 1],
    ['KG', 1000],
    [' g ', 1],
    ['mg', 0.001],
    ...['gram', 'grams', 'Ｇ'].map((unit): [string, number] => [unit, 1]),
    ...['千克', '公斤'].map((unit): [string, number] => [unit, 1000]),
    ['毫克', 0.001],
    ['', undefined],
    [undefined, undefined],
    ['%', undefined],
    ['ml', undefined],
    [null, undefined],
  ])('%j', (unit, grams) => expect(gramsPer(unit)).toBe(grams));
});
