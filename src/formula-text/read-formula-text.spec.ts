import fc from 'fast-check';
import { completePercentages } from './complete-percentages';
import { type RawLine } from './complete-percentages';
import { readFormulaText } from './read-formula-text';

const amountOf = ({ amount, unit, balance }: RawLine): string => {
  if (balance) return unit === 'g' ? `balance to ${amount}g` : 'balance';
  return `${amount}${unit ?? ''}`;
};
const brief = (text: string) =>
  readFormulaText(text).lines.map((line) => [line.phase, line.inciName, line.chineseName, amountOf(line)]);

describe('readFormulaText', () => {
  it('reads names and amounts under their phases', () => {
    expect(brief('Phase A:\nAqua q.s. to 100\n甘油 5%\nB相\n1. Phenoxyethanol: 0.8 %\n香精 适量')).toEqual([
      ['A', 'Aqua', '', 'balance'],
      ['A', '', '甘油', '5%'],
      ['B', 'Phenoxyethanol', '', '0.8%'],
      ['B', '', '香精', 'q.s.'],
    ]);
  });

  it('reads a line that stands behind its heading', () => {
    expect(brief('A相: 水 80%\nPhase B Squalane 12 g\n香精 1%')).toEqual([
      ['A', '', '水', '80%'],
      ['B', 'Squalane', '', '12g'],
      ['B', '', '香精', '1%'],
    ]);
  });

  it.each([
    ['柠檬酸(20%)调pH至6.0', '柠檬酸', '20%;调pH至6.0'],
    ['柠檬酸（20%） 调节pH', '柠檬酸', '20%;调节pH'],
    ['柠檬酸(20%)适量', '柠檬酸', '20%'],
    ['NaOH (10%) q.s.', 'NaOH', '10%'],
    ['NaOH (10%) q.s. to pH 6', 'NaOH', '10%;q.s. to pH 6'],
    ['Citric Acid (50%) to pH 5.5', 'Citric Acid', '50%;to pH 5.5'],
  ])('%s has no amount, and the bracket is a strength', (line, name, processNotes) => {
    const { lines, unreadCount } = readFormulaText(`水 90%\n${line}`);
    expect({ unreadCount, line: lines[1] }).toEqual({
      unreadCount: 0,
      line: expect.objectContaining({ amount: 'q.s.', processNotes }),
    });
    expect([lines[1]!.inciName, lines[1]!.chineseName]).toContain(name);
  });

  it('still reads an amount beside an adjustment', () => {
    expect(brief('柠檬酸(20%) 0.2% 调pH至6.0\nCitric Acid 0.2%, to pH 5.5')).toEqual([
      ['', '', '柠檬酸', '0.2%'],
      ['', 'Citric Acid', '', '0.2%'],
    ]);
  });

  it('keeps a strength by volume as a remark', () => {
    expect(readFormulaText('Alcohol 95% vol. 10').lines).toMatchObject([
      { inciName: 'Alcohol', amount: 10, processNotes: '95% vol.' },
    ]);
  });

  it('reads grams that stand at the name, unless they may be a part of it', () => {
    expect(brief('GTCC10克\n甘油2克')).toEqual([
      ['', 'GTCC', '', '10g'],
      ['', '', '甘油', '2g'],
    ]);
    expect(brief('水 5 克\nPEG40克\nDC5克')).toEqual([['', '', '水', '5g']]);
  });

  it('takes 其他 before an amount for a phase, and not before a remark', () => {
    expect(brief('B相\n甘油 5%\n其他:苯氧乙醇0.8%')).toEqual([
      ['B', '', '甘油', '5%'],
      ['其他', '', '苯氧乙醇', '0.8%'],
    ]);
    expect(brief('B相\n甘油 5%\n其他:密封保存\n水 95%').map(([phase]) => phase)).toEqual(['B', 'B']);
  });

  it.each([
    ['水相', '水相'],
    ['油相:', '油相'],
    ['乳化相\uff1a', '乳化相'],
    ['后添加相', '后添加相'],
    ['添加相', '添加相'],
    ['粉相', '粉相'],
    ['香精相', '香精相'],
    ['B phase', 'B'],
    ['phase 2', '2'],
    ['3相', '3'],
  ])('%s is a heading, of the phase %s', (heading, phase) => {
    expect(brief(`${heading}\n甘油 5%`)).toEqual([[phase, '', '甘油', '5%']]);
  });

  it.each([
    ['5', '5%'],
    ['5 g', '5g'],
    ['5mg', '0.005g'],
    ['0.5 kg', '500g'],
    ['5克', '5g'],
    ['5 千克', '5000g'],
    ['500毫克', '0.5g'],
    ['5份', '5g'],
    ['2 ‰', '0.2%'],
    ['3‱', '0.03%'],
    ['500 ppm', '0.05%'],
    ['0.2~0.5%', '0.2-0.5%'],
    ['0.2\uff5e0.5%', '0.2-0.5%'],
    ['0.2 – 0.5', '0.2-0.5%'],
    ['2½%', '2.5%'],
    ['百分之五', '5%'],
    ...['q.s.', 'qs', '适量'].map((text): [string, string] => [text, 'q.s.']),
    ...['q.s. ad 100%', 'ad 100', '补足至100', '补至 100%', '余量'].map((text): [string, string] => [
      text,
      'balance',
    ]),
    ...['to 100g', '加至100克'].map((text): [string, string] => [text, 'balance to 100g']),
  ])('knows %s as an amount', (amount, expected) => {
    for (const text of [
      `甘油 ${amount}`,
      `甘油\uff1a${amount}`,
      `- 甘油\uff08${amount}\uff09`,
      `2、甘油 ${amount}`,
    ]) {
      expect(brief(text)).toEqual([['', '', '甘油', expected]]);
    }
  });

  it('reads a list in one line', () => {
    expect(brief('甘油 5\uff05\uff0c丁二醇\uff083%\uff09\uff1b水 余量')).toEqual([
      ['', '', '甘油', '5%'],
      ['', '', '丁二醇', '3%'],
      ['', '', '水', 'balance'],
    ]);
    expect(brief('甘油 5%,丁二醇 3%;水 余量')).toEqual([
      ['', '', '甘油', '5%'],
      ['', '', '丁二醇', '3%'],
      ['', '', '水', 'balance'],
    ]);
  });

  it('takes no comma inside a name, and no gap in it, for the end of a line, but a full stop', () => {
    expect(brief('- 1,2-己二醇 0.5%\n- 1,2-Hexanediol 1%\nSodium \t Hyaluronate   2%')).toEqual([
      ['', '', '1,2-己二醇', '0.5%'],
      ['', '1,2-Hexanediol', '', '1%'],
      ['', 'Sodium Hyaluronate', '', '2%'],
    ]);
    expect(brief('甘油 5%。水 余量。')).toEqual([
      ['', '', '甘油', '5%'],
      ['', '', '水', 'balance'],
    ]);
  });

  it.each([
    '透明质酸钠 Sodium Hyaluronate 1%',
    'Sodium Hyaluronate / 透明质酸钠 1%',
    '透明质酸钠(Sodium Hyaluronate)1%',
  ])('finds both names in %s', (text) => {
    expect(brief(text)).toEqual([['', 'Sodium Hyaluronate', '透明质酸钠', '1%']]);
  });

  it.each([
    ['水 80\nGlycerin with preservative 5', [2]],
    ['水 80\n甘油 150%', [2]],
    ['水 80\n甘油 100%', []],
  ])('tells of %j which lines it does not read', (text, unread) => {
    expect(readFormulaText(text).unread).toEqual(unread);
  });

  it('takes ranges and grams along as they are', () => {
    expect(brief('Carbomer 0.2-0.5%\nSqualane 12 g')).toEqual([
      ['', 'Carbomer', '', '0.2-0.5%'],
      ['', 'Squalane', '', '12g'],
    ]);
  });

  it('takes a line of 300 characters, and no longer one', () => {
    const ofLength = (length: number) => `${'N'.repeat(length - 3)} 5%`;
    expect(readFormulaText(ofLength(300)).lines).toHaveLength(1);
    expect(readFormulaText(ofLength(301)).lines).toEqual([]);
  });

  it('takes no phase from what is to be done', () => {
    const lines = 'A相\n水 80\n先混合; B相 加热\n甘油 5\nB相; 混合\n油 5';
    expect(brief(lines).map(([phase]) => phase)).toEqual(['A', 'A', 'B']);
  });

  const phasesOf = (text: string) => readFormulaText(text).lines.map(({ phase }) => phase);

  it.each(['色浆：', '降温加入：', '预混:', '乳化：', 'D 活性物：', 'pigments:', 'Cool down:', '40℃以下:'])(
    'begins a phase at %s',
    (heading) =>
      expect(phasesOf(`油相：\n辛基十二醇 50\n${heading}\n云母 50`)).toEqual([
        '油相',
        heading.replace(/[:：]$/u, ''),
      ]),
  );

  it.each([
    ['A 水相', 'A 水相'],
    ['A、水相', 'A 水相'],
    ['A.水相', 'A 水相'],
    ['I 油相', '油相'],
    ['C（40℃以下）', 'C (40℃以下)'],
  ])('begins a phase at %s', (heading, phase) =>
    expect(phasesOf(`${heading}\n水 50\n甘油 50`)).toEqual([phase, phase]),
  );

  it.each(['工艺：', 'Procedure:', '配方：', 'Notes:', 'pH值:', 'Best regards:', 'Total:'])(
    'begins none at %s',
    (line) => expect(phasesOf(`油相：\n辛基十二醇 50\n${line}\n云母 50`)).toEqual(['油相', '油相']),
  );

  it.each([
    ...[
      '色浆：',
      '颜料：',
      '粉料：',
      '油脂：',
      '预混:',
      '乳化：',
      '降温加入：',
      'D 活性物：',
      'D活性物：',
      '防腐剂：',
      '40℃以下:',
    ],
    ...['Pigments:', 'B Oils:', 'Emulsifier:', 'surfactants:', 'Cool down:'],
  ])('begins a phase at %s above all other lines, and below the title', (heading) => {
    const phase = heading.replace(/[:：]$/u, '');
    const read = readFormulaText(`${heading}\n云母 50\n甘油 50`);
    expect([read.title, read.lines.map((line) => line.phase)]).toEqual([undefined, [phase, phase]]);
    const titled = readFormulaText(`面霜\n${heading}\n云母 50\n油相：\n甘油 50`);
    expect([titled.title, titled.lines.map((line) => line.phase)]).toEqual(['面霜', [phase, '油相']]);
  });

  it.each([
    '夜霜：',
    '香精：',
    '防晒剂：',
    'Moisturizer:',
    'Conditioner:',
    'Powder:',
    'Oil cleanser:',
    'Pigment paste:',
  ])('takes %s above all other lines for the title', (title) => {
    const read = readFormulaText(`${title}\n云母 50\n甘油 50`);
    expect([read.title, read.lines.map((line) => line.phase)]).toEqual([title, ['', '']]);
  });

  it('takes a label above all other lines for the title, and a label above an amount for a name', () => {
    expect(readFormulaText('夜霜：\n水 95\n甘油 5')).toMatchObject({ title: '夜霜：' });
    expect(readFormulaText('水 95\n甘油：\n5')).toMatchObject({
      lines: [{ phase: '' }, { chineseName: '甘油', phase: '' }],
    });
  });

  it('names the lines that are no ingredients', () => {
    const text = '面霜\n水 95\n甘油 5\n搅拌加热至80℃\n均质5分钟\n工艺：先加热\npH 5.5\n合计 100';
    expect(readFormulaText(text)).toMatchObject({ title: '面霜', others: [4, 5, 6, 7, 8], unread: [] });
  });

  it.each([
    ['Aqua 450 g\nGlycerin 25 g\nSqualane 15 g\nTotal 500 g', [4, '500 g', '490 g']],
    ['水 450g\n甘油 25g\n合计 500g', [3, '500 g', '475 g']],
    ['Aqua 94.7\nGlycerin 5\nTotal 100%', [3, '100 %', '99.7 %']],
    ['Aqua 90\nTotal 100', [2, '100 %', '90 %']],
    ['Aqua 94.94\nGlycerin 5\nSumme 100', [3, '100 %', '99.94 %']],
    ['| Aqua | 450 g |\n| Glycerin | 25 g |\n| Total | 500 g |', [3, '500 g', '475 g']],
    ...[
      ['Batch size 500 g', 'Batch: 500 g', 'Batch 0.5 kg', 'Final batch weight: 500 g', 'Total batch 500 g'],
      ['Makes 500 g', 'Yield: 500 g', 'For 500 g of cream', 'Ansatzgröße: 500 g'],
      ['批量 500g', '生产批量：0.5kg', '配制总量 500g', '投料量：500 g'],
    ]
      .flat()
      .map((batch): [string, unknown[]] => [`${batch}\nAqua 450 g\nGlycerin 25 g`, [1, '500 g', '475 g']]),
  ])('reports a total that the lines do not make: %j', (text, [line, stated, sum]) =>
    expect(readFormulaText(text)).toMatchObject({ wrongTotals: [{ line, stated, sum }], unread: [line] }),
  );

  it.each([
    'Aqua 475 g\nGlycerin 25 g\nTotal 500 g',
    'Aqua 94.95\nGlycerin 5\nTotal 100',
    'Aqua 95 %\nGlycerin 5 %\nTotal 100 % 500 g',
    'Aqua ad 100\nGlycerin 5\nTotal 100',
    'Aqua 94.9\nGlycerin 5\nCitric Acid q.s.\nTotal 100',
    'Total 100\nAqua 95\nGlycerin 5',
    'Batch size 500 g\nAqua 475 g\nGlycerin 25 g',
    'Batch size 500 g\nAqua 95 %\nGlycerin 5 %',
    'Batch 12\nAqua 450 g\nGlycerin 25 g',
  ])('reports no other total: %j', (text) =>
    expect(readFormulaText(text)).toMatchObject({ wrongTotals: [], unread: [] }),
  );

  it.each([
    ...[
      '水相合计',
      'A相合计',
      'Zwischensumme',
      'Sous-total',
      'Sub Total A',
      'Subtotal',
      'Σ A',
      'Sum phase A',
    ],
    ...[
      'Phase A total',
      '小计',
      '小計',
      'Teilsumme',
      'Water phase total',
      'Total water phase',
      'Totale fase A',
    ],
  ])('reads no line from the sub-total %s', (name) =>
    expect(readFormulaText(`水 450g\n甘油 25g\n${name} 475g\n角鲨烷 25g`)).toMatchObject({
      lines: [{ amount: 450 }, { amount: 25 }, { amount: 25 }],
      unread: [],
    }),
  );

  it.each(['Suma', 'Итого', '計', '合計', '總計', 'Totale', 'Summe', 'Σ', 'Razem', 'Сумма', 'Checksum'])(
    'reads no line from the total %s',
    (name) =>
      expect(readFormulaText(`水 475g\n角鲨烷 25g\n${name} 500g`)).toMatchObject({
        lines: [{ amount: 475 }, { amount: 25 }],
        wrongTotals: [],
      }),
  );

  it.each([
    ['Glycerin <1', '< 1'],
    ['Glycerin ≥ 0,5 %', '≥ 0.5'],
    ['Glycerin max. 1', 'max. 1'],
    ['Glycerin 1 max', '≤ 1'],
    ['Glycerin less than 1 %', 'less than 1'],
    ['Glycerin at least 1 g', 'at least 1'],
    ['Glycerin > 2 kg', '> 2000'],
    ['甘油 不超过1%', '不超过 1'],
    ['甘油小于1%', '小于 1'],
    ['甘油 1%以内', '≤ 1'],
    ['Glycerin =< 5', '=< 5'],
    ['甘油约<5', '< 5'],
    ['Glycerin about < 5 %', '< 5'],
    ['Glycerin between 1 and 2', '1-2'],
    ['Glycerin between 1% and 2%', '1-2'],
    ['Glycerin zwischen 1,5 und 2 %', '1.5-2'],
    ['甘油介于1和2之间', '1-2'],
    ['甘油 1-2%之间', '1-2'],
    ['Glycerin 0.5 ± 0.1', '0.5 ± 0.1'],
    ['Glycerin 0.5% +/- 0.1%', '0.5 +/- 0.1%'],
  ])('keeps the bound of %j', (text, amount) =>
    expect(readFormulaText(text)).toMatchObject({
      lines: [{ ...(/甘油/u.test(text) ? { chineseName: '甘油' } : { inciName: 'Glycerin' }), amount }],
    }),
  );

  it.each(['1-5 max', '<1-5', '1-5 % ± 1', '不超过1-5'])('keeps both ends of %j', (amount) =>
    expect(readFormulaText(`Glycerin ${amount}`).lines).toMatchObject([
      { inciName: 'Glycerin', amount: '1-5' },
    ]),
  );

  it.each(['Glycerin 1', 'Glycerin ~1', 'Glycerin about 1', '甘油 约1%'])('%j has no bound', (text) =>
    expect(readFormulaText(text)).toMatchObject({ lines: [{ amount: 1 }] }),
  );

  it.each([
    'Glycerin 10 mL/L',
    'Glycerin 10 ml / kg',
    'Glycerin q.s. 500 mL',
    '甘油 适量 500 毫升',
    'Glycerin rest 2 L',
    'Glycerin 1 L q.s.',
    '甘油 500毫升（余量）',
  ])('does not read %j, whose volume is no share, and no title either', (text) => {
    expect(readFormulaText(`${text}\nAqua 40 g`)).toMatchObject({
      lines: [{ inciName: 'Aqua' }],
      unread: [1],
    });
  });

  it('takes an amount of 1,000 g and more at the start of a line for no date', () => {
    const { lines, others } = readFormulaText(
      '2026.11.3 trial\n2000.5 g Aqua\n1500,25 克 甘油\n500 g Carbomer',
    );
    expect(lines.map(({ amount }) => amount)).toEqual([2000.5, 1500.25, 500]);
    expect(others).toEqual([]);
    expect(readFormulaText('500 g Aqua\n2026.11 g\n2026-11-03 stable\n5 g Carbomer').others).toEqual([3]);
  });

  it.each(['Glycerin below 1', 'Glycerin above 1', 'Glycerin up to 1'])('does not read %j', (text) =>
    expect(readFormulaText(`Aqua 99\n${text}`)).toMatchObject({ lines: [{ inciName: 'Aqua' }], unread: [2] }),
  );

  it.each(['DI Water', 'Di Propylene Glycol', 'Alcohol (denat.)'])('keeps all of the name %s', (name) =>
    expect(readFormulaText(`${name} 5`).lines).toMatchObject([{ inciName: name, amount: 5 }]),
  );

  it.each(['Perfume "Rose 1"', '"Rose" Water', 'Perfume “Rose”'])('keeps both marks of %s', (name) =>
    expect(readFormulaText(`${name} 0.5`).lines).toMatchObject([{ inciName: name }]),
  );

  it('leaves open what the text does not say', () => {
    expect(readFormulaText('\n甘油 5%')).toEqual({
      others: [],
      wrongTotals: [],
      lines: [
        {
          inciName: '',
          chineseName: '甘油',
          percentage: null,
          phase: '',
          processNotes: '',
          amount: 5,
          unit: '%',
        },
      ],
      textLines: [2],
      unread: [],
      unreadCount: 0,
    });
  });

  it('finds no formula in prose', () => {
    expect(readFormulaText('这是一款很好的面霜。Heat to a clear phase and mix well')).toEqual({
      others: [],
      wrongTotals: [],
      lines: [],
      textLines: [],
      unread: [],
      unreadCount: 0,
    });
  });
});

