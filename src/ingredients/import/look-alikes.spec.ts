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
  it('names rows that differ in white space inside the name only', () => {
    const names = ['PEG-8  DIMETHICONE', 'Urea', 'PEG-8 Dimethicone', 'PEG-8  Dimethicone'];
    expect(lookAlikes(names.map((inciName, index) => ({ line: index + 2, inciName })))).toEqual([
      'lines 2 and 4: "PEG-8  DIMETHICONE" and "PEG-8 Dimethicone" differ in spaces only',
    ]);
  });
});
