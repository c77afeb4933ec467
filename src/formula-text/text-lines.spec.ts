import {
  headingOf,
  isKnownOther,
  isOfTheWhole,
  isProcedure,
  isSignOff,
  isTalk,
  mayBeIngredient,
} from './text-lines';

describe('isKnownOther', () => {
  it.each([
    ...['合计 100', 'Total 100', 'pH 5.5', '粘度: 3000', 'Batch no 12', 'Sub-total: 40'],
    ...['混合均匀', 'Heat to 75', '2. 加热', '12) Mix', '- * 3、 搅拌', '【备注', 'a) Stir', ' Add water'],
  ])('%j is no ingredient', (text) => {
    expect(isKnownOther(text)).toBe(true);
  });

  it.each([
    ...['Totarol 0.5', 'pH adjuster 0.2', 'pH 调节剂 0.2', 'Sumac 1', 'Additive 3', '混元 5'],
    // Neither the number of a list nor a letter of one.
    ...['2.5 mix', '123. 加热', '%) mix', 'B) Stir'],
  ])('%j may be one', (text) => {
    expect(isKnownOther(text)).toBe(false);
  });
});

describe('What a text is about', () => {
  it('of the whole', () => {
    expect(isOfTheWhole('总量 100')).toBe(true);
    expect(isOfTheWhole('外观: 白色')).toBe(true);
    expect(isOfTheWhole('加热')).toBe(false);
  });

  it('what to do', () => {
    expect(isProcedure('步骤一')).toBe(true);
    expect(isProcedure('总量 100')).toBe(false);
  });

  it('talk, and the end of it', () => {
    expect(isTalk('please check')).toBe(true);
    expect(isTalk('甘油')).toBe(false);
    expect(isSignOff('Best regards')).toBe(true);
    expect(isSignOff('Regaliz 1')).toBe(false);
  });
});

describe('mayBeIngredient', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'Oil').join(' ');

  it.each([
    ...[
      '甘油',
      'Glycerin',
      'Glycerin ?',
      'Glycerin ??',
      'x'.repeat(60),
      words(7),
      words(7).replace(' ', '   '),
    ],
    ...['一二三四五六七八九十一二三四五'],
  ])('%j may', (text) => {
    expect(mayBeIngredient(text)).toBe(true);
  });

  it.each([
    ...[
      '12',
      '!',
      '合计',
      'Glycerin.',
      'Glycerin?',
      'Glycerin ?.',
      '甘油加热',
      'the oil',
      '你好甘油',
      'Best regards',
    ],
    ...['x'.repeat(61), words(8), '一二三四五六七八九十一二三四五六', '水和油,香精色', 'at 10:3 Glycerin'],
  ])('%j may not', (text) => {
    expect(mayBeIngredient(text)).toBe(false);
  });
});

describe('headingOf', () => {
  it.each([
    ['A', 'A', ''],
    ['== B ==', 'B', ''],
    ['[C]', 'C', ''],
    ['**D2**:', 'D2', ''],
    ['一、A相', 'A', ''],
    ['(二) 油相', '油相', ''],
    ['## Phase A', 'A', ''],
    ['Phase A (water): Aqua 80', 'A', 'Aqua 80'],
    ['Phase A(water) Aqua 80', 'A', 'Aqua 80'],
    ['Phase A  () - Aqua 80', 'A', 'Aqua 80'],
    ['Phase A Aqua (80)', 'A', 'Aqua (80)'],
    ['油相(85C) 甘油', '油相', '甘油'],
    ['油相原料:甘油', '油相', '甘油'],
    ['oil phase: Squalane', 'oil', 'Squalane'],
    ['B部分 甘油', 'B', '甘油'],
  ])('%j begins the phase %j and goes on with %j', (line, phase, rest) => {
    expect(headingOf(line)).toEqual({ phase, rest });
  });

  it.each([['b'], ['甘油 5'], ['Phaseolus 5'], ['Glycerin A'], ['1'], ['']])('%j begins none', (line) => {
    expect(headingOf(line)).toBeUndefined();
  });

  it('is no line that is longer than a decorated letter', () => {
    const decorated = (length: number) => `A${'='.repeat(length - 1)}`;
    expect(headingOf(decorated(60))).toEqual({ phase: 'A', rest: '' });
    expect(headingOf(decorated(61))).toBeUndefined();
  });
});
