import fc from 'fast-check';
import { render } from '../../platform/texts/text';
import { substanceFaults } from './substance-rules';
import type { SubstanceDto } from './raw-material.dto';

const substance = (
  inciName: string,
  share: number | { min: number; max: number },
  more: object = {},
): SubstanceDto => ({
  inciName,
  ...(typeof share === 'number' ? { percentage: share } : { range: share }),
  ...more,
});
const faultsOf = (...given: SubstanceDto[]) =>
  substanceFaults(given).map(({ field, message }) => `${field}: ${render(message)}`);

it('exact shares are 100 together, as decimals', () => {
  expect(faultsOf(substance('A', 33.33), substance('B', 33.33), substance('C', 33.34))).toEqual([]);
  expect(faultsOf(substance('A', 0.1), substance('B', 0.2), substance('C', 99.7))).toEqual([]);
  expect(faultsOf(substance('A', 99.999999))).toEqual([
    'substances: 所有物质百分比之和必须为100,当前为99.999999',
  ]);
  expect(faultsOf(substance('A', 60), substance('B', 41))).toEqual([
    'substances: 所有物质百分比之和必须为100,当前为101',
  ]);
});

it('ranges must make 100 possible', () => {
  expect(faultsOf(substance('A', { min: 5, max: 10 }), substance('B', { min: 90, max: 95 }))).toEqual([]);
  expect(faultsOf(substance('A', { min: 0, max: 10 }), substance('B', 90))).toEqual([]);
  expect(faultsOf(substance('A', { min: 0, max: 5 }), substance('B', 90))).toEqual([
    'substances: 所有物质百分比的下限之和不能大于100,上限之和不能小于100,当前为90至95',
  ]);
  expect(faultsOf(substance('A', { min: 11, max: 20 }), substance('B', 90))).toEqual([
    'substances: 所有物质百分比的下限之和不能大于100,上限之和不能小于100,当前为101至110',
  ]);
});

it('a share is either exact or a range, the lower bound first', () => {
  expect(faultsOf({ inciName: 'A' })).toEqual([
    'substances.0.percentage: 必须且只能提供 percentage 或 range 之一',
  ]);
  expect(faultsOf({ inciName: 'A', percentage: 5, range: { min: 1, max: 2 } })).toEqual([
    'substances.0.percentage: 必须且只能提供 percentage 或 range 之一',
  ]);
  expect(faultsOf(substance('A', { min: 10, max: 5 }))).toEqual([
    'substances.0.range: 范围的下限10不能大于上限5',
  ]);
  expect(faultsOf(substance('A', { min: 5, max: 5 }), substance('B', 95))).toEqual([]);
});

it('a substance is named once, but for its nano form and for an impurity', () => {
  expect(faultsOf(substance('Water', 50), substance('AQUA', 50))).toEqual([
    'substances.1.inciName: 与第1项是同一物质',
  ]);
  expect(faultsOf(substance('Zinc Oxide', 50), substance('Zinc Oxide', 50, { role: 'nano' }))).toEqual([]);
  for (const role of ['impurity', 'processing-aid']) {
    expect(faultsOf(substance('Dioxane', 50), substance('Dioxane', 50, { role }))).toEqual([]);
  }
  expect(
    faultsOf(
      substance('Dioxane', 50, { role: 'processing-aid' }),
      substance('Dioxane', 50, { role: 'impurity' }),
    ),
  ).toEqual(['substances.1.inciName: 与第1项是同一物质']);
});

it('none at all is no fault: it removes the composition', () => expect(faultsOf()).toEqual([]));

it('whatever is split off a whole sums to the whole', () => {
  const cents = fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 4 });
  fc.assert(
    fc.property(cents, (parts) => {
      const left = 10_000 - parts.reduce((sum, part) => sum + part, 0);
      const given = [...parts, left].map((part, index) =>
        substance(`S${index}`, Number((part / 100).toFixed(2))),
      );
      expect(faultsOf(...given)).toEqual([]);
    }),
  );
});
