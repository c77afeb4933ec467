import { readFormulaText } from './read-formula-text';

const brief = (text: string) =>
  readFormulaText(text).lines.map(({ phase, inciName, chineseName, amount }) => [
    phase,
    inciName,
    chineseName,
    amount,
  ]);

describe('readFormulaText', () => {
  it('reads names and amounts under their phases', () => {
    expect(brief('Phase A:\nAqua q.s. to 100\n甘油 5%\nB相\n1. Phenoxyethanol: 0.8 %\n香精 适量')).toEqual([
      ['A', 'Aqua', '', 'q.s. to 100'],
      ['A', '', '甘油', '5%'],
      ['B', 'Phenoxyethanol', '', '0.8 %'],
      ['B', '', '香精', '适量'],
    ]);
  });

  it('reads a line that stands behind its heading', () => {
    expect(brief('A相: 水 80%\nPhase B Squalane 12 g\n香精 1%')).toEqual([
      ['A', '', '水', '80%'],
      ['B', 'Squalane', '', '12 g'],
      ['B', '', '香精', '1%'],
    ]);
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
    ...[
      '5',
      '5 g',
      '5mg',
      '0.5 kg',
      '5克',
      '5 千克',
      '500毫克',
      '5份',
      '0.2~0.5%',
      '0.2\uff5e0.5%',
      '0.2 – 0.5',
    ],
    ...['q.s.', 'qs', 'q.s. ad 100%', 'ad 100', 'to 100g', '加至100克', '补足至100', '补至 100%', '余量'],
  ])('knows %s as an amount', (amount) => {
    for (const text of [
      `甘油 ${amount}`,
      `甘油\uff1a${amount}`,
      `- 甘油\uff08${amount}\uff09`,
      `2、甘油 ${amount}`,
    ]) {
      expect(brief(text)).toEqual([['', '', '甘油', amount.replace('\uff5e', '~')]]);
    }
  });

  it('reads a list in one line', () => {
    expect(brief('甘油 5\uff05\uff0c丁二醇\uff083%\uff09\uff1b水 余量')).toEqual([
      ['', '', '甘油', '5%'],
      ['', '', '丁二醇', '3%'],
      ['', '', '水', '余量'],
    ]);
    expect(brief('甘油 5%,丁二醇 3%;水 余量')).toEqual([
      ['', '', '甘油', '5%'],
      ['', '', '丁二醇', '3%'],
      ['', '', '水', '余量'],
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
      ['', '', '水', '余量'],
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
      ['', 'Squalane', '', '12 g'],
    ]);
  });

  it('takes a line of 300 characters, and no longer one', () => {
    const ofLength = (length: number) => `${'N'.repeat(length - 3)} 5%`;
    expect(readFormulaText(ofLength(300)).lines).toHaveLength(1);
    expect(readFormulaText(ofLength(301)).lines).toEqual([]);
  });

  it('leaves open what the text does not say', () => {
    expect(readFormulaText('\n甘油 5%')).toEqual({
      lines: [
        {
          inciName: '',
          chineseName: '甘油',
          percentage: null,
          phase: '',
          processNotes: '',
          amount: '5%',
        },
      ],
      textLines: [2],
      unread: [],
      unreadCount: 0,
    });
  });

  it('finds no formula in prose', () => {
    expect(readFormulaText('这是一款很好的面霜。Heat to a clear phase and mix well')).toEqual({
      lines: [],
      textLines: [],
      unread: [],
      unreadCount: 0,
    });
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
