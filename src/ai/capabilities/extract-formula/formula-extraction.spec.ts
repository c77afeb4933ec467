import { FormulaExtraction } from './formula-extraction';
import { type IngredientNamesRepository } from './ingredient-names.repository';

describe('FormulaExtraction', () => {
  it('looks up names of up to 200 characters, each once', async () => {
    const nearInciName = jest.fn((_: readonly string[]) => Promise.resolve([]));
    const extraction = new FormulaExtraction({ nearInciName } as unknown as IngredientNamesRepository);
    const line = (inciName: string) => ({
      inciName,
      chineseName: '',
      percentage: 1,
      phase: '',
      processNotes: '',
    });
    const names = ['x'.repeat(200), 'x'.repeat(201), 'Aqua', 'Aqua'];
    const { lines } = await extraction.complete({ ingredients: names.map(line) });
    expect(lines.map(({ inciName }) => inciName)).toEqual(names);
    expect(nearInciName.mock.calls).toEqual([[['x'.repeat(200), 'Aqua']]]);
  });
});
