import type { Resolution } from '../resolve/resolution';
import { compose, type ReadLine } from './compose';

const resolution = (ids: string[], overrides: Partial<Resolution> = {}): Resolution => ({
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
const read = (...resolutions: Resolution[]): ReadLine => ({ names: ['A', 'B'], resolutions });
const line = (phase: string, percentage = 10, processNotes = '') => ({
  inciName: 'A',
  chineseName: 'B',
  percentage,
  phase,
  processNotes,
});

const reasonOf = (...resolutions: Resolution[]) =>
  compose([line('A')], [read(...resolutions)]).unresolved[0]?.reason;

describe('compose', () => {
  it('keeps the order of work: a phase that comes again is another one', () => {
    const found = ['1', '2', '3', '4'].map((id) => read(resolution([id])));
    const { phases } = compose([line('A'), line('B'), line('A', 20, 'slowly'), line('')], found);
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
    const { phases, unresolved } = compose([line('A', percentage)], [read(resolution(['1']))]);
    expect({ phases, reason: unresolved[0]?.reason }).toEqual({ phases: [], reason: 'percentage' });
  });

  it('says where an unresolved line stands', () => {
    const { unresolved } = compose(
      [line('A'), line('B', 3)],
      [read(resolution(['1'])), read(resolution([]))],
    );
    expect(unresolved).toMatchObject([{ position: 2, phase: 'B', name: 'A B', percentage: 3 }]);
  });
});
