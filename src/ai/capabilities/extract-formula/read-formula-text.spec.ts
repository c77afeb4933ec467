import { readFormulaText } from './read-formula-text';

const brief = (text: string) =>
  readFormulaText(text).map(({ phase, inciName, chineseName, amount }) => [
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

  it('reads a list in one line', () => {
    expect(brief('甘油 5%,丁二醇 3%;水 余量')).toEqual([
      ['', '', '甘油', '5%'],
      ['', '', '丁二醇', '3%'],
      ['', '', '水', '余量'],
    ]);
  });

  it('takes a name in both scripts for the Chinese one', () => {
    expect(brief('透明质酸钠 Sodium Hyaluronate 1%')).toEqual([
      ['', '', '透明质酸钠 Sodium Hyaluronate', '1%'],
    ]);
  });

  it('takes ranges and grams along as they are', () => {
    expect(brief('Carbomer 0.2-0.5%\nSqualane 12 g')).toEqual([
      ['', 'Carbomer', '', '0.2-0.5%'],
      ['', 'Squalane', '', '12 g'],
    ]);
  });

  it('takes a line of 300 characters, and no longer one', () => {
    const ofLength = (length: number) => `${'N'.repeat(length - 3)} 5%`;
    expect(readFormulaText(ofLength(300))).toHaveLength(1);
    expect(readFormulaText(ofLength(301))).toEqual([]);
  });

  it('leaves open what the text does not say', () => {
    expect(readFormulaText('甘油 5%')).toEqual([
      { inciName: '', chineseName: '甘油', percentage: null, phase: '', processNotes: '', amount: '5%' },
    ]);
  });

  it('finds no formula in prose', () => {
    expect(readFormulaText('这是一款很好的面霜。Heat to a clear phase and mix well')).toEqual([]);
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
    expect(Array.isArray(readFormulaText(text))).toBe(true);
  });
});