/** What was read, of which lines, and what was not. */
const told = (text: string) => {
  const { lines, textLines, unread, unreadCount } = readFormulaText(text);
  return { read: lines.length, of: textLines, unread, unreadCount };
};
const repeated = (count: number, line: string, separator = '\n') => Array(count).fill(line).join(separator);

describe('readFormulaText reads so many and tells of the rest', () => {
  it.each([
    [repeated(300, '油 0.1'), 300, [], 0],
    [repeated(302, '油 0.1'), 300, [301, 302], 2],
    [repeated(303, '油 0.1', '、'), 300, [1], 3],
    [repeated(303, '油 0.1', ';'), 300, [1], 3],
    [`${repeated(299, '油 0.1')}\n油 1、油 2、油 3`, 300, [300], 2],
    [`${repeated(299, '油 0.1')}\n油 1;油 2;油 3、油 4`, 300, [300], 3],
    [`${repeated(298, '油 0.1')}\n油 1;油 2、油 3、油 4;油 5`, 300, [299], 3],
    [`${repeated(300, '油 0.1')}\n加热 油 5\n合计 100\n油`, 300, [], 0],
    [`油 1${'\n'.repeat(399)}油 2\n油 3`, 2, [401], 1],
    [`油 1${'\n'.repeat(400)}油 2、油 3`, 1, [401], 2],
  ])('of a long text %#', (text, read, unread, unreadCount) => {
    expect(told(text)).toMatchObject({ read, unread, unreadCount });
  });

  it('looks for a table in the first 200 lines', () => {
    const table = '名称\t备注\t用量\n水\t5\t80';
    expect(brief(`${'\n'.repeat(199)}${table}`)).toEqual([['', '', '水', '80%']]);
    expect(brief(`${'\n'.repeat(200)}${table}`)).toEqual([]);
  });
});

