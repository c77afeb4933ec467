import { fieldWithTooMany, mergedNames, nameFaults, type StoredName } from './other-names-rules';
import type { NameKind } from './ingredient-name.entity';
import { nameKey } from '../../platform/common/name-forms';

const named = (kind: NameKind, ...names: string[]): StoredName[] =>
  names.map((name) => ({ kind, name, key: nameKey(name) }));

describe('nameFaults', () => {
  it('takes a name of two kinds, and numbers in order', () => {
    expect(
      nameFaults([...named('cas', '56-81-5'), ...named('synonym', 'A'), ...named('trade-name', 'A')]),
    ).toEqual([]);
  });

  it('names each fault by its field and place', () => {
    const faults = nameFaults([
      ...named('ec', '200-289-5', '200-289-6'),
      ...named('synonym', 'A', 'a', 'ａ'),
    ]);
    expect(faults.map(({ field }) => field)).toEqual(['ecNumbers.1', 'synonyms.1', 'synonyms.2']);
  });
});

describe('mergedNames', () => {
  const into = { inciName: 'Glycerin', chineseName: '甘油', names: named('synonym', 'Glycerol') };

  it('adds the names of the other, each once, and none that the ingredient itself has', () => {
    const merged = {
      inciName: 'GLYCERIN',
      chineseName: '丙三醇',
      names: named('synonym', 'glycerol', 'Propanetriol'),
    };
    expect(mergedNames(into, merged)).toEqual(named('synonym', 'Glycerol', 'Propanetriol', '丙三醇'));
  });

  it('keeps one name of two kinds', () => {
    const merged = { inciName: 'Glycerin', chineseName: '-', names: named('trade-name', 'Glycerol') };
    expect(mergedNames(into, merged)).toEqual([
      ...named('synonym', 'Glycerol'),
      ...named('trade-name', 'Glycerol'),
    ]);
  });

  it('may be more than an ingredient may have of one kind', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => named('synonym', `x${at}`)).flat();
    expect(fieldWithTooMany(many(50))).toBeUndefined();
    expect(fieldWithTooMany([...many(50), ...named('cas', '56-81-5')])).toBeUndefined();
    expect(fieldWithTooMany(many(51))).toBe('synonyms');
  });
});
