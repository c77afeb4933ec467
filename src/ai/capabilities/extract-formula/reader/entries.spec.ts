import { countPieces, masked, readEntries, withoutTitle } from './entries';

const MANY = 100;
/** Phase, names and amount of each entry. */
const entriesOf = (line: string, most = MANY) =>
  readEntries(line, most).entries.map(({ phase, inciName, chineseName, amount }) =>
    [phase, inciName, chineseName, amount].filter(Boolean),
  );
const isOpen = (line: string) => readEntries(line, MANY).open;

describe('readEntries', () => {
  it.each([
    [
      '水 80%、甘油 5%; 香精 1%',
      [
        ['水', '80%'],
        ['甘油', '5%'],
        ['香精', '1%'],
      ],
    ],
    [
      '1. 水 80 / 甘油 20',
      [
        ['水', '80'],
        ['甘油', '20'],
      ],
    ],
    ['甘油/丙二醇 / 水 5', [['甘油/丙二醇 / 水', '5']]],
    ['Alcohols, C12-20 Alkyl Glucoside 3', [['Alcohols, C12-20 Alkyl Glucoside', '3']]],
    ['甘油, 5%', [['甘油', '5%']]],
    [
      '1,2-己二醇 0.5,1,3-丁二醇 5',
      [
        ['1,2-己二醇', '0.5'],
        ['1,3-丁二醇', '5'],
      ],
    ],
    ['甘油 0,5', [['甘油', '0,5']]],
  ])('%j is parted into %j', (line, expected) => {
    expect(entriesOf(line)).toEqual(expected);
  });

  it.each([
    [
      '甘油 (5%), 丙二醇 (3%)',
      [
        ['甘油', '5%'],
        ['丙二醇', '3%'],
      ],
    ],
    [
      '甘油[5%]，水[3%]',
      [
        ['甘油', '5%'],
        ['水', '3%'],
      ],
    ],
    ['甘油 (植物, 95%), 5%', [['甘油', '5%']]],
    ['甘油 (植物), 5%', [['甘油', '5%']]],
    ['甘油 [植物; 95%] 5%', [['甘油', '5%']]],
    ['甘油(5%) ', [['甘油', '5%']]],
    ['甘油 (植物) (5%)', [['甘油', '5%']]],
  ])('of %j, what stands in brackets gives %j', (line, expected) => {
    expect(entriesOf(line)).toEqual(expected);
  });

  it('takes no amount in brackets where more follows', () => {
    expect(readEntries('甘油 (5%) 好', MANY)).toEqual({ entries: [], open: true, left: 0 });
    expect(entriesOf('甘油 (5%) good')).toEqual([]);
  });

  it.each([
    ['A: 甘油 5', [['A', '甘油', '5']]],
    ['(B) 甘油 5', [['B', '甘油', '5']]],
    ['甘油 5 A', [['A', '甘油', '5']]],
    ['甘油 5 (A相)', [['A', '甘油', '5']]],
    ['甘油 5%,A相', [['A', '甘油', '5%']]],
    ['甘油 5%, phase B', [['B', '甘油', '5%']]],
    ['A 甘油 5 B', [['A', '甘油', '5']]],
    ['A相、甘油 5', [['甘油', '5']]],
  ])('of %j, the phase beside it: %j', (line, expected) => {
    expect(entriesOf(line)).toEqual(expected);
  });

  it.each([
    ['NaOH 10% solution 0.5', [['NaOH 10% solution', '0.5']]],
    ['Sorbitol 70% 5%', [['Sorbitol 70%', '5%']]],
    ['Polysorbate 20 1.5', [['Polysorbate 20', '1.5']]],
    ['甘油 5 g 5%', [['甘油', '5%']]],
    ['甘油 5% 5 g', [['甘油', '5%']]],
    ['甘油 5 5%', [['甘油 5', '5%']]],
    ['甘油 5 g 6 g', [['甘油', '6 g']]],
    [
      '甘油 5 g 水 6%',
      [
        ['甘油', '5 g'],
        ['水', '6%'],
      ],
    ],
    ['NaOH 10% 水溶液 5 g', [['NaOH 10% 水溶液', '5 g']]],
    ['70% Sorbitol 5', [['70% Sorbitol', '5']]],
    ['1 Glycerin 5', [['Glycerin', '5']]],
    ['1 Glycerin 5 (pure)', [['Glycerin', '5']]],
    ['1 Glycerin 150', []],
    ['1 Glycerin', [['Glycerin', '1']]],
    [
      '5% 甘油 3% 丙二醇',
      [
        ['甘油', '5%'],
        ['丙二醇', '3%'],
      ],
    ],
    ['1% Glycerin 150', [['Glycerin 150', '1%']]],
  ])('of %j, which amount is whose: %j', (line, expected) => {
    expect(entriesOf(line)).toEqual(expected);
  });

  it.each([
    ['加水至100', [['水', '至100']]],
    ['用去离子水补足至100', [['去离子水', '补足至100']]],
    ['add water to 100', [['water', 'to 100']]],
    ['make up with aqua ad 100', [['aqua', 'ad 100']]],
  ])('%j is filled up with water: %j', (line, expected) => {
    expect(entriesOf(line)).toEqual(expected);
  });

  it.each([
    ...[
      '甘油',
      '甘油、水',
      '混合生育酚 0.5',
      '混合甘油 5%',
      '0.5 混合',
      '这个 5',
      '0.5 混合',
      '1 Glycerin 150',
      'x'.repeat(301),
    ],
    ...[`混${'合'.repeat(37)} 5`],
  ])('%j may hold an ingredient without an amount', (line) => {
    expect(readEntries(line, MANY)).toEqual({ entries: [], open: true, left: 0 });
  });

  it.each([
    ...['!!', '', '①', '混合生育酚 0.5 好', 'pH 5', '粘度 3000', '混合均匀', '混合 5 生育酚 6', '5'],
    ...[`混${'合'.repeat(38)} 5`, '看看 5 明天', '5 这个', '½'],
  ])('%j holds none', (line) => {
    expect(readEntries(line, MANY)).toEqual({ entries: [], open: false, left: 0 });
  });

  it('tells of those that have none beside those that have', () => {
    expect(isOpen('甘油 5、丙二醇')).toBe(true);
    expect(isOpen('丙二醇、甘油 5')).toBe(true);
    expect(isOpen('水、甘油 5、合计 5')).toBe(true);
    expect(isOpen('水 5、甘油 5')).toBe(false);
  });

  it('reads so many and counts the rest', () => {
    const line = '水 80%、甘油 5%、香精 1%、适量';
    expect(readEntries(line, 2)).toMatchObject({
      entries: [{ chineseName: '水' }, { chineseName: '甘油' }],
      left: 2,
    });
    expect(readEntries(line, 3)).toMatchObject({ left: 1 });
    expect(readEntries('水 80%、甘油 5%', 2)).toMatchObject({ left: 0 });
    expect(readEntries('水 80%、甘油 5%', 0)).toEqual({ entries: [], open: false, left: 2 });
  });

  it('reads a piece of 300 characters, and holds no more of a name', () => {
    const name = (length: number) => 'a'.repeat(length);
    expect(entriesOf(`${name(298)} 5`)).toEqual([[name(298), '5']]);
    expect(entriesOf(`${name(299)} 5`)).toEqual([]);
    expect(isOpen(`${name(299)} 5`)).toBe(true);
    expect(entriesOf(`${name(150)}, ${name(100)} 5`)).toEqual([[`${name(150)}, ${name(100)}`, '5']]);
    expect(entriesOf(`${name(300)}, ${name(10)} 5`)).toEqual([]);
    expect(entriesOf(`${name(301)}, ${name(10)} 5`)).toEqual([[name(10), '5']]);
  });
});

