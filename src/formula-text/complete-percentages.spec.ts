import {
  type Amount,
  completePercentages,
  gramsPer,
  isRange,
  type RawLine,
  readAmount,
} from './complete-percentages';

const line = (inciName: string, more: Partial<RawLine>): RawLine => ({
  inciName,
  chineseName: '',
  percentage: null,
  phase: '',
  processNotes: '',
  ...more,
});

const percentages = (lines: RawLine[]) => completePercentages(lines).map(({ percentage }) => percentage);
const notes = (lines: RawLine[]) => completePercentages(lines).map(({ processNotes }) => processNotes);

describe('completePercentages', () => {
  it('leaves plain percentages as they are, and exactly the five fields', () => {
    expect(
      completePercentages([line('Glycerin', { percentage: 5, phase: ' A ', processNotes: ' slowly ' })]),
    ).toEqual([{ inciName: 'Glycerin', chineseName: '', percentage: 5, phase: 'A', processNotes: 'slowly' }]);
  });

  it('gives the remainder to the one line that asks for it', () => {
    expect(
      percentages([
        line('Aqua', { balance: true }),
        line('A', { percentage: 32.6 }),
        line('B', { percentage: 43.2 }),
      ]),
    ).toEqual([24.2, 32.6, 43.2]);
  });

  it.each(['加至100', 'q.s. to 100', '余量', 'to 100'])(
    'understands the balance in the amount: %s',
    (amount) => {
      expect(percentages([line('Aqua', { amount }), line('A', { percentage: 20 })])).toEqual([80, 20]);
    },
  );

  it('understands the balance in the notes of a model that knows only the five fields', () => {
    expect(
      percentages([line('Aqua', { percentage: 0, processNotes: '加至100' }), line('A', { percentage: 20 })]),
    ).toEqual([80, 20]);
  });

  it.each([
    ['加至100', 80],
    ['余量', 80],
    ['加至200', 0],
  ])(
    'takes the note %s of an oil for the balance only where it is to the total',
    (processNotes, percentage) => {
      expect(percentages([line('Squalane', { processNotes }), line('A', { percentage: 20 })])).toEqual([
        percentage,
        20,
      ]);
    },
  );

  it('gives the remainder to nobody when two lines ask for it, and says so', () => {
    const lines = [
      line('Aqua', { balance: true }),
      line('Oil', { balance: true }),
      line('A', { percentage: 20 }),
    ];
    expect(percentages(lines)).toEqual([0, 0, 20]);
    expect(notes(lines)).toEqual(['余量,原文不足以确定用量', '余量,原文不足以确定用量', '']);
  });

  it('a remainder of nothing is a remainder: no note doubts it', () => {
    const lines = [line('Aqua', { balance: true }), line('A', { percentage: 100 })];
    expect(percentages(lines)).toEqual([0, 100]);
    expect(notes(lines)).toEqual(['', '']);
  });

  it('does not go below nothing when the others are more than all', () => {
    const lines = [
      line('Aqua', { balance: true }),
      line('A', { percentage: 70 }),
      line('B', { percentage: 40 }),
    ];
    expect(percentages(lines)).toEqual([0, 70, 40]);
    expect(notes(lines)).toEqual(['余量,原文不足以确定用量', '', '']);
  });

  it('water "q.s." is the balance where nothing else asks for it; other "q.s." lines are open', () => {
    const lines = [
      line('', { chineseName: '去离子水', amount: '适量' }),
      line('Fragrance', { amount: 'q.s.' }),
      line('A', { percentage: 10 }),
    ];
    expect(percentages(lines)).toEqual([90, 0, 10]);
    expect(notes(lines)[1]).toBe('适量');
  });

  it('water "q.s." is open where another line asks for the balance', () => {
    const lines = [
      line('Aqua', { amount: 'q.s.' }),
      line('Squalane', { balance: true }),
      line('A', { percentage: 20 }),
    ];
    expect(percentages(lines)).toEqual([0, 80, 20]);
    expect(notes(lines)).toEqual(['适量', '', '']);
  });

  it('water with an amount keeps it, and blanks around names mean nothing', () => {
    expect(percentages([line('Aqua', { percentage: 60 }), line('A', { percentage: 20 })])).toEqual([60, 20]);
    for (const water of [
      line(' Aqua ', { amount: 'q.s.' }),
      line('', { chineseName: ' 水 ', amount: '适量' }),
    ])
      expect(percentages([water, line('A', { percentage: 20 })])).toEqual([80, 20]);
    expect(completePercentages([line(' Aqua ', { chineseName: ' 水 ' })])[0]).toMatchObject({
      inciName: 'Aqua',
      chineseName: '水',
    });
  });

  it('two lines of water "q.s." are both open', () => {
    const waters = [line('Aqua', { amount: 'q.s.' }), line('', { chineseName: '纯水', amount: '适量' })];
    expect(percentages([...waters, line('A', { percentage: 10 })])).toEqual([0, 0, 10]);
    expect(notes(waters)).toEqual(['适量', '适量']);
  });

  it('says that an amount is a bound or has a tolerance', () => {
    const lines = [
      line('A', { amount: '< 1', unit: '%', processNotes: '最后加入' }),
      line('B', { amount: 'max. 2', percentage: 2 }),
      line('C', { amount: '0.5 ± 0.1', unit: '%' }),
      line('D', { amount: '1' }),
    ];
    expect(percentages(lines)).toEqual([1, 2, 0.5, 1]);
    expect(notes(lines)).toEqual(['最后加入;原文用量 < 1', '原文用量 max. 2', '原文用量 0.5 ± 0.1', '']);
    expect(lines.map(isRange)).toEqual([true, true, true, false]);
  });

  it('takes the middle of a range and says so', () => {
    const lines = [line('A', { amount: '1-3', unit: '%', processNotes: '最后加入' })];
    expect(percentages(lines)).toEqual([2]);
    expect(notes(lines)).toEqual(['最后加入;原文用量范围 1-3,取中值']);
  });

  it('makes a range of grams percent, and says so', () => {
    const lines = [line('A', { amount: '10-20', unit: 'g' }), line('B', { amount: 45, unit: 'g' })];
    expect(percentages(lines)).toEqual([25, 75]);
    expect(notes(lines)).toEqual(['原文用量范围 10-20,取中值', '']);
  });

  it('makes grams percent of their total', () => {
    expect(percentages([line('A', { amount: 150, unit: 'g' }), line('B', { amount: '50 g' })])).toEqual([
      75, 25,
    ]);
  });

  it('makes grams percent of the batch that the balance line names', () => {
    expect(
      percentages([
        line('Aqua', { amount: 'q.s. to 500', unit: 'g' }),
        line('A', { amount: 25, unit: 'g' }),
        line('B', { amount: 500, unit: 'mg' }),
      ]),
    ).toEqual([94.9, 5, 0.1]);
  });

  it.each<[Partial<RawLine>, number]>([
    [{ amount: 'q.s. to 500', unit: 'g' }, 5],
    [{ amount: 'q.s. to 1', unit: 'kg' }, 2.5],
    [{ amount: 'q.s. to 100' }, 25],
    [{ amount: '余量', unit: 'g' }, 25],
    [{ balance: true, amount: 'q.s. to 500', unit: 'g' }, 5],
    [{ balance: true, amount: 500, unit: 'g' }, 5],
    [{ balance: true, amount: 2, unit: 'kg' }, 1.25],
    [{ balance: true, amount: 500 }, 25],
    [{ balance: true, amount: '适量', unit: 'g' }, 25],
    [{ balance: true, unit: 'g' }, 25],
  ])('beside the balance %j, 25 g are %d percent', (balance, percentage) => {
    expect(percentages([line('Aqua', balance), line('A', { amount: '25g' })])).toEqual([
      100 - percentage,
      percentage,
    ]);
  });

  it('makes nothing of masses that are nothing, or beside percents that leave nothing', () => {
    expect(percentages([line('A', { amount: 0, unit: 'g' })])).toEqual([0]);
    expect(percentages([line('A', { percentage: 120 }), line('B', { amount: 5, unit: 'g' })])).toEqual([
      120, 0,
    ]);
  });

  it('takes a batch with a balance and no target as 100 g, or as much as there is where that is more', () => {
    const balance = line('Aqua', { balance: true });
    expect(percentages([balance, line('A', { amount: 20, unit: 'g' })])).toEqual([80, 20]);
    expect(
      percentages([balance, line('A', { amount: 150, unit: 'g' }), line('B', { amount: 50, unit: 'g' })]),
    ).toEqual([0, 75, 25]);
  });

  it('mixes grams and percent: the grams are what the percents leave', () => {
    expect(
      percentages([
        line('A', { percentage: 20 }),
        line('B', { amount: 60, unit: 'g' }),
        line('C', { amount: 20, unit: 'g' }),
      ]),
    ).toEqual([20, 60, 20]);
  });

  it.each(['12', '适量', '若干'])('keeps a percentage that the model gives beside %s', (amount) => {
    expect(percentages([line('A', { percentage: 5, amount, unit: '%' })])).toEqual([5]);
    expect(notes([line('A', { percentage: 5, amount })])).toEqual(['']);
  });

  it('takes a mass rather than a percentage that the model gives beside it', () => {
    const lines = [line('A', { percentage: 5, amount: 20, unit: 'g' }), line('B', { amount: 80, unit: 'g' })];
    expect(percentages(lines)).toEqual([20, 80]);
  });

  it('says that an amount is as needed where the percentage beside it is none', () => {
    expect(notes([line('A', { percentage: 0, amount: '适量' })])).toEqual(['适量']);
    expect(notes([line('A', { processNotes: '适量' })])).toEqual(['适量']);
  });

  it('takes the amount where the model gives a percentage of nothing beside it', () => {
    expect(percentages([line('A', { percentage: 0, amount: '5' })])).toEqual([5]);
  });

  it('says where the text gives no amount at all', () => {
    expect(notes([line('A', {})])).toEqual(['原文未给出用量']);
  });

  it.each(['25g', '0.025 kg', '25000mg', '25 克', '0.025千克', '0.025公斤', '25000毫克', '25 Ｇ', '25g/批'])(
    'finds the unit of mass in the amount %s',
    (amount) => {
      const batch = line('Aqua', { balance: true, amount: 500, unit: 'g' });
      expect(percentages([batch, line('A', { amount })])).toEqual([95, 5]);
    },
  );

  it('takes the unit that the model gives before one in the amount', () => {
    const batch = line('Aqua', { balance: true, amount: 500, unit: 'g' });
    expect(percentages([batch, line('A', { amount: '25 mg', unit: 'g' })])).toEqual([95, 5]);
  });

  it('takes a word that begins like a unit for none', () => {
    expect(percentages([line('Aqua', { balance: true }), line('A', { amount: '25 gum' })])).toEqual([75, 25]);
  });

  it.each([
    'Aqua',
    'water',
    'Purified Water',
    'deionized water',
    '去离子水',
    '纯化水',
    '纯水',
    '水',
    '蒸馏水',
  ])('%s "q.s." is the balance; what only holds the word is not', (water) => {
    const filled = (name: string) =>
      percentages([line(name, { amount: 'q.s.' }), line('A', { percentage: 20 })]);
    expect(filled(water)).toEqual([80, 20]);
    expect(filled(`${water} X`)).toEqual([0, 20]);
    expect(filled(`X ${water}`)).toEqual([0, 20]);
  });

  it('rounds to four decimals', () => {
    const gram = (amount: number) => line('A', { amount, unit: 'g' });
    expect(percentages([gram(1), gram(2)])).toEqual([33.3333, 66.6667]);
  });

  it('leaves no tail of binary fractions', () => {
    expect(
      percentages([
        line('Aqua', { balance: true }),
        line('A', { percentage: 0.1 }),
        line('B', { percentage: 0.2 }),
      ]),
    ).toEqual([99.7, 0.1, 0.2]);
  });

  it('adds a note to those of the line, but none that they hold', () => {
    const noted = (processNotes: string) => notes([line('Parfum', { amount: 'q.s.', processNotes })]);
    expect(noted('45 °C')).toEqual(['45 °C;适量']);
    expect(noted('最后加,适量')).toEqual(['最后加,适量']);
  });
});

