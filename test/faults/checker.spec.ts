import { History, type Outcome, type Seen, type Write } from './checker';

type Told = [what: Write['what'], text: string, outcome: Outcome, version?: number];

const CREATED: Told = ['create', 'c0', 'acknowledged'];

function historyOf(...told: Told[]): History {
  const history = new History();
  for (const [what, text, outcome, version] of told) {
    Object.assign(history.begin('r', what, text), { outcome, version });
  }
  return history;
}

const formula = (version: number, text: string, more: Partial<Seen> = {}): Seen => ({
  description: 'c0',
  composition: { version, lines: [text, text, text, text], sum: 100 },
  ...more,
});

/** Texts of what is wrong, and what of it is lost. */
const problems = (history: History, seen: Seen | undefined) =>
  history.judge('r', seen).map(({ text, lost }) => (lost ? `${text} (lost: ${lost.text})` : text));

describe('History', () => {
  describe('finds nothing wrong with', () => {
    it.each<[string, Told[], Seen | undefined]>([
      ['a formula as it was created', [CREATED], formula(1, 'c0')],
      ['one that is not there after an unclear answer', [['create', 'c0', 'unknown']], undefined],
      ['one that is there after an unclear answer', [['create', 'c0', 'unknown']], formula(1, 'c0')],
      ['one that was refused', [['create', 'c0', 'refused']], undefined],
      ['its newest version', [CREATED, ['revise', 'c1', 'acknowledged', 2]], formula(2, 'c1')],
      ['a version after an unclear answer', [CREATED, ['revise', 'c1', 'unknown']], formula(2, 'c1')],
      ['none after an unclear answer', [CREATED, ['revise', 'c1', 'unknown']], formula(1, 'c0')],
      [
        'an unclear write that comes late',
        [CREATED, ['revise', 'c1', 'unknown'], ['revise', 'c2', 'acknowledged', 2]],
        formula(3, 'c1'),
      ],
      [
        'an unclear write between two that were acknowledged',
        [CREATED, ['revise', 'c1', 'unknown'], ['revise', 'c2', 'acknowledged', 3]],
        formula(3, 'c2'),
      ],
      ['one that was deleted', [CREATED, ['delete', '', 'acknowledged']], undefined],
      ['one that may have been deleted', [CREATED, ['delete', '', 'unknown']], undefined],
      ['one that may have been deleted and is there', [CREATED, ['delete', '', 'unknown']], formula(1, 'c0')],
      [
        'its last description',
        [CREATED, ['describe', 'd1', 'acknowledged'], ['describe', 'd2', 'acknowledged']],
        { description: 'd2' },
      ],
      [
        'a description after an unclear answer',
        [CREATED, ['describe', 'd1', 'unknown'], ['describe', 'd2', 'acknowledged']],
        { description: 'd1' },
      ],
    ])('%s', (_, told, seen) => expect(problems(historyOf(...told), seen)).toEqual([]));
  });

  describe('finds', () => {
    it.each<[string, Told[], Seen | undefined, string]>([
      ['a lost creation', [CREATED], undefined, 'what was acknowledged is not there (lost: c0)'],
      [
        'a lost revision',
        [CREATED, ['revise', 'c1', 'acknowledged', 2]],
        formula(1, 'c0'),
        'version 1, not 2 (lost: c1)',
      ],
      [
        'a revision under whose number there is another',
        [CREATED, ['revise', 'c1', 'acknowledged', 2], ['revise', 'c2', 'unknown']],
        formula(2, 'c2'),
        'version 2 shows “c2” (lost: c1)',
      ],
      [
        'a number that was given twice',
        [CREATED, ['revise', 'c1', 'acknowledged', 2], ['revise', 'c2', 'acknowledged', 2]],
        formula(2, 'c2'),
        'version 2 was given twice (lost: c2)',
      ],
      [
        'a gap',
        [CREATED, ['revise', 'c1', 'acknowledged', 3]],
        formula(3, 'c1'),
        'gaps: 1 numbers of 0 unknown writes',
      ],
      [
        'numbers above all that was written',
        [CREATED, ['revise', 'c1', 'unknown']],
        formula(3, 'c1'),
        'gaps: 2 numbers of 1 unknown writes',
      ],
      [
        'a lost description',
        [CREATED, ['describe', 'd1', 'acknowledged']],
        formula(1, 'c0'),
        'described “c0”, not “d1” (lost: d1)',
      ],
      [
        'a description of before the last',
        [CREATED, ['describe', 'd1', 'acknowledged'], ['describe', 'd2', 'acknowledged']],
        { description: 'd1' },
        'described “d1”, not “d2” (lost: d2)',
      ],
      [
        'what was deleted',
        [CREATED, ['delete', '', 'acknowledged']],
        formula(1, 'c0'),
        'it was deleted and is there (lost: )',
      ],
      ['what was refused', [['create', 'c0', 'refused']], formula(1, 'c0'), 'it was refused and is there'],
      [
        'a revision that was refused',
        [CREATED, ['revise', 'c1', 'refused']],
        formula(1, 'c1'),
        'version 1 shows “c1” (lost: c0)',
      ],
      [
        'a description that was refused',
        [CREATED, ['describe', 'd1', 'refused']],
        { description: 'd1' },
        'described “d1”, not “c0” (lost: c0)',
      ],
      [
        'a formula without some of its lines',
        [CREATED],
        formula(1, 'c0', { composition: { version: 1, lines: ['c0', 'c0'], sum: 50 } }),
        'half: 2 lines (c0), 50 %',
      ],
      [
        'a formula of two revisions',
        [CREATED, ['revise', 'c1', 'unknown']],
        formula(2, 'c0', { composition: { version: 2, lines: ['c0', 'c0', 'c1', 'c1'], sum: 100 } }),
        'half: 4 lines (c0, c1), 100 %',
      ],
      [
        'a formula whose percentages are others',
        [CREATED],
        formula(1, 'c0', { composition: { version: 1, lines: ['c0', 'c0', 'c0', 'c0'], sum: 99.6 } }),
        'half: 4 lines (c0), 99.6 %',
      ],
    ])('%s', (_, told, seen, wrong) => expect(problems(historyOf(...told), seen)).toEqual([wrong]));

    it('what nobody has written', () => {
      expect(problems(new History(), formula(1, 'x'))).toEqual(['nobody has written it']);
    });
  });

  it('a read that began before a write was acknowledged may show it or not', () => {
    const history = historyOf(CREATED);
    const before = history.settled('r');
    Object.assign(history.begin('r', 'revise', 'c1'), { outcome: 'acknowledged', version: 2 });
    expect(history.judge('r', formula(1, 'c0'), before)).toEqual([]);
    expect(history.judge('r', formula(2, 'c1'), before)).toEqual([]);
    expect(history.judge('r', formula(1, 'c0'))).toHaveLength(1);
  });
});