describe('withoutTitle', () => {
  it.each([
    ['配方:水 80', '水 80'],
    ['My recipe: Aqua 80', 'Aqua 80'],
    ['The cream contains 80 Aqua', '80 Aqua'],
    ['配方:80', '配方:80'],
    ['水 80', '水 80'],
  ])('%j is %j', (text, expected) => {
    expect(withoutTitle(text)).toBe(expected);
  });
});

describe('masked', () => {
  const mask = (length: number) => '\ufffc'.repeat(length);

  it.each([
    ['a(5%)b[6;7]c', `a${mask(4)}b${mask(5)}c`],
    ['a()b[]', `a${mask(2)}b${mask(2)}`],
    ['a(b', 'a(b'],
    ['((a))', `(${mask(3)})`],
    ['[[a]]', `[${mask(3)}]`],
    [`(${'a'.repeat(200)})`, mask(202)],
    [`[${'a'.repeat(201)}]`, `[${'a'.repeat(201)}]`],
  ])('%j is %j', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });
});

describe('countPieces', () => {
  it.each([
    ['水 80、甘油 5; 香精 适量。防腐剂 q.s，余量水,水余', 6],
    ['水、甘油', 0],
    ['80、5', 0],
    ['', 0],
    ['适量', 1],
    ['Aqua qs', 1],
  ])('of %j are %d', (line, expected) => {
    expect(countPieces(line)).toBe(expected);
  });
});
