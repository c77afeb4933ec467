import { amountsIn, wholeAmount } from './amount-tokens';

const texts = (text: string) => amountsIn(text).map((token) => token.text);

describe('amountsIn', () => {
  it('says where each stands, and whether it is a mere number', () => {
    expect(amountsIn('水 80%, 甘油 5; 香精 适量')).toEqual([
      { text: '80%', start: 2, end: 5, bare: false },
      { text: '5', start: 10, end: 11, bare: true },
      { text: '适量', start: 16, end: 18, bare: false },
    ]);
  });

  it.each([
    ['Aqua q.s. to 100, Glycerin 5', ['q.s. to 100', '5']],
    ['Glycerin 5, Aqua q.s. to 100', ['5', 'q.s. to 100']],
    ['香精 适量 甘油 5 防腐剂 适量', ['适量', '5', '适量']],
    ['适量 适量 5', ['适量', '适量', '5']],
    ['水 余量100 甘油 5', ['余量100', '5']],
    ['适量5%', ['适量', '5%']],
    ['5%适量', ['5%', '适量']],
    ['余量 ', ['余量']],
    ['q.s. ', ['q.s.']],
  ])('in %j, words and numbers, none of them twice: %j', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it.each([
    ['约3', ['约3']],
    ['Glycerin ca. 2 %', ['ca. 2 %']],
    ['Glycerin < 0.1', ['< 0.1']],
    ['cetyl alcohol about 3', ['about 3']],
    ['Mica. 2', ['2']],
  ])('%j has what is said of a number with it: %j', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it.each([
    ['100', ['100']],
    ['100.5', []],
    ['101', []],
    ['100%', ['100%']],
    ['100,5 %', []],
    ['150 g', ['150 g']],
    ['05', []],
    ['0.05', ['0.05']],
    ['0', ['0']],
    ['10', ['10']],
    ['CI 77', []],
    ['Polysorbate 20', []],
    ['Polysorbate 20%', ['20%']],
    ['pH 5.5', []],
    ['75℃', []],
    ['C12', []],
    ['PEG-40', []],
    ['10:30', []],
  ])('%j has %j', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });
});

describe('wholeAmount', () => {
  it.each([
    ['5%', '5%'],
    [' 5 g ', '5 g'],
    ['q.s.', 'q.s.'],
    ['甘油 5', undefined],
    ['5 甘油', undefined],
    ['', undefined],
  ])('of %j is %j', (text, expected) => {
    expect(wholeAmount(text)).toBe(expected);
  });
});
