import type { FoundIngredient } from './ingredient-lookup.repository';
import { readingsOf } from './name-readings';
import { resolutionOf } from './resolution';

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
});
