import { readingsOf, resolutionOf } from './resolution';
import type { FoundIngredient } from './resolve.repository';

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

  it('takes what the database found by letters and digits alone for similar', () => {
    const { certain, candidates } = resolved('1,2-Diol', { '1.2diol': [found('1', '12-Diol', 'inci')] });
    expect({ certain, by: candidates.map(({ matchedBy }) => matchedBy) }).toEqual({
      certain: false,
      by: ['similar'],
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

  it('has no answer for a name without letters', () => {
    expect(resolved('(+)', { '': [found('1', '-', 'inci')] })).toMatchObject({ certain: false });
  });
});