describe('readFormulaText tells of lines that may name an ingredient', () => {
  it.each([
    ['among ingredients', '水 80\n甘油\n油 5', [2]],
    ['behind one', '水 80\n甘油', [2]],
    ['up to two blank lines behind one', '水 80\n\n\n甘油', [4]],
    ['not farther behind', '水 80\n\n\n\n甘油', []],
    ['before one and behind something else', '水 80\n说明。\n甘油\n油 5', [3]],
    ['between other things', '水 80\n说明。\n甘油\n说明。', []],
    ['with a number, wherever it stands', '水 80\n说明。\n甘油 300\n说明。', [3]],
    ['behind another one', '水 80\n甘油\n丙二醇', [2, 3]],
    ['behind one with a number', '水 80\n。\n甘油 300\n丙二醇\n。', [3, 4]],
    ['behind a heading', '水 80\nA相\n甘油\n说明。', [3]],
    ['beside a heading', '水 80\nA相 辛酸癸酸甘油', [2]],
    [
      'beside a heading, of what it says about the phase',
      '水 80\nA相 油相\nB相 水\nC相 Water phase\nD相 AB\nE相 60',
      [6],
    ],
    [
      'beside a heading, with such a word in it',
      '水 80\nA相 初榨橄榄油\nB相 Squalane water\nC相 花椒油相关物',
      [2, 3, 4],
    ],
    ['beside one that is read', '水 80;甘油;丙 5', [1]],
    ['before one that is read', '甘油;水 80', [1]],
    ['but no title', '标题\n水 80', []],
    ['but no title behind a blank line', '\n标题\n水 80', []],
    ['and a title with a number that is none of a date or a version', '标题 300\n水 80', [1]],
    ['but two of those', '甘油 300\n丙二醇 400\n水 80', [1, 2]],
    ['with no other at all, where two have numbers', '甘油 500\n水 600', [1, 2]],
    ['one alone', '甘油 500', [1]],
    ['not two without numbers', '甘油\n水\n。', []],
    ['one of a list that is open', '说明。\n甘油 500\n水', [2, 3]],
    ['with a share that is none', '水 80\n说明。\n甘油 300%\n说明。', [3]],
    ['with a mass that is none', '水 80\n说明。\n这个 甘油 5 kg\n说明。', [3]],
  ])('%s', (_, text, unread) => {
    expect(told(text)).toMatchObject({ unread, unreadCount: unread.length });
  });
});

