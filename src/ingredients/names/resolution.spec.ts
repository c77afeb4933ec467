import type { FoundIngredient } from './ingredient-lookup.repository';
import { readingsOf } from './name-readings';
import { resolutionOf, suppliedOf } from './resolution';

const found = (
  id: string,
  inciName: string,
  via: FoundIngredient['via'],
  chineseName = '',
): FoundIngredient => ({
  id,
  inciName,
  chineseName,
  supplier: null,
  unit: 'kg',
  unitPrice: null,
  density: null,
  via,
});

const resolved = (name: string, byKey: Record<string, FoundIngredient[]>, withEverydayNames = true) =>
  resolutionOf(name, readingsOf(name, withEverydayNames), (key) => byKey[key] ?? []);

describe('resolutionOf', () => {
  it('counts an ingredient once, by its best name', () => {
    const { certain, candidates } = resolved('Glycerin', {
      glycerin: [found('1', 'Glycerin', 'synonym'), found('1', 'Glycerin', 'inci')],
    });
    expect({ certain, by: candidates.map(({ matchedBy }) => matchedBy) }).toEqual({
      certain: true,
      by: ['inci'],
    });
  });

  it('reads an everyday name without its grade, as long as the catalogue has it neither way', () => {
    const aqua = [found('1', 'Aqua', 'inci')];
    expect(resolved('去离子水(99%)', { aqua })).toMatchObject({ certain: true, grade: '99%' });
    expect(resolved('去离子水', { aqua }, false)).toMatchObject({ certain: false, candidates: [] });
  });

  it('is not certain of an ambiguous everyday name of which the catalogue has one', () => {
    expect(resolved('VE', { tocopherol: [found('1', 'Tocopherol', 'inci')] })).toMatchObject({
      certain: false,
      candidates: [{ matchedBy: 'everyday-name' }],
    });
  });

  it.each([
    ['甘油(Glycerin)', true, null],
    ['甘油(Glycerin 99%)', true, '99%'],
    ['甘油(Glycerin 98%)', true, '98%'],
    ['甘油(Glycerin 97.9%)', false, 'Glycerin 97.9%'],
    ['甘油(Glycerin 50%)', false, 'Glycerin 50%'],
    ['甘油 50%(Glycerin)', false, '50%'],
    ['Glycerin/甘油 50%', false, '50%'],
  ])('a name in two languages is certain unless one of them is a solution: %s', (name, certain, grade) => {
    const glycerin = found('1', 'Glycerin', 'inci', '甘油');
    const byName = { glycerin: [glycerin], 甘油: [{ ...glycerin, via: 'chinese' as const }] };
    expect(resolved(name, byName)).toMatchObject({
      certain,
      grade,
      candidates: [{ ingredient: { id: '1' } }],
    });
  });
});

describe('suppliedOf', () => {
  const [one, two] = ['A', 'B'].map((supplier, at) => ({
    ...found(String(at), 'Glycerin', 'synonym'),
    supplier,
  })) as [FoundIngredient, FoundIngredient];
  const resolution = (inciNames: string[], grade: string | null = null) => ({
    ...{ name: 'x', certain: false, grade, inciNames },
    candidates: [one, two].map((ingredient) => ({ ingredient, matchedBy: 'synonym' as const })),
  });

  it.each([
    [resolution([]), 'B', true],
    [resolution(['Glycerin']), 'B', true],
    [resolution(['Glycerin', 'Diglycerin']), 'B', false],
    [resolution([], '50%'), 'B', false],
    [resolution([]), 'C', false],
    [resolution([]), undefined, false],
  ])('a supplier decides between materials, not between meanings: %#', (given, supplier, certain) => {
    expect(suppliedOf(given, supplier).certain).toBe(certain);
  });

  it('an empty cell prefers the material without a supplier, but a file without suppliers says nothing of it', () => {
    const plain = { ...found('plain', 'Glycerin', 'synonym'), supplier: null };
    const candidates = [one, plain].map((ingredient) => ({ ingredient, matchedBy: 'synonym' as const }));
    const given = { ...resolution([]), candidates };
    expect(suppliedOf(given, null)).toEqual({ ingredients: [plain], certain: true });
    expect(suppliedOf(given, undefined)).toEqual({ ingredients: [one, plain], certain: false });
  });
});
