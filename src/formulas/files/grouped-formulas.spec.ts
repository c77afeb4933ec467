import type { FormulaFileRow, FormulaRow } from './formula-row';
import { compositionKey, groupedFormulas } from './grouped-formulas';

describe('compositionKey', () => {
  const phase = (name: string, sortOrder: number, percentage = 50, processNotes: string | null = null) => ({
    name,
    sortOrder,
    ingredients: [{ ingredientId: 'water', percentage, processNotes }],
  });
  const [a, b] = [phase('A', 1, 40), phase('B', 2, 60)];

  it.each([
    ['the order in which phases of different order stand', [b, a]],
    ['blanks around names and notes', [phase(' A ', 1, 40, ' '), b]],
  ])('is the same whatever %s', (_, phases) => {
    expect(compositionKey(phases)).toBe(compositionKey([a, b]));
  });

  it('is the same for the parts of a phase and for the whole of it', () => {
    const whole = { ...a, ingredients: [...a.ingredients, ...phase('A', 1, 20).ingredients] };
    expect(compositionKey([a, b, phase('A', 1, 20)])).toBe(compositionKey([whole, b]));
  });

  it.each([
    ['another amount', [phase('A', 1, 40.0001), b]],
    ['other notes', [phase('A', 1, 40, '加热'), b]],
    ['another name', [phase('C', 1, 40), b]],
    ['another order', [phase('A', 3, 40), b]],
  ])('is another one for %s', (_, phases) => {
    expect(compositionKey(phases)).not.toBe(compositionKey([a, b]));
  });

  it('is another one where phases of one order change places', () => {
    const [one, two] = [phase('A', 1), phase('B', 1)];
    expect(compositionKey([one, two])).not.toBe(compositionKey([two, one]));
  });
});

describe('groupedFormulas', () => {
  const row = (
    line: number,
    formula: string,
    version: number | null = null,
    formulaId: string | null = null,
  ) => ({ line, formula, version, formulaId }) as FormulaRow;
  const sum = (line: number): FormulaFileRow => ({ line, sum: '合计' });

  async function grouped(rows: readonly FormulaFileRow[]) {
    const formulas = await groupedFormulas(rows);
    return formulas.map(({ name, versions, lines }) => ({
      name,
      lines,
      versions: versions.map(({ number, rows: own, sums }) => [number, own, sums].map(linesOf)),
    }));
  }

  const linesOf = (part: number | null | readonly { line: number }[]) =>
    Array.isArray(part) ? part.map(({ line }: { line: number }) => line) : part;

  it('gives each version its rows and the sums below them, the earliest first', async () => {
    const rows = [row(2, 'A', 2), sum(3), row(4, 'B'), row(5, 'A', 1), sum(6), row(7, 'A', 2)];
    expect(await grouped(rows)).toEqual([
      {
        name: 'A',
        lines: [2, 3, 5, 6, 7],
        versions: [
          [1, [5], [6]],
          [2, [2, 7], [3]],
        ],
      },
      { name: 'B', lines: [4], versions: [[null, [4], []]] },
    ]);
  });

  it('gives sums above all lines to the first formula, and tells formulas by id before name', async () => {
    const rows = [sum(2), row(3, 'A', null, 'x'), row(4, 'A'), row(5, 'Other', null, 'x')];
    expect(await grouped(rows)).toEqual([
      { name: 'A', lines: [3, 2, 5], versions: [[null, [3, 5], [2]]] },
      { name: 'A', lines: [4], versions: [[null, [4], []]] },
    ]);
    expect(await grouped([sum(2)])).toEqual([]);
  });
});
