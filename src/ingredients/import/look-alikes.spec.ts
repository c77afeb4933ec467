import { keyOf } from '../../common/import/plan-import';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-rules';
import { lookAlikes } from './look-alikes';

const ingredientKey = (values: Omit<IngredientDraft, 'line'>) =>
  keyOf(INGREDIENT_RULES, { ...values, line: 2 });

describe('the key of an ingredient row', () => {
  it('ignores case and surrounding white space of the name', () => {
    expect(ingredientKey({ inciName: ' GLYCERIN' })).toBe(ingredientKey({ inciName: 'glycerin ' }));
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
    'Butyrospermum Parkii\u3000Butter',
  ])('names them wherever the white space differs, and of whatever kind it is: %j', (inciName) => {
    expect(inLines([{ inciName: 'Butyrospermum Parkii Butter' }, { inciName }])).toEqual([
      `lines 2 and 3: "Butyrospermum Parkii Butter" and "${inciName}" differ in spaces only`,
    ]);
  });

  it('names each beside the first, and none where the space is no part of the name or there is none', () => {
    const names = ['Zinc Oxide', ' Zinc Oxide ', 'ZincOxide', 'Zinc\tOxide', 'Zinc  Oxide'];
    expect(inLines(names.map((inciName) => ({ inciName })))).toEqual([
      'lines 2 and 5: "Zinc Oxide" and "Zinc\tOxide" differ in spaces only',
      'lines 2 and 6: "Zinc Oxide" and "Zinc  Oxide" differ in spaces only',
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
});
