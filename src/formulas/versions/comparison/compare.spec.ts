import fc from 'fast-check';
import { compare, type CompositionChanges } from './compare';
import type { ComparedLine, ComparedPhase } from './pair-lines';

const line = (
  ingredientId: string,
  percentage: number,
  processNotes: string | null = null,
): ComparedLine => ({
  ingredientId,
  ingredient: { id: ingredientId, inciName: ingredientId, chineseName: ingredientId },
  percentage,
  processNotes,
});

const phase = (name: string, ...lines: ComparedLine[]): ComparedPhase => ({ name, ingredients: lines });

/** `change name from>to` of each phase, and `change ingredient phase/position percentage` of each line. */
function told({ phases, lines }: CompositionChanges): string[] {
  return [
    ...phases.map(({ change, name, position }) =>
      [change, `${name.from}>${name.to}`, `${position.from}>${position.to}`].join(' '),
    ),
    ...lines.map(({ change, ingredient, phase: { from, to }, position, percentage }) =>
      [
        change,
        ingredient.id,
        `${from}>${to}`,
        `${position.from}>${position.to}`,
        `${percentage.from}>${percentage.to}`,
      ].join(' '),
    ),
  ];
}

/** Puts each listed item into its place, and the others in their order into the places that are left. */
function placed<T>(size: number, listed: ReadonlyMap<number, T>, others: readonly T[]): T[] {
  const rest = others.values();
  return Array.from({ length: size }, (_, index) => listed.get(index + 1) ?? rest.next().value!);
}

/** The composition that one becomes by what is listed. */
function apply({ phases, lines }: CompositionChanges, from: readonly ComparedPhase[]): ComparedPhase[] {
  const listedPhases = new Set(phases.map(({ position }) => position.from));
  const became = placed(
    from.length +
      phases.filter(({ change }) => change === 'added').length -
      phases.filter(({ change }) => change === 'removed').length,
    new Map(phases.map(({ position, name }) => [position.to!, { name: name.to!, from: position.from }])),
    from.flatMap(({ name }, index) => (listedPhases.has(index + 1) ? [] : [{ name, from: index + 1 }])),
  );
  return became.map(({ name, from: before }, index) => {
    const left = new Set(
      lines.filter((one) => one.phasePosition.from === before).map((one) => one.position.from),
    );
    const others =
      before === null ? [] : from[before - 1]!.ingredients.filter((_, place) => !left.has(place + 1));
    const arrived = lines.filter((one) => one.phasePosition.to === index + 1);
    const listed = new Map(
      arrived.map((one) => [
        one.position.to!,
        {
          ingredientId: one.ingredient.id,
          ingredient: one.ingredient,
          percentage: one.percentage.to!,
          processNotes: one.processNotes.to,
        },
      ]),
    );
    return { name, ingredients: placed(others.length + arrived.length, listed, others) };
  });
}

const compositions = fc.array(
  fc.record({
    name: fc.constantFrom('水相', '油相', 'C', '保温', '后加'),
    ingredients: fc.array(
      fc
        .tuple(
          fc.constantFrom('water', 'glycerin', 'oil', 'wax', 'scent'),
          fc.constantFrom(0.1, 0.2, 0.3, 1, 5, 33.33, 60),
          fc.constantFrom(null, '搅拌', ''),
        )
        .map((values) => line(...values)),
      { maxLength: 6 },
    ),
  }),
  { maxLength: 6 },
);

const counted = (changes: readonly { change: string }[], ...names: string[]) =>
  names.map((name) => changes.filter(({ change }) => change === name).length);

