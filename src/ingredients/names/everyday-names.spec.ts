import everydayNames from './everyday-names.json';
import { nameKey } from '../../platform/common/name-forms';
import { meaningsOf } from './everyday-names';

describe('The everyday names', () => {
  const { entries, sources, references } = everydayNames;
  const names = entries.flatMap((entry) => entry.names);

  it('are several hundred, each once', () => {
    expect(names.length).toBeGreaterThan(600);
    const keys = names.map(nameKey);
    expect(names.filter((_, at) => keys.indexOf(keys[at]!) !== at)).toEqual([]);
  });

  it('each have a source and a meaning', () => {
    for (const { means, source } of entries) {
      expect(Object.keys(sources)).toContain(source);
      expect(means.length).toBeGreaterThan(0);
      for (const inciNames of means) expect(inciNames.length).toBeGreaterThan(0);
    }
  });

  it('name a reference work only for names of the entry', () => {
    for (const { names: own, ...entry } of entries) {
      const listed: Record<string, string[] | undefined> = 'listed' in entry ? { ...entry.listed } : {};
      for (const [reference, names] of Object.entries(listed)) {
        expect(Object.keys(references)).toContain(reference);
        expect(own).toEqual(expect.arrayContaining(names!));
      }
    }
  });

  it.each([
    ['去离子水', ['Aqua']],
    ['gtcc', ['Caprylic/Capric Triglyceride']],
    ['辛酸/癸酸甘油三酯', ['Caprylic/Capric Triglyceride']],
    ['吐溫-20', ['Polysorbate 20']],
    ['VE', ['Tocopherol', 'Tocopheryl Acetate']],
    ['DPG', ['Dipropylene Glycol', 'Dipotassium Glycyrrhizate']],
    ['Mineral Oil', ['Paraffinum Liquidum']],
    ['Butyrospermum Parkii (Shea) Butter', ['Butyrospermum Parkii Butter']],
    ['Glycerin', []],
    ['unheard of', []],
  ])('%s may mean %j', (name, expected) =>
    expect(meaningsOf(nameKey(name)).map(([inciName]) => inciName)).toEqual(expected),
  );
});