describe('readFormulaText reads lines as people write them', () => {
  it.each([
    ['a name whose amount stands in the next line', '甘油\n5', [['', '', '甘油', '5%']]],
    ['with blanks around both', '甘油 \n \u00a05 g ', [['', '', '甘油', '5g']]],
    ['apart from it', 'Glycerin\n5', [['', 'Glycerin', '', '5%']]],
    ['a name that goes on', 'Acrylates/\n Vinyl Copolymer 5', [['', 'Acrylates/Vinyl Copolymer', '', '5%']]],
    ['one that has its amount', 'Glycerin 5\n6', [['', 'Glycerin', '', '5%']]],
    [
      'one that has its amount and ends with a slash',
      'Aqua 5 /\nGlycerin 6',
      [
        ['', 'Aqua', '', '5%'],
        ['', 'Glycerin', '', '6%'],
      ],
    ],
    ['a heading above a number', 'A相\n5\n甘油 5', [['A', '', '甘油', '5%']]],
    ['a long name', `${'x'.repeat(200)}\n5`, [['', 'x'.repeat(200), '', '5%']]],
    ['a longer one', `${'x'.repeat(201)}\n5`, []],
    [
      'amounts of 30 characters',
      `甘油\n${'5'.padEnd(15)}${'%'.padStart(15)}`.replace(/ +/u, ' '),
      [['', '', '甘油', '5%']],
    ],
  ])('%s', (_, text, expected) => {
    expect(brief(text)).toEqual(expected);
  });

  it.each([
    ...['10:30 张三: 甘油 5', '[10:30] 甘油 5', '[10:30:15]  甘油 5', '10:30:15 甘油 5', ' 9:05 甘油 5'],
    ...[
      '10:30 李 : 甘油 5',
      '① 甘油 5',
      ' ①甘油 5',
      '<tr><td>甘油</td><td>5</td></tr>',
      '<th class="a">甘油</th>5',
    ],
    ...['甘油......5', '甘油……5', '甘油____5', '甘油···5', '甘油…5'],
  ])('%j', (text) => {
    expect(brief(text)).toEqual([['', '', '甘油', '5%']]);
  });

  it.each([
    ['甘_油 5', '甘_油'],
    ['甘·油 5', '甘·油'],
    ['甘..油 5', '甘..油'],
    ['甘……油 5', '甘 油'],
  ])('%j keeps what belongs to the name', (text, name) => {
    expect(brief(text)).toEqual([['', '', name, '5%']]);
  });

  it.each([
    ['Gel base 500 g\nAqua to 500 g', 1],
    ['凝胶 500克\n水 加至500克', 1],
    ['Gel base 500 g\nAqua to 400 g', 2],
    ['Gel base 500 g\nAqua 500 g', 2],
    ['Aqua to 500 g\nGel base 500 g', 2],
  ])('%j has a title or none', (text, read) => {
    expect(told(text).read).toBe(read);
  });

  it.each([
    ['步骤: 水 80; 甘油 20', 1],
    ['加热; 水 80', 1],
    ['先加水 80。甘油 5', 1],
    ['A相 加热; 水 80', 1],
    ['  混合 水 80;甘油 5', 1],
    ['样品1:水 80、甘油 20', 2],
    [' 样品1:水 80、甘油 20', 2],
    ['pH:水 80、甘油 20', 2],
    ['样品:水 80', 0],
    [`样品${'x'.repeat(27)}1:水 80、甘油 20`, 2],
    ['样品 5 6', 0],
    ['水 80。谢谢。甘油 5', 2],
    ['水 80。谢谢甘油 5。', 1],
    ['祝好 甘油 5', 0],
  ])('of %j, %d are ingredients', (text, read) => {
    expect(told(text).read).toBe(read);
  });
});

