import { compositionOf } from '../../../test/support/compositions';
import { type Composition, linesOf } from '../../formulas/composition/composition';
import { expand } from '../../formulas/composition/expansion';
import { costsOfOnePercent } from '../../formulas/costing/cost';
import type { DocumentLanguage } from '../../documents/document';
import type { SolveDto } from './solve.dto';
import { type Draft, withCandidates, withPercentages } from './draft';
import { decimalsOf, heldLines, wishesOf } from './wishes';

const draftOf = (composition: Composition, expansion: Draft['expansion'] = null): Draft => {
  const lines = linesOf(composition);
  const costs = costsOfOnePercent(lines, lines, { currency: null, rates: [] });
  return {
    ...{ composition, lines, costs, expansion, decimals: 6 },
    ...{ candidates: [], held: [], findings: [], fromProfile: [] },
  };
};
const wishes = (input: SolveDto, draft: Draft, language: DocumentLanguage) =>
  wishesOf(input, { ...draft, held: heldLines(input, draft, language) }, language);
const emollient = { functionCategory: 'emollient', unitPrice: 10 };
const candidate = (functionCategory: string) => ({
  ingredient: { id: `new ${functionCategory}`, inciName: 'New', chineseName: '新' },
  catalogue: { functionCategory, unit: 'kg', unitPrice: 5, casNumbers: [], card: null },
  total: 1,
});
const placesOf = ({ phases }: Composition) =>
  phases.map(({ ingredients }) => ingredients.map(({ percentage }) => percentage));

describe('a draft', () => {
  const composition = compositionOf(
    [{ percentage: 70 }, { percentage: 2, catalogue: emollient }],
    [{ percentage: 20, catalogue: emollient }],
    [{ percentage: 8, catalogue: null }],
  );

  it('has new ingredients in the phase with the largest line of their category, else in the last one', () => {
    const draft = withCandidates(composition, [candidate('emollient'), candidate('colorant')]);
    expect(placesOf(draft)).toEqual([
      [70, 2],
      [20, 0],
      [8, 0],
    ]);
    expect(placesOf(withPercentages(draft, [90, 0, 0, 0, 0, 10]))).toEqual([[90], [10]]);
  });

  it('knows the least and the most of substances in one percent of each line, and lines that may have more', async () => {
    const given = compositionOf([{ percentage: 1 }, { percentage: 1 }, { percentage: 1, catalogue: null }]);
    const [blend] = linesOf(given);
    const part = (inciName: string, minPercentage: number, maxPercentage: number) => ({
      ...{ casNumber: null, ecNumber: null, role: null, chineseName: null },
      ...{ inciName, minPercentage, maxPercentage },
    });
    const parts = [part('Phenoxyethanol', 80, 90), part('Glycerin', 5, 10), part('A (and) B', 5, 10)];
    const draft = draftOf(given, await expand(given, new Map([[blend!.ingredientId, parts]])));
    const substances = [{ key: 'GLYCERIN', min: 2, max: 6 }];
    const [wish, ...held] = await wishes({ objective: 'least-change', substances }, draft, 'en');
    const terms = (ofBlend: string) => [
      [0, ofBlend],
      [1, '1'],
    ];
    expect(wish!.limits).toEqual([
      { terms: terms('0.05'), min: '2' },
      { terms: terms('0.1'), max: '6' },
    ]);
    expect(held.map(({ message }) => message)).toEqual([
      'Glycerin stays as it is: its composition is not known',
      'Glycerin stays as it is: hidden from you',
    ]);
  });
});

describe('wishes', () => {
  const draft = draftOf(compositionOf([{ percentage: 70 }, { percentage: 30 }]));
  const [one, other] = draft.lines.map(({ ingredientId }) => ingredientId) as [string, string];

  it.each([
    ['bounds', { bounds: [{ ingredientId: one }, { ingredientId: one.toUpperCase() }] }],
    ['phases', { phases: [{ name: 'A' }, { name: 'A' }] }],
    ['substances', { substances: [{ key: 'Aqua' }, { key: ' AQUA ' }] }],
    ['keep', { keep: [one, other, one] }],
    ['exclude', { exclude: [one, one] }],
    ['add', { add: [{ category: 'emollient' }, { category: 'emollient' }] }],
  ] as const)('name each thing once: %s', async (field, repeated) => {
    const input = { objective: 'least-change', ...repeated } as never;
    const at = field === 'keep' ? 3 : 2;
    await expect(wishes(input, draft, 'zh')).rejects.toThrow(`${field}: 第${at}项与第1项重复`);
  });
});

describe('decimals', () => {
  it.each([
    [[70, 30], [], 3],
    [[70.1234, 29.8766], [], 4],
    [[70, 30], [0.12345], 5],
    [[66.666666666, 33.333333334], [], 6],
  ])('of %p with bounds %p are %p', (percentages, bounds, decimals) => {
    const draft = draftOf(compositionOf(percentages.map((percentage) => ({ percentage }))));
    const { ingredientId } = draft.lines[0]!;
    const input = {
      objective: 'least-change',
      bounds: bounds.map((max) => ({ ingredientId, max })),
    } as const;
    expect(decimalsOf(input, draft.lines)).toBe(decimals);
  });

  it('a line that stays as it is has no more of them', async () => {
    const draft = draftOf(compositionOf([{ percentage: 66.6666666667 }, { percentage: 33.3333333333 }]));
    const keep = [draft.lines[0]!.ingredientId.toUpperCase()];
    const [wish] = await wishes({ objective: 'least-change', keep }, draft, 'zh');
    expect(wish).toEqual({
      field: 'keep.0',
      message: '保留 甘油，用量不变',
      limits: [{ terms: [[0, '1']], min: '66.666667', max: '66.666667' }],
    });
  });
});
