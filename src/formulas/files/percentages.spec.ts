import Big from 'big.js';
import fc from 'fast-check';
import { inEnglish } from '../../../test/support/reasons';
import type { FormulaRow } from './formula-row';
import { contradictingGrams, percentagesOf as reading, weighedRow } from './percentages';

const percentagesOf = (...args: Parameters<typeof reading>) =>
  inEnglish(reading(...args)) as { percentages: number[]; balance?: number };

const rows = (unit: 'percent' | 'grams', ...amounts: (number | 'rest')[]) =>
  amounts.map((amount, index) => ({
    line: index + 2,
    unit,
    amount: amount === 'rest' ? amount : new Big(amount),
  }));

it('gives the balance line what is missing to 100, in decimal arithmetic', () => {
  expect(percentagesOf(rows('percent', 0.1, 'rest', 0.2))).toMatchObject({
    percentages: [0.1, 99.7, 0.2],
    balance: 1,
  });
});

it('gives the balance line of grams what is missing to the total that it names', () => {
  const [glycerin, water] = rows('grams', 25, 'rest');
  const to = (total: number) => percentagesOf([glycerin!, { ...water!, total: new Big(total) }]);
  expect(to(500)).toMatchObject({ percentages: [5, 95], balance: 1 });
  expect(to(25)).toMatchObject({ line: 3, fault: expect.stringContaining('25 already') });
  expect(percentagesOf([glycerin!, water!])).toMatchObject({
    line: 3,
    fault: expect.stringContaining('total'),
  });
  const [percent, rest] = rows('percent', 25, 'rest');
  expect(percentagesOf([glycerin!, { ...rest!, total: new Big(100) }])).toMatchObject({
    fault: expect.stringContaining('total'),
  });
  expect(percentagesOf([percent!, { ...rest!, total: new Big(500) }])).toMatchObject({ line: 3 });
});

it('makes grams percent of their sum', () => {
  expect(percentagesOf(rows('grams', 1, 1, 1))).toMatchObject({ percentages: [33.3334, 33.3333, 33.3333] });
});

it('takes amounts beyond the range of a number', () => {
  const [one] = rows('grams', 1);
  const huge = [1, 2, 3].map((line) => ({ ...one!, line, amount: new Big('1e311') }));
  expect(percentagesOf(huge)).toMatchObject({ percentages: [33.3334, 33.3333, 33.3333] });
});

describe('weighedRow', () => {
  const row = (milliliters?: string) => ({
    ...rows('grams', 1)[0]!,
    ...(milliliters && { milliliters: new Big(milliliters), written: `${milliliters} mL` }),
    field: 'grams',
  });
  const weigh = (milliliters: string | undefined, density?: number | null) => {
    const weighed = weighedRow(row(milliliters) as FormulaRow, { id: 'x', density });
    const { row: found, ...rest } = inEnglish(weighed) as ReturnType<typeof weighedRow>;
    return { amount: String(found.amount), ...rest };
  };

  it('makes a volume a mass by the density of its ingredient, in decimal arithmetic', () => {
    expect(weigh('500', 1.26)).toEqual({ amount: '630', note: 'Row 2: 500 mL × 1.26 kg/L = 630 g' });
    expect(weigh('0.3', 0.7)).toMatchObject({ amount: '0.21' });
  });

  it.each([null, undefined])('refuses a volume of an ingredient whose density is %s', (density) => {
    const reason = expect.stringContaining('has no density');
    expect(weigh('500', density)).toMatchObject({ fault: { field: 'grams', value: '500 mL', reason } });
  });

  it('leaves a mass as it is', () => expect(weigh(undefined, 1.26)).toEqual({ amount: '1' }));
});

it('refuses what has no answer', () => {
  expect(percentagesOf(rows('percent', 60, 'rest', 40))).toMatchObject({
    line: 3,
    fault: expect.stringContaining('already'),
  });
  expect(percentagesOf(rows('percent', 'rest', 'rest'))).toMatchObject({ line: 3 });
  expect(percentagesOf([...rows('percent', 50), ...rows('grams', 50)])).toHaveProperty('fault');
  expect(percentagesOf(rows('grams', 1_000_000_000, 1))).toMatchObject({ line: 3 });
});

it.each([
  [50.1, undefined],
  [49.9, undefined],
  [50.1001, 2],
  [49.8999, 2],
])('grams that are 50 percent contradict %d from more than 0.1 on', (percent, line) => {
  const rows = [percent, 50].map((amount, index) => ({
    line: index + 2,
    amount: new Big(amount),
    grams: new Big(250),
  }));
  expect(contradictingGrams(rows)?.line).toBe(line);
});

it('compares no grams where a row has none, or all are 0', () => {
  const row = (line: number, grams?: number) => ({
    line,
    amount: new Big(50),
    ...(grams !== undefined && { grams: new Big(grams) }),
  });
  expect(contradictingGrams([row(2, 9), row(3, 1)])?.line).toBe(2);
  expect(contradictingGrams([row(2, 9), row(3)])).toBeUndefined();
  expect(contradictingGrams([row(2, 0), row(3, 0)])).toBeUndefined();
});

it('adds grams up to exactly 100, each within a step of its share', () => {
  const grams = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(grams, (amounts) => {
      const reading = percentagesOf(rows('grams', ...amounts.map((amount) => amount / 100)));
      if ('fault' in reading) return;
      const sum = amounts.reduce((one, other) => one + other, 0);
      expect(reading.percentages.reduce((total, one) => total.plus(one), new Big(0)).eq(100)).toBe(true);
      reading.percentages.forEach((percentage, index) =>
        expect(Math.abs(percentage - (100 * amounts[index]!) / sum)).toBeLessThan(0.0001),
      );
    }),
  );
});