describe('readAmount', () => {
  it.each<[string, Amount]>([
    ['2.5', { kind: 'number', value: 2.5 }],
    ['2,5 %', { kind: 'number', value: 2.5 }],
    ['5克', { kind: 'number', value: 5 }],
    ['１０％', { kind: 'number', value: 10 }],
    ['1-3', { kind: 'range', low: 1, high: 3 }],
    ['1 % – 3 %', { kind: 'range', low: 1, high: 3 }],
    ['0.5~1.5%', { kind: 'range', low: 0.5, high: 1.5 }],
    ['3-3', { kind: 'range', low: 3, high: 3 }],
    ['3-1', { kind: 'number', value: 3 }],
    ['1至3', { kind: 'range', low: 1, high: 3 }],
    ['2 to 4', { kind: 'range', low: 2, high: 4 }],
    ['加至100', { kind: 'balance', target: 100 }],
    ['加水至100', { kind: 'balance', target: 100 }],
    ['补足至 1000 g', { kind: 'balance', target: 1000 }],
    ['to 100', { kind: 'balance', target: 100 }],
    ['q.s. to 100', { kind: 'balance', target: 100 }],
    ['qs ad 100 %', { kind: 'balance', target: 100 }],
    ['余量', { kind: 'balance' }],
    ['balance', { kind: 'balance' }],
    ['q.s.', { kind: 'as-needed' }],
    ['QS', { kind: 'as-needed' }],
    ['适量', { kind: 'as-needed' }],
    ...['適量', '少许', '微量', 'q. s.', 'quantum satis', 'as needed', 'Trace'].map(
      (text): [string, Amount] => [text, { kind: 'as-needed' }],
    ),
    ...['余額', '剩余', '补足', '补齐', '平衡', 'Bal.', 'bal', 'remainder', 'the rest'].map(
      (text): [string, Amount] => [text, { kind: 'balance' }],
    ),
    ...['ad 500', '至500', '补至 500', '补足到:500', '定容500', '定容至500', 'add water to 500'].map(
      (text): [string, Amount] => [text, { kind: 'balance', target: 500 }],
    ),
    ...['1到3', '1—3', '1～3%'].map((text): [string, Amount] => [text, { kind: 'range', low: 1, high: 3 }]),
    ['加至99.5', { kind: 'balance', target: 99.5 }],
    ...['auto 5', 'balm 5', 'restore 5', 'traces 5'].map((text): [string, Amount] => [
      text,
      { kind: 'number', value: 5 },
    ]),
    [`${' '.repeat(199)}5`, { kind: 'number', value: 5 }],
    [`${' '.repeat(200)}5`, { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
    ['see note', { kind: 'unknown' }],
  ])('reads %j', (text, amount) => {
    expect(readAmount(text)).toEqual(amount);
  });
});

describe('gramsPer', () => {
  it.each<[string | null | undefined, number | undefined]>([
    ['g', 1],
    ['克', 1],
    ['KG', 1000],
    [' g ', 1],
    ['mg', 0.001],
    ...['gram', 'grams', 'Ｇ'].map((unit): [string, number] => [unit, 1]),
    ...['千克', '公斤'].map((unit): [string, number] => [unit, 1000]),
    ['毫克', 0.001],
    ['', undefined],
    [undefined, undefined],
    ['%', undefined],
    ['ml', undefined],
    [null, undefined],
  ])('%j', (unit, grams) => expect(gramsPer(unit)).toBe(grams));
});
