import { defineTexts, placeholdersIn } from './define-texts';
import { render } from './text';

const texts = defineTexts({
  'spec.sheet': ['{formula}（第 {version} 版）', '{formula} (version {version})'],
  'spec.names': ['成分：{names}', 'Ingredients: {names}'],
  'spec.json': ['应为 {"data":[{…}]}', 'It is no {"data":[{…}]}'],
});

describe('a text of the table', () => {
  const sheet = texts('spec.sheet', { formula: '面霜 {version} $1', version: 3 });

  it('is a code with values, rendered later', () => {
    expect(sheet).toEqual({ code: 'spec.sheet', values: { formula: '面霜 {version} $1', version: 3 } });
    expect(render(sheet)).toBe('面霜 {version} $1（第 3 版）');
    expect(render(sheet, 'en')).toBe('面霜 {version} $1 (version 3)');
  });

  it('has messages and lists of them as values', () => {
    const names = texts('spec.names', { names: ['Aqua', 7, sheet] });
    expect(render(names)).toBe('成分：Aqua、7、面霜 {version} $1（第 3 版）');
    expect(render(names, 'en')).toBe('Ingredients: Aqua, 7, 面霜 {version} $1 (version 3)');
  });

  it('is rendered immediately in a given language', () => {
    const t = texts.in('en');
    expect(t('spec.names', { names: ['Aqua'] })).toBe('Ingredients: Aqua');
    expect(t('spec.json')).toBe('It is no {"data":[{…}]}');
    expect(placeholdersIn(t('spec.json'))).toEqual([]);
  });

  it('is checked by the compiler', () => {
    // @ts-expect-error a code of no table
    expect(render(texts('spec.unknown'))).toBe('spec.unknown');
    // @ts-expect-error a value is missing
    expect(render(texts('spec.sheet', { formula: 'x' }))).toBe('x（第 {version} 版）');
  });

  it('is defined once', () => {
    expect(() => defineTexts({ 'spec.names': ['', ''] })).toThrow('The text spec.names is defined twice.');
  });
});
