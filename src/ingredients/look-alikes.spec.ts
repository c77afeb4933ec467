import { inEnglish } from '../../test/support/reasons';
import { recordKey } from '../files/compare-rows';
import { INGREDIENT_RULES, type IngredientDraft, lookAlikes } from './ingredient-file';

const ingredientKey = (values: Omit<IngredientDraft, 'line'>) =>
  recordKey(INGREDIENT_RULES, { ...values, line: 2 });

describe('the key of an ingredient row', () => {
  it('ignores case and surrounding white space of the name', () => {
    expect(ingredientKey({ inciName: ' GLYCERIN' })).toBe(ingredientKey({ inciName: 'glycerin ' }));
  });
  it.each([
    ['Café', 'Cafe\u0301'],
    ['EDTA', 'ＥＤＴＡ'],
    ['One', 'One\u200b'],
    ['Glycerin', 'Gly\u00adcerin'],
    ['Zinc Oxide', 'Zinc\u00a0Oxide'],
    ['Zinc Oxide', 'Zinc\tOxide'],
    ['A29 İx', 'a29 ix'],
    ['PEG-8 Dimethicone', 'PEG 8  DIMETHICONE'],
    ['CI 77491', 'CI77491'],
    ['黃耆', '黄耆'],
  ])('is one for %j and %j', (one, other) => {
    expect(ingredientKey({ inciName: one })).toBe(ingredientKey({ inciName: other }));
  });
  it('tells suppliers and numbers apart', () => {
    const keys = [
      { inciName: '1,2-HEXANEDIOL' },
      { inciName: '12-HEXANEDIOL' },
      { inciName: '1,2-HEXANEDIOL', supplier: 'A' },
      { inciName: '1,2-HEXANEDIOL', supplier: 'a' },
    ].map(ingredientKey);
    expect(new Set(keys).size).toBe(4);
  });
});

describe('lookAlikes', () => {
  const inLines = async (rows: Omit<IngredientDraft, 'line'>[]) =>
    inEnglish(await lookAlikes(rows.map((row, index) => ({ ...row, line: index + 2 }) as IngredientDraft)));

  it('names no rows that are one, and none without suppliers', async () => {
    const names = ['Zinc Oxide', ' Zinc Oxide ', 'ZincOxide', 'Zinc\t\tOxide', 'Zinc  \u200bOxide'];
    expect(await inLines(names.map((inciName) => ({ inciName })))).toEqual([]);
  });

  it('names suppliers that differ in case, width or what nobody sees', async () => {
    const rows = ['BASF', 'ＢＡＳＦ', 'basf\u200b'].map((supplier) => ({ inciName: 'Urea', supplier }));
    expect(await inLines(rows)).toEqual([
      'lines 2 and 3: "Urea" of "BASF" and "ＢＡＳＦ", suppliers whose names look alike',
      'lines 2 and 4: "Urea" of "BASF" and "basf\u200b", suppliers whose names look alike',
    ]);
  });
});
