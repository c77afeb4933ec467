import type { ResolvedNameDto } from '../../../ingredients/names/resolve.dto';
import { compose, type ReadLine } from './extraction.service';
import type { ExtractedFormula } from './formula-extraction';

const resolution = (ids: string[], overrides: Partial<ResolvedNameDto> = {}): ResolvedNameDto => ({
  name: 'x',
  certain: ids.length === 1,
  grade: null,
  inciNames: [],
  candidates: ids.map((id) => ({
    ingredient: { id, inciName: id, chineseName: id, supplier: null },
    matchedBy: 'inci',
  })),
  ...overrides,
});
const read = (...resolutions: ResolvedNameDto[]): ReadLine => ({ names: ['A', 'B'], resolutions });
const line = (phase: string, percentage = 10, processNotes = '') => ({
  inciName: 'A',
  chineseName: 'B',
  percentage,
  phase,
  processNotes,
});

type Amount = ExtractedFormula['amounts'][number];
const STATED: Amount = { written: '10 %', isRange: false, isCalculated: false, notes: '' };
const formula = (
  lines: ReturnType<typeof line>[],
  { amounts = {}, unread = 0 }: { amounts?: Partial<Amount> | Partial<Amount>[]; unread?: number } = {},
) => ({
  lines,
  amounts: lines.map((_, at) => ({ ...STATED, ...(Array.isArray(amounts) ? amounts[at] : amounts) })),
  unread: { count: unread, textLines: [] },
});

const reasonOf = (...resolutions: ResolvedNameDto[]) =>
  compose(formula([line('A')]), [read(...resolutions)]).unresolved[0]?.reason;

describe('compose', () => {
  it('keeps the order of work: a phase that comes again is another one', () => {
    const found = ['1', '2', '3', '4'].map((id) => read(resolution([id])));
    const { phases } = compose(formula([line('A'), line('B'), line('A', 20, 'slowly'), line('')]), found);
    expect(phases.map(({ name, sortOrder, ingredients }) => [name, sortOrder, ingredients.length])).toEqual([
      ['A', 1, 1],
      ['B', 2, 1],
      ['A', 3, 1],
      ['未分相', 4, 1],
    ]);
    expect(phases[2]!.ingredients).toEqual([{ ingredientId: '3', percentage: 20, processNotes: 'slowly' }]);
  });

  it('takes a line that one of its names decides', () => {
    expect(reasonOf(resolution(['1']), resolution([]))).toBeUndefined();
    expect(reasonOf(resolution(['1', '2'], { certain: false }), resolution(['2']))).toBeUndefined();
  });

  it('takes no line whose names contradict each other, or name a solution', () => {
    expect(reasonOf(resolution(['1']), resolution(['2']))).toBe('uncertain');
    expect(reasonOf(resolution(['1']), resolution(['1'], { certain: false, grade: '10%' }))).toBe(
      'uncertain',
    );
    expect(reasonOf(resolution([]), resolution([]))).toBe('unknown');
    expect(reasonOf()).toBe('unknown');
  });

  it.each([0, -1, 100.01, Number.NaN])('takes no line of %d percent', (percentage) => {
    const { phases, unresolved } = compose(formula([line('A', percentage)]), [read(resolution(['1']))]);
    expect({ phases, reason: unresolved[0]?.reason }).toEqual({ phases: [], reason: 'percentage' });
  });

  const certain = read(resolution(['1']));
  const shown = ({ phases, unresolved, percentTotal }: ReturnType<typeof compose>) => ({
    percentages: phases.flatMap(({ ingredients }) => ingredients.map(({ percentage }) => percentage)),
    unresolved: unresolved.map(({ reason, amount, percentage, processNotes }) => ({
      ...{ reason, amount, percentage, processNotes },
    })),
    percentTotal,
  });

  it('takes no middle of a range, and nothing that is calculated beside one', () => {
    const range = { written: '5-10 %', isRange: true, notes: 'slowly' };
    const rest = { written: '100 %', isCalculated: true };
    const given = formula([line('A', 7.5, 'slowly;middle'), line('A', 92.5)], { amounts: [range, rest] });
    expect(shown(compose(given, [certain, certain]))).toEqual({
      percentages: [],
      unresolved: [
        { reason: 'percentage', amount: '5-10 %', percentage: 0, processNotes: 'slowly' },
        { reason: 'percentage', amount: '100 %', percentage: 0, processNotes: null },
      ],
      percentTotal: '0',
    });
  });

  it('takes no share of masses of which one was not read, and takes stated percentages all the same', () => {
    const mass = { written: '80 g', isCalculated: true };
    const lines = [line('A', 88.8889), line('A', 10)];
    expect(shown(compose(formula(lines, { amounts: [mass, {}] }), [certain, certain])).percentages).toEqual([
      88.8889, 10,
    ]);
    expect(shown(compose(formula(lines, { amounts: [mass, {}], unread: 1 }), [certain, certain]))).toEqual({
      percentages: [10],
      unresolved: [{ reason: 'percentage', amount: '80 g', percentage: 0, processNotes: null }],
      percentTotal: '10',
    });
  });

  it('gives no other reason than the amount where one ingredient may be meant and none is stated', () => {
    const solution = read(resolution(['1'], { certain: false, grade: '20%' }));
    const reason = (percentage: number, found = solution) =>
      compose(formula([line('A', percentage)]), [found]).unresolved[0]?.reason;
    expect([reason(0), reason(5)]).toEqual(['percentage', 'uncertain']);
    expect(reason(0, read(resolution(['1', '2'])))).toBe('uncertain');
  });

  it('tells of each line what became of its name', () => {
    const { lines } = compose(formula([line('A'), line('A')]), [certain, read(resolution([]))]);
    expect(lines).toEqual([
      {
        ...{ position: 1, name: 'A B', amount: '10 %', matchedBy: 'inci' },
        ingredient: { id: '1', inciName: '1', chineseName: '1', supplier: null },
      },
      { position: 2, name: 'A B', amount: '10 %', matchedBy: null, ingredient: null },
    ]);
  });

  it('says where an unresolved line stands', () => {
    const { unresolved } = compose(formula([line('A'), line('B', 3)]), [
      read(resolution(['1'])),
      read(resolution([])),
    ]);
    expect(unresolved).toMatchObject([{ position: 2, phase: 'B', name: 'A B', percentage: 3 }]);
  });
});