describe('readFormulaText on hostile text', () => {
  it.each([
    ' '.repeat(20_000),
    '-'.repeat(20_000),
    '1.'.repeat(10_000),
    `${'a '.repeat(9_999)}!`,
    '水 '.repeat(6_000),
  ])('is done with any text of the longest length', (text) => {
    expect(Array.isArray(readFormulaText(text).lines)).toBe(true);
  });
});

describe('readFormulaText chooses among readings', () => {
  it.each([
    ['of one line with all', '水 100%', [['', '', '水', '100%']]],
    ['of one line with all, without a unit', '水 100', [['', '', '水', '100%']]],
    [
      'of a formula that misses a hundredth of 100',
      '水 94.99\n甘油 5\n香精 0.01',
      [
        ['', '', '水', '94.99%'],
        ['', '', '甘油', '5%'],
        ['', '', '香精', '0.01%'],
      ],
    ],
    [
      'by the sum of 100',
      'Oleth 10 phosphate 2\nAqua 98',
      [
        ['', 'Oleth 10 phosphate', '', '2%'],
        ['', 'Aqua', '', '98%'],
      ],
    ],
    [
      'by the sum of 100, the other way',
      'Aqua 80 Glycerin 20',
      [
        ['', 'Aqua', '', '80%'],
        ['', 'Glycerin', '', '20%'],
      ],
    ],
    [
      'by the total that the text states',
      'Water 1.250 g\nGlycerin 250 g\nTotal 1500 g',
      [
        ['', 'Water', '', '1250g'],
        ['', 'Glycerin', '', '250g'],
      ],
    ],
    [
      'by the decimal mark of the others',
      'Water 1.250 g\nOil 2.5 g',
      [
        ['', 'Water', '', '1.25g'],
        ['', 'Oil', '', '2.5g'],
      ],
    ],
    [
      'by the amounts that others mark',
      '95% Aqua\n4% Wax 2',
      [
        ['', 'Aqua', '', '95%'],
        ['', 'Wax 2', '', '4%'],
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(brief(text)).toEqual(expected);
    expect(told(text).unread).toEqual([]);
  });

  it.each([
    ['thousands or decimals', 'Water 1.250 g\nGlycerin 250 g', [1, 2]],
    ['two columns or a number of the name', '水 80 70\n甘油 20 30', [1, 2]],
    ['a number that half of the lines have', 'Wax 2 5\n水 80', [1]],
    ['a number that half of four lines have', 'Wax 2 5\n油 3 7\n水 60\n甘油 5', [1, 2]],
    ['a number without a unit beside masses', 'Water 70 g\nGlycerin 30', [2]],
    ['parts beside percent', 'Water 70%\nHoney 1 part', [2]],
    ['a share above 100', '水 100.1%', [1]],
    ['a bare number above 100', '水 100.1', [1]],
    ['what follows a complete formula', '水 95\n甘油 5\n香精 1', [3]],
  ])('and reads none that remain: %s', (_, text, unread) => {
    expect(told(text)).toMatchObject({ unread, unreadCount: unread.length });
  });
});

describe('readFormulaText reads the first of several formulas, and tells of the others', () => {
  it.each([
    ['in columns', '原料\t配方1\t配方2\n水\t80\t70\n甘油\t20\t30', 2, [2, 3]],
    ['one below the other', 'Cream\nAqua 90\nOil 10\nDeveloper\nAqua 88\nPeroxide 12', 2, [4, 5, 6]],
    ['in one line', 'Creme: Aqua 90%, Oil 10%. Developer: Aqua 88%, Peroxide 12%', 2, [1]],
    ['the same in grams', 'Water 70%\nOil 30%\n\nWater 70 g\nOil 30 g', 2, [4, 5]],
    ['each with a balance', 'Aqua to 100\nOil 10\n\nAqua to 100\nPeroxide 12', 2, [4, 5]],
  ])('%s', (_, text, read, unread) => {
    expect(told(text)).toMatchObject({ read, unread });
  });
});

it.each(['A相 水相', 'A相水相', 'A水相', 'A相：水相', 'A 水相', 'A、水相'])(
  '%s keeps both as the phase',
  (heading) => {
    expect(brief(`${heading}\n甘油 5%`)).toEqual([['A 水相', '', '甘油', '5%']]);
  },
);

describe('readFormulaText reads a percentage in brackets behind a bare number by the other lines', () => {
  it.each([
    ['Water 90\nUrea 10 (99%)', ['Water 90', 'Urea 10 99%'], []],
    [
      'Water to 100\nSLES 10 (70%)\nLactic Acid 2 (80%)\nNaCl 1',
      ['Water 100', 'SLES 10 70%', 'Lactic Acid 2 80%', 'NaCl 1'],
      [],
    ],
    ['Water 96%\nNiacinamide PC 99 (4%)', ['Water 96', 'Niacinamide PC 99 4'], []],
    ['Water q.s. 100\nUrea 10 (99%)', ['Water 100'], [2]],
  ])('%j', (text, lines, unread) => {
    const read = readFormulaText(text);
    expect(
      read.lines.map(({ inciName, amount, processNotes }) => `${inciName} ${amount} ${processNotes}`.trim()),
    ).toEqual(lines);
    expect(read.unread).toEqual(unread);
  });
});

describe('readFormulaText reads the names of a list without amounts', () => {
  it.each([
    ['Ingredients: aqua, PEG-40 Hydrogenated Castor Oil, 1,2-Hexanediol, CI 77891.', 4],
    ['全成分：水、甘油', 2],
    ['Aqua, Glycerin, Butylene Glycol, Parfum', 4],
    ['Aqua\nGlycerin\nParfum\nLimonene', 4],
    ['Ingredients: Aqua, Glycerin, Polysorbate 20, Parfum.', 4],
    ['Ingredients: Aqua, Ceteareth-20, Steareth 21, CI 77891 (Titanium Dioxide), Carbomer 940', 5],
    ['全成分：水、甘油、聚山梨醇酯 20、CI 77891、香精', 5],
    ['Aqua\nGlycerin\nPolysorbate 20\nLimonene', 4],
    ['Ingredients: Aqua, Glycerin, Polysorbate 20, Parfum 5 €', 0],
    ['Ingredients: Aqua, Glycerin, Polysorbate 20, Oil 5 ??', 0],
    ['Aqua, Glycerin, Parfum', 0],
    ['I want a light cream, cheap, good for summer, without silicone', 0],
    ['我想做一款保湿面霜，清爽不油腻，适合夏天，价格便宜', 0],
    ['1. 将A相加热至75℃\n2. 搅拌10分钟', 0],
  ])('%s: %d', (text, count) => {
    const { lines } = readFormulaText(text);
    expect(lines).toHaveLength(count);
    expect(completePercentages(lines).map(({ percentage }) => percentage)).toEqual(lines.map(() => 0));
  });
});

it.each(['Aqua●5 €', 'Wax●½ €', 'Aqua 5 €'])('a single line with a price is unread: %s', (text) => {
  expect(readFormulaText(text)).toMatchObject({ lines: [], unread: [1] });
});

describe('readFormulaText keeps notes', () => {
  it.each([
    ['of a column', '原料\t%\t备注\n甘油\t5\t与黄原胶预混', '与黄原胶预混'],
    ['in brackets', '香精 0.1%（40℃加入）', '40℃加入'],
    ['behind the amount', '泛醇 1% 45℃以下加入', '45℃以下加入'],
    ['behind slashes', 'Xanthan Gum 0.3 // premix', 'premix'],
  ])('%s', (_, text, note) => {
    expect(readFormulaText(text).lines.map(({ processNotes }) => processNotes)).toEqual([note]);
  });
});

describe('readFormulaText, whatever the text', () => {
  const names = [
    'Aqua',
    '甘油',
    'Polysorbate 20',
    'PEG-40',
    'Montanov 68',
    '1,2-Hexanediol',
    'D&C Red 33',
    'Wax',
  ];
  const numbers = [
    '5',
    '0.5',
    '101',
    '1 250',
    '1.250',
    '½',
    '2 1/2',
    '5-3',
    '3–5',
    '5.5.5',
    '99-150',
    '1e5',
    ',5',
    '５',
  ];
  const units = [
    '',
    '%',
    ' %',
    '‰',
    ' g',
    'gm',
    ' kg',
    ' ml',
    ' drops',
    '滴',
    '份',
    ' ppm',
    '??',
    ' €',
    '%%',
    ' to 7',
  ];
  const marks = [' ', ': ', ' - ', ' (', '|', '\t', ', ', ' ¹ ', '●', ' = ', '; '];
  const piece = fc.tuple(
    fc.constantFrom(...names),
    fc.constantFrom(...marks),
    fc.constantFrom(...numbers),
    fc.constantFrom(...units),
  );
  const line = fc
    .array(
      piece.map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((parts) => parts.join(' '));
  const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'));

  it('answers no share above 100', () => {
    fc.assert(
      fc.property(text, (whole) => {
        for (const { percentage } of completePercentages(readFormulaText(whole).lines)) {
          expect(percentage).toBeLessThanOrEqual(100);
          expect(percentage).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('invents no name', () => {
    const plain = (part: string) => part.normalize('NFKC').replace(/\s+/gu, '');
    fc.assert(
      fc.property(text, (whole) => {
        for (const { inciName, chineseName } of readFormulaText(whole).lines) {
          expect(plain(whole)).toContain(plain(inciName));
          expect(plain(whole)).toContain(plain(chineseName));
        }
      }),
    );
  });

  it('reads each line that names an ingredient with a number, or tells of it', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const { textLines, unread } = readFormulaText(whole);
        const told = new Set([...textLines, ...unread]);
        expect(whole.split('\n').filter((_, at) => !told.has(at + 1))).toEqual([]);
      }),
    );
  });
});
