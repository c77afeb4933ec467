import fc from 'fast-check';
import { compositionOf } from '../../../test/support/compositions';
import { linesOf } from '../composition/composition';
import { balanceOf } from './balance';
import { sumOf } from '../../platform/common/collections';

const composed = (...percentages: number[]) =>
  compositionOf(percentages.map((percentage) => ({ percentage, processNotes: '搅拌' })));
const lineAt = (composition: ReturnType<typeof composed>, at: number) => linesOf(composition)[at]!;

describe('balanceOf', () => {
  it('brings the sum to exactly 100 with the line, and changes no other', () => {
    const composition = composed(70.1, 20.2, 9.4);
    const { id, ingredientId, ingredient } = lineAt(composition, 0);
    const proposal = balanceOf(composition, id.toUpperCase(), 100);
    expect(proposal.line).toEqual({ id, ingredientId, ingredient, percentage: { from: 70.1, to: 70.4 } });
    expect(proposal.totalPercentage).toEqual({ from: 99.7, to: 100 });
    expect(proposal.phases).toEqual([
      {
        name: '相1',
        sortOrder: 1,
        ingredients: linesOf(composition).map((line, at) => ({
          ingredientId: line.ingredientId,
          ingredient: line.ingredient,
          percentage: [70.4, 20.2, 9.4][at],
          processNotes: '搅拌',
        })),
      },
    ]);
  });

  it.each([
    [[0.4, 100.1], 0, '补足后该行为-0.1%,必须大于0且不超过100%'],
    [[0.1, 100], 0, '补足后该行为0%,必须大于0且不超过100%'],
    // The sum would not be exact with the nearest JSON number.
    [[50, 50, 1e-18], 0, '位数过多'],
  ])('refuses %j', (percentages, at, message) => {
    const composition = composed(...percentages);
    expect(() => balanceOf(composition, lineAt(composition, at).id, 100)).toThrow(message);
  });

  it('gives a line 100 percent, and no more', () => {
    const composition = composed(99.5);
    const to = (total: number) => balanceOf(composition, lineAt(composition, 0).id, total);
    expect(to(100).line.percentage).toEqual({ from: 99.5, to: 100 });
    expect(() => to(100.001)).toThrow('补足后该行为100.001%');
  });

  it('refuses a line of another version', () => {
    const other = lineAt(composed(100), 0).id;
    expect(() => balanceOf(composed(100), other, 100)).toThrow('line: 该配方版本中没有这一成分行');
  });

  it('is exact for every composition', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 99_500, max: 100_500 }), (given, to) => {
        const composition = composed(1, 0.5, ...given.map((part) => part / 10_000));
        const proposal = balanceOf(composition, lineAt(composition, 0).id, to / 1000);
        const percentages = proposal.phases.flatMap(({ ingredients }) =>
          ingredients.map(({ percentage }) => percentage),
        );
        expect(sumOf(percentages).toNumber()).toBe(to / 1000);
        expect(percentages.slice(2)).toEqual(given.map((part) => part / 10_000));
      }),
    );
  });
});
