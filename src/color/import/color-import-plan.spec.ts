import { planColorImport, type StoredColor } from './color-import-plan';
import { type ColorDraft } from './color-row';

const targetLab = { L: 41, a: 52, b: 23 };
const stored: StoredColor = {
  id: 'x',
  name: '正红 A',
  targetLab,
  actualLab: { L: 40, a: 51, b: 22 },
  deltaE: 1.5,
  colorantComposition: { red: 2, white: 1 },
};
const draft: ColorDraft = { line: 2, name: '正红 a', targetLab: { b: 23, a: 52, L: 41 } };
const nothing = { creations: [], changes: [], unchanged: 0, refused: [] };

describe('planColorImport', () => {
  it('creates what is not there', () => {
    const created = { name: '正红 a', targetLab, actualLab: null, deltaE: null, colorantComposition: null };
    expect(planColorImport([draft], [[]])).toEqual({ ...nothing, creations: [created] });
  });

  it('leaves alone what the row says nothing about', () => {
    expect(planColorImport([draft], [[stored]])).toEqual({ ...nothing, unchanged: 1 });
  });

  it.each<Partial<ColorDraft>>([
    { targetLab: { ...targetLab, L: 41.01 } },
    { actualLab: { L: 40, a: 51, b: 22.5 } },
    { deltaE: 0 },
    { colorantComposition: { white: 1, red: 2 } },
    { colorantComposition: 0 },
  ])('changes only what the row says: %j', (says) => {
    expect(planColorImport([{ ...draft, ...says }], [[stored]])).toEqual({
      ...nothing,
      changes: [{ ...stored, ...says }],
    });
  });

  it('refuses a row that could mean several colours', () => {
    expect(planColorImport([draft], [[stored, { ...stored, id: 'y' }]])).toEqual({
      ...nothing,
      refused: [{ line: 2, reason: '2 stored colours are named "正红 a"' }],
    });
  });
});
