import { inEnglish } from '../../../test/support/reasons';
import type { NameMatch, Resolution } from '../../ingredients/names/resolution';
import type { CatalogueIngredient } from '../formulas.repository';
import type { FormulaRow } from './formula-row';
import { ingredientOfRow } from './row-ingredient';

type Ingredient = NameMatch['ingredient'];

const ingredient = (id: string, inciName: string, more: Partial<Ingredient> = {}): Ingredient => ({
  id,
  inciName,
  chineseName: '',
  supplier: null,
  unit: 'kg',
  unitPrice: null,
  density: null,
  ...more,
});

const means = (
  name: string,
  matchedBy: NameMatch['matchedBy'],
  ingredients: readonly Ingredient[],
  more: Partial<Resolution> = {},
): Resolution => ({
  name,
  certain: ingredients.length === 1,
  grade: null,
  inciNames: [],
  candidates: ingredients.map((one) => ({ ingredient: one, matchedBy })),
  ...more,
});

/** The id of the row's ingredient, or the field and the reason for which it has none. */
function found(row: Partial<FormulaRow>, ...resolutions: Resolution[]) {
  const all = {
    ingredientId: null,
    inciName: null,
    chineseName: null,
    ingredient: null,
    casNumbers: [],
    ...row,
  };
  const stored = new Map([['id-9', ingredient('id-9', 'Urea') as unknown as CatalogueIngredient]]);
  const search = new Map(resolutions.map((one) => [one.name, one]));
  const result = ingredientOfRow(all as FormulaRow, stored, search);
  return 'id' in result
    ? result.id
    : `${result.fault.field}: ${String((inEnglish(result) as { fault: { reason: string } }).fault.reason)}`;
}

const [one, two, other] = [
  ingredient('id-1', 'Glycerin', { supplier: 'A' }),
  ingredient('id-2', 'Glycerin', { supplier: 'B' }),
  ingredient('id-3', 'Urea'),
];
const NAME = { inciName: 'Glycerin' };

describe('the ingredient of a row', () => {
  it.each([
    ['is the only one of its name', NAME, [means('Glycerin', 'inci', [one])], 'id-1'],
    ['is none of several of one name', NAME, [means('Glycerin', 'inci', [one, two])], 'inciName: '],
    [
      'is the one of its supplier',
      { ...NAME, supplier: 'B' },
      [means('Glycerin', 'inci', [one, two])],
      'id-2',
    ],
    [
      'is the one of its CAS number and supplier, which may be stored with blanks',
      { casNumbers: ['56-81-5'], supplier: 'D' },
      [means('56-81-5', 'cas', [one, { ...two, supplier: ' D ' }])],
      'id-2',
    ],
    [
      'is none of another supplier',
      { ...NAME, supplier: 'C' },
      [means('Glycerin', 'inci', [one])],
      'supplier: ',
    ],
    [
      'is that of its name with the CAS number of the row',
      { ...NAME, casNumbers: ['56-81-5'] },
      [means('Glycerin', 'inci', [one, two]), means('56-81-5', 'cas', [two])],
      'id-2',
    ],
    [
      'is none where another has the CAS number too',
      { ...NAME, casNumbers: ['56-81-5'] },
      [means('Glycerin', 'inci', [one, two]), means('56-81-5', 'cas', [two, other])],
      'inciName: ',
    ],
    [
      'is none where the CAS number is only that of another',
      { ...NAME, casNumbers: ['57-13-6'] },
      [means('Glycerin', 'inci', [one]), means('57-13-6', 'cas', [other])],
      'casNumbers: ',
    ],
    [
      'is that of the CAS number where nobody knows the name',
      { ...NAME, casNumbers: ['57-13-6'] },
      [means('Glycerin', 'similar', [one, two]), means('57-13-6', 'cas', [other])],
      'id-3',
    ],
    ['is that of its id', { ingredientId: 'id-9', inciName: 'UREA' }, [], 'id-9'],
    ['is none where the id is that of another name', { ingredientId: 'id-9', ...NAME }, [], 'ingredientId: '],
  ] as [string, Partial<FormulaRow>, Resolution[], string][])('%s', (_, row, resolutions, expected) => {
    expect(found(row, ...resolutions)).toMatch(new RegExp(`^${expected}`));
  });
});
