import { keyOf } from '../files/import-plan';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-rules';
import { lookAlikes } from './ingredient-rules';

const ingredientKey = (values: Omit<IngredientDraft, 'line'>) =>
  keyOf(INGREDIENT_RULES, { ...values, line: 2 });

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
  ])('is one for %j and %j', (one, other) => {
    expect(ingredientKey({ inciName: one })).toBe(ingredientKey({ inciName: other }));
  });
  it('tells suppliers, and white space inside a name, apart', () => {
    const keys = [
      { inciName: 'PEG-8 DIMETHICONE' },
      { inciName: 'PEG-8  DIMETHICONE' },
      { inciName: 'PEG-8 DIMETHICONE', supplier: 'A' },
      { inciName: 'PEG-8 DIMETHICONE', supplier: 'a' },
    ].map(ingredientKey);
    expect(new Set(keys).size).toBe(4);
  });
});

describe('lookAlikes', () => {
  const inLines = (rows: Omit<IngredientDraft, 'line'>[]) =>
    lookAlikes(rows.map((row, index) => ({ ...row, line: index + 2 }) as IngredientDraft));

  it('names rows that differ in white space inside the name only', () => {
    const names = ['PEG-8  DIMETHICONE', 'Urea', 'PEG-8 Dimethicone', 'PEG-8  Dimethicone'];
    expect(inLines(names.map((inciName) => ({ inciName })))).toEqual([
      'lines 2 and 4: "PEG-8  DIMETHICONE" and "PEG-8 Dimethicone" differ in spaces only',
    ]);
  });

  it.each([
    'Butyrospermum Parkii  Butter',
    'Butyrospermum  Parkii  Butter',
    'Butyrospermum Parkii \u3000Butter',
  ])('names them wherever the white space differs, and of whatever kind it is: %j', (inciName) => {
    expect(inLines([{ inciName: 'Butyrospermum Parkii Butter' }, { inciName }])).toEqual([
      `lines 2 and 3: "Butyrospermum Parkii Butter" and "${inciName}" differ in spaces only`,
    ]);
  });

  it('names each beside the first, and none where the space is no part of the name or there is none', () => {
    const names = ['Zinc Oxide', ' Zinc Oxide ', 'ZincOxide', 'Zinc\t\tOxide', 'Zinc  \u200bOxide'];
    expect(inLines(names.map((inciName) => ({ inciName })))).toEqual([
      'lines 2 and 5: "Zinc Oxide" and "Zinc\t\tOxide" differ in spaces only',
      'lines 2 and 6: "Zinc Oxide" and "Zinc  \u200bOxide" differ in spaces only',
    ]);
  });

  it('does not confuse what is of two suppliers', () => {
    const rows = ['A', 'B', null].map((supplier, gaps) => ({
      inciName: `Zinc${' '.repeat(gaps + 1)}Oxide`,
      supplier,
    }));
    expect(inLines(rows)).toEqual([]);
    expect(inLines([rows[0]!, { ...rows[1]!, supplier: 'A' }])).toHaveLength(1);
  });

  it('names suppliers that differ in case, width or what nobody sees', () => {
    const rows = ['BASF', 'ＢＡＳＦ', 'basf\u200b'].map((supplier) => ({ inciName: 'Urea', supplier }));
    expect(inLines(rows)).toEqual([
      'lines 2 and 3: "Urea" of "BASF" and "ＢＡＳＦ", suppliers whose names look alike',
      'lines 2 and 4: "Urea" of "BASF" and "basf\u200b", suppliers whose names look alike',
    ]);
  });
});