describe('compare', () => {
  const cream = [
    phase('水相', line('water', 70), line('glycerin', 5), line('gum', 0.3)),
    phase('油相', line('oil', 20), line('wax', 4.7)),
  ];
  const lotion = (change: (phases: { name: string; ingredients: ComparedLine[] }[]) => unknown) => {
    const phases = cream.map(({ name, ingredients }) => ({ name, ingredients: [...ingredients] }));
    change(phases);
    return told(compare(cream, phases));
  };

  it('lists nothing of equal compositions', () => {
    expect(lotion(() => undefined)).toEqual([]);
  });

  it.each<[string, Parameters<typeof lotion>[0], string[]]>([
    [
      'another percentage',
      ([a]) => (a!.ingredients[0] = line('water', 69)),
      ['changed water 水相>水相 1>1 70>69'],
    ],
    [
      'other notes',
      ([a]) => (a!.ingredients[0] = line('water', 70, '80℃')),
      ['changed water 水相>水相 1>1 70>70'],
    ],
    ['a new line', ([a]) => a!.ingredients.unshift(line('salt', 1)), ['added salt null>水相 null>1 null>1']],
    ['a line less', ([a]) => a!.ingredients.shift(), ['removed water 水相>null 1>null 70>null']],
    [
      'a line at the end',
      ([a]) => a!.ingredients.push(a!.ingredients.shift()!),
      ['moved water 水相>水相 1>3 70>70'],
    ],
    [
      'in another phase',
      ([a, b]) => b!.ingredients.push(a!.ingredients.pop()!),
      ['moved gum 水相>油相 3>3 0.3>0.3'],
    ],
    [
      'in another phase and changed',
      ([a, b]) => b!.ingredients.unshift({ ...a!.ingredients.pop()!, percentage: 0.5 }),
      ['changed gum 水相>油相 3>1 0.3>0.5'],
    ],
    ['another name', ([a]) => (a!.name = 'A'), ['renamed 水相>A 1>1']],
    ['another order', (phases) => phases.reverse(), ['reordered 油相>油相 2>1']],
    [
      'another name and order',
      (phases) => {
        phases[0]!.name = 'A';
        phases.reverse();
      },
      ['renamed 水相>A 1>2'],
    ],
    [
      'a new phase before',
      (phases) => phases.unshift({ name: '预混', ingredients: [line('water', 1)] }),
      ['added null>预混 null>1', 'added water null>预混 null>1 null>1'],
    ],
    [
      'a phase less',
      (phases) => phases.pop(),
      [
        'removed 油相>null 2>null',
        'removed oil 油相>null 1>null 20>null',
        'removed wax 油相>null 2>null 4.7>null',
      ],
    ],
  ])('lists %s alone', (_, change, expected) => {
    expect(lotion(change)).toEqual(expected);
  });

  it('pairs phases of one name in their order, and the rest by most ingredients in common', () => {
    const [a, b, c] = [line('a', 1), line('b', 1), line('c', 1)];
    expect(
      told(
        compare(
          [phase('A', a), phase('A', b), phase('X', a, b), phase('Y', c)],
          [phase('A', a), phase('V', b, c), phase('W', b, a), phase('A', b)],
        ),
      ),
    ).toEqual(['renamed Y>V 4>2', 'renamed X>W 3>3', 'added b null>V null>1 null>1', 'moved b X>W 2>1 1>1']);
  });

  it('lists what was removed where its phase is now', () => {
    const [a, b, c, d] = [line('a', 1), line('b', 1), line('c', 1), line('d', 1)];
    expect(
      told(
        compare(
          [phase('A', a, b), phase('B', c)],
          [phase('New', d), phase('B', line('c', 2)), phase('A', a)],
        ),
      ),
    ).toEqual([
      'added null>New null>1',
      'reordered B>B 2>2',
      'added d null>New null>1 null>1',
      'changed c B>B 1>1 1>2',
      'removed b A>null 2>null 1>null',
    ]);
  });

  it('pairs an ingredient that is there several times inside its phase first, then by nearest percentage', () => {
    const from = [phase('A', line('water', 10), line('water', 30)), phase('B', line('water', 60))];
    const to = [phase('A', line('water', 59)), phase('B', line('water', 29), line('water', 12))];
    expect(told(compare(from, to))).toEqual([
      'changed water A>A 2>1 30>59',
      'changed water B>B 1>1 60>29',
      'changed water A>B 1>2 10>12',
    ]);
  });

  it('makes the total of the differences small, not the first ones', () => {
    // 1 is nearest to 2, but then 3 would have 9 for a partner.
    const from = [phase('A', line('water', 1), line('water', 3))];
    const to = [phase('A', line('water', 9), line('water', 2), line('water', 0.5))];
    expect(told(compare(from, to))).toEqual([
      'added water null>A null>1 null>9',
      'changed water A>A 2>2 3>2',
      'changed water A>A 1>3 1>0.5',
    ]);
  });

  it('pairs lines of the same notes where percentages are the same', () => {
    const from = [phase('A', line('water', 5, '先加'), line('water', 5, '后加'))];
    expect(told(compare(from, [phase('A', line('water', 5, '后加'))]))).toEqual([
      'removed water A>null 1>null 5>null',
    ]);
  });

  it('tells notes that are empty from none', () => {
    expect(told(compare([phase('A', line('a', 1))], [phase('A', line('a', 1, ''))]))).toHaveLength(1);
  });

  it('takes a line that has changed for the one that has moved', () => {
    const from = [phase('A', line('a', 1), line('b', 1))];
    const to = [phase('A', line('b', 2), line('a', 1))];
    expect(told(compare(from, to))).toEqual(['changed b A>A 2>1 1>2']);
    expect(told(compare(to, from))).toEqual(['changed b A>A 1>2 2>1']);
  });

  it('applied to the one gives the other', () => {
    fc.assert(
      fc.property(compositions, compositions, (a, b) => {
        expect(apply(compare(a, b), a)).toEqual(b);
      }),
      { numRuns: 1000 },
    );
  });

  it('applied to the one gives the other that was edited from it', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('move', 'swap', 'change')), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(compositions, edits, (a, changes) => {
        const b = a.map(({ name, ingredients }) => ({ name, ingredients: [...ingredients] }));
        for (const [x, y, change] of changes.filter(() => b.length > 0)) {
          const [one, other] = [b[x % b.length]!, b[y % b.length]!];
          if (change === 'swap') [b[x % b.length], b[y % b.length]] = [other, one];
          else if (one.ingredients.length > 0) {
            const [taken] = one.ingredients.splice(y % one.ingredients.length, 1);
            other.ingredients.splice(
              x % (other.ingredients.length + 1),
              0,
              change === 'move' ? taken! : { ...taken!, percentage: 2 },
            );
          }
        }
        const comparison = compare(a, b);
        expect(apply(comparison, a)).toEqual(b);
      }),
      { numRuns: 1000 },
    );
  });

  it('lists nothing of a composition and itself', () => {
    fc.assert(fc.property(compositions, (a) => expect(told(compare(a, a))).toEqual([])));
  });

  it('lists as much in one direction as in the other', () => {
    fc.assert(
      fc.property(compositions, compositions, (a, b) => {
        const [there, back] = [compare(a, b), compare(b, a)];
        expect(counted(there.phases, 'added', 'removed', 'renamed', 'reordered')).toEqual(
          counted(back.phases, 'removed', 'added', 'renamed', 'reordered'),
        );
        expect(counted(there.lines, 'added', 'removed', 'changed', 'moved')).toEqual(
          counted(back.lines, 'removed', 'added', 'changed', 'moved'),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('reports one line that has moved as one', () => {
    const some = fc.uniqueArray(fc.nat(999), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(some, fc.nat(), fc.nat(), (ids, from, to) => {
        const lines = ids.map((id) => line(`i${id}`, 1));
        const [taken] = lines.splice(from % lines.length, 1);
        const before = lines.toSpliced(from % ids.length, 0, taken!);
        const after = lines.toSpliced(to % ids.length, 0, taken!);
        const isSame = from % ids.length === to % ids.length;
        expect(compare([phase('A', ...before)], [phase('A', ...after)]).lines).toHaveLength(isSame ? 0 : 1);
      }),
    );
  });

  describe('of the largest compositions', () => {
    const largest = (name: string, ingredient: (at: number) => string, share: (at: number) => number) =>
      Array.from({ length: 200 }, (_, at) =>
        phase(
          `${name}${at}`,
          ...Array.from({ length: 5 }, (__, place) =>
            line(ingredient(at * 5 + place), share(at * 5 + place)),
          ),
        ),
      );
    const one = () => 'water';
    const mixed = (at: number) => `i${(at * 7919) % 1000}`;

    it.each([
      ['of one ingredient', largest('A', one, (at) => at + 1), largest('A', one, (at) => 1000.5 - at)],
      ['with other names', largest('A', one, (at) => at + 1), largest('B', one, (at) => 1000.5 - at)],
      [
        'of different ingredients',
        largest('A', mixed, (at) => at + 1),
        largest('B', mixed, (at) => at + 2).reverse(),
      ],
      [
        'of five',
        largest(
          'A',
          (at) => `i${at % 5}`,
          (at) => at + 1,
        ),
        largest(
          'B',
          (at) => `i${at % 5}`,
          () => 0.1,
        ),
      ],
      [
        'against half',
        largest('A', one, (at) => at + 1),
        [
          phase(
            'B',
            ...largest('B', one, (at) => at + 0.5)
              .slice(0, 100)
              .flatMap(({ ingredients }) => ingredients),
          ),
        ],
      ],
      [
        'in one phase',
        [phase('A', ...largest('A', one, (at) => at + 1).flatMap(({ ingredients }) => ingredients))],
        [phase('A', ...largest('A', one, (at) => 1000.5 - at).flatMap(({ ingredients }) => ingredients))],
      ],
    ])('is applied to one and gives the other: %s', (_, a, b) => {
      expect(apply(compare(a, b), a)).toEqual(b);
    });
  });
});
