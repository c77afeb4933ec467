import type { Quantity } from './quantity';
import { Table } from './table';
import { textLines } from './text-lines';

const inWords = (quantity: Quantity): string =>
  quantity.kind === 'number' ? `${quantity.low.value}${quantity.unit ?? ''}` : quantity.kind;
const line = (text: string) => textLines(text)[0]!;

/** Of each line: phase, names and amount, what is doubtful, or "no row". */
function readAll(lines: readonly string[]): string[] | undefined {
  const table = Table.in(lines.map(line));
  if (!table) return undefined;
  return lines.map((text) => {
    const row = table.row(line(text));
    if (!row) return 'no row';
    if (!row.entry) return row.doubt;
    const { phase, inciName, chineseName, quantity, note } = row.entry;
    const told = row.doubt === 'none' ? '' : row.doubt;
    return [phase, inciName, chineseName, inWords(quantity), note, told].filter(Boolean).join(' | ');
  });
}

describe('A table', () => {
  it.each([
    ['tabs', ['名称\t含量', '水\t80'], ['none', '水 | 80']],
    [
      'bars',
      ['| 名称 | % |', '|---|:-:|', '  | 水 | 80 |  ', ' | 油 | 5 | '],
      ['none', 'none', '水 | 80', '油 | 5'],
    ],
    ['bars inside only', ['名称 | %', '水 | 80'], ['none', '水 | 80']],
    ['gaps', ['水   80  甲', '甘油  5  乙'], ['水 | 80 | 甲', '甘油 | 5 | 乙']],
    ['semicolons', ['水;80', '甘油;5'], ['水 | 80', '甘油 | 5']],
    ['commas', ['水,80,1', '甘油,5,2', '香精,1,9'], ['水 | 80', '甘油 | 5', '香精 | 1']],
    [
      'quotation marks',
      ['"Alcohols, C12-20",5,1', '"Glycerin ""x""", 5 ,2', 'Aqua "x,6,3'],
      ['Alcohols, C12-20 | 5', 'Glycerin "x" | 5', 'Aqua "x | 6'],
    ],
  ])('has its columns apart by %s', (_, lines, expected) => {
    expect(readAll(lines)).toEqual(expected);
  });

  it.each([
    ['one row of semicolons', ['水;80']],
    ['one row of commas', ['水,80,1']],
    ['two columns of commas', ['水,80', '甘油,5']],
    ['two columns of gaps', ['水  80', '甘油  5']],
    ['fewer rows than others', ['水,80,1', '甘油,5,2', '甲,乙', '丙,丁']],
    ['no amounts', ['1\t水', '2\t甘油', '3\t香精']],
    ['no names', ['1\t80', '2\t5']],
    ['nothing', []],
    ['headings without amounts', ['名称\tINCI']],
    ['lines alone', ['---\t---', '===\t===']],
  ])('is not %s', (_, lines) => {
    expect(readAll(lines)).toBeUndefined();
  });

  it('is one row of tabs or bars', () => {
    expect(readAll(['水\t80'])).toEqual(['水 | 80']);
    expect(readAll(['| 水 | 80 |'])).toEqual(['水 | 80']);
  });

  it('is looked for in the first 200 lines', () => {
    const blank = (count: number) => Array.from({ length: count }, () => '');
    expect(readAll([...blank(199), '水\t80'])?.at(-1)).toBe('水 | 80');
    expect(readAll([...blank(200), '水\t80'])).toBeUndefined();
  });

  it('has rows among other lines', () => {
    expect(readAll(['水;80', '甘油;5', '说明', ';', '', '---', '水;'])).toEqual([
      ...['水 | 80', '甘油 | 5', 'no row', 'no row', 'none', 'none', 'no row'],
    ]);
    expect(readAll(['名称\t含量', '合计\t100', 'pH\t5', '香精\t', '\t5', '香精\t--'])).toEqual([
      ...['none', 'none', 'none', 'no row', 'no row', 'open'],
    ]);
    expect(
      readAll(['序号\t名称\t含量', '1\t合计\t100', '2\t水\t', '3\t混合均匀\t', '4\t12\t5', '5\t\t']),
    ).toEqual([...['none', 'none', 'open', 'none', 'no row', 'no row']]);
  });

  it('has other columns from its next headings on', () => {
    expect(readAll(['名称\t含量', '水\t80', '含量\t名称', '5\t甘油'])).toEqual([
      ...['none', '水 | 80', 'none', '甘油 | 5'],
    ]);
  });
});

describe('Headings of a table', () => {
  it.each([
    ['序号\t相\tINCI名\t中文名称\t含量%', '1\tA\tAqua\t水\t80', 'A | Aqua | 水 | 80'],
    ['Phase\tIngredient\twt', 'B phase\tAqua\t80', 'B | Aqua | 80'],
    ['Phase\tIngredient\twt', 'main\tAqua\t80', 'main | Aqua | 80'],
    ['Phase\tIngredient\twt', '\tAqua\t80', 'Aqua | 80'],
    ['名称\t商品名\t用量', '水\tSoftex\t80', '水 | 80'],
    ['商品名\t供应商\t用量', 'Softex\t甲\t80', 'Softex | 80'],
    ['名称\t名称\t用量', '\t水\t80', '水 | 80'],
    ['英文\t中文\t用量', 'Aqua (甲)\t水 (Glycerin)\t80', 'Aqua | 甲 | 80'],
    // What is a share counts before what is a mass.
    ['名称\tg\t%', '水\t160\t80', '水 | 80'],
    ['名称\tg\t%', '水\t60\t', '水 | 60'],
    ['名称\t%\tg', '水\t80\t160', '水 | 80'],
    ['名称\t用量\t重量', '水\t\t60', '水 | 60'],
    ['名称\tg', '水\t160', '水 | 160g'],
    ['名称\tg', '水\t160 kg', '水 | 160000g'],
    ['名称\tg', '水\t1 g 2 g', 'numbered'],
    ['名称\tg', '水\t适量', '水 | as-needed'],
    ['名称\t含量 (kg)', '水\t160', '水 | 160000g'],
    ['名称\t含量/克', '水\t160', '水 | 160g'],
    ['名称\tg per kg', '水\t160', '水 | 160g'],
    ['名称\t含量g', '水\t60', '水 | 60'],
    ['名称\t含量 % (g)', '水\t60', '水 | 60'],
    ['名称\tg\t含量', '水\t\t60', '水 | 60'],
    ['名称\t500 g', '水\t160', '水 | 160g'],
    ['名称\t含量\t500g', '水\t60\t', '水 | 60'],
    ['名称\t重量 kg\t配比%', '水\t160\t80', '水 | 80'],
  ])('%j, of a row %j: %j', (headings, row, expected) => {
    expect(readAll([headings, row])).toEqual(['none', expected]);
  });

  it.each([
    // A share or a number is in rows of data.
    ['名称\t含量\t5%'],
    ['名称\t含量\t5'],
    ['名称\t含量\t1 000,5'],
    ['名称\t含量\t5 克'],
  ])('are not %j', (row) => {
    const table = Table.in(['名称\t含量', '水\t80'].map(line));
    expect(table!.row(line(row))).not.toEqual({ doubt: 'none' });
  });

  it('may have numbers beside their words', () => {
    expect(readAll(['Name 5x\t含量\t批 12', '水\t80\t1'])?.[1]).toBe('水 | 80');
  });

  it('have 20 columns at most', () => {
    const wide = (count: number) =>
      ['名称', '含量', ...Array.from({ length: count - 2 }, () => '备注')].join('\t');
    expect(readAll([wide(20), '水\t80'])?.[0]).toBe('none');
    expect(readAll([wide(21), '甲\t乙'])).toBeUndefined();
  });
});

describe('A table without headings', () => {
  it.each([
    ['has phases', ['A\t水\t80', 'B相\t甘油\t5'], ['A | 水 | 80', 'B | 甘油 | 5']],
    ['has line numbers', ['1\t水\t80', '2\t甘油\t5'], ['水 | 80', '甘油 | 5']],
    ['has amounts like line numbers', ['1\t水', '3\t甘油'], ['水 | 1', '甘油 | 3']],
    ['has amounts that end as line numbers begin', ['2\t水\t1', '1\t甘油\t2'], ['水 | 2', '甘油 | 1']],
    ['has one row with a 1', ['1\t水'], ['水 | 1']],
    [
      'has masses beside shares',
      ['水\t160 g\t80', '甘油\t10 g\t5%', '香精\t2 g\t1'],
      ['水 | 80', '甘油 | 5%', '香精 | 1'],
    ],
    ['has masses alone', ['水\t160 g\t8', '甘油\t10 g\t9'], ['水 | 160g', '甘油 | 10g']],
    ['has two names', ['Aqua\t水\t80', 'Glycerin\t甘油\t5'], ['Aqua | 水 | 80', 'Glycerin | 甘油 | 5']],
    [
      'has lines between',
      ['水\t80', '---\t---', '---\t---', '---\t---'],
      ['水 | 80', 'none', 'none', 'none'],
    ],
    [
      'has gaps in a column',
      ['水\t80\t甲', '甘油\t5\t', '香精\t1\t', '色素\t1\t'],
      ['水 | 80 | 甲', '甘油 | 5', '香精 | 1', '色素 | 1'],
    ],
    [
      'has steps behind',
      ['Aqua\t95\t加热', 'Glycerin\t5\t最后加入'],
      ['Aqua | 95 | 加热', 'Glycerin | 5 | 最后加入'],
    ],
    [
      'has remarks behind',
      ['Aqua\t95\t7732-18-5', 'Glycerin\t5\tadd last'],
      ['Aqua | 95', 'Glycerin | 5 | add last'],
    ],
    [
      'has a second name behind',
      ['Aqua\t95\t水', 'Glycerin\t5\t甘油'],
      ['Aqua | 水 | 95', 'Glycerin | 甘油 | 5'],
    ],
    [
      'has words among amounts',
      ['水\t80', '甘油\t5', '香精\t约', '色素\t1', '盐\t1'],
      ['水 | 80', '甘油 | 5', 'open', '色素 | 1', '盐 | 1'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(readAll(lines)).toEqual(expected);
  });

  it('has a column of which more than half is there, and more than three fifths are alike', () => {
    expect(readAll(['水\t\t80', '甘油\t\t5', '香精\tx\t', '色素\tx\t'])).toBeUndefined();
    expect(readAll(['水\t80', '甘油\t5', '香精\t1', '色素\t约', '盐\t约'])).toBeUndefined();
  });

  it('has 20 columns at most', () => {
    const row = (columns: number) =>
      ['水', ...Array.from({ length: columns - 2 }, () => '-'), '80'].join('\t');
    expect(readAll([row(20)])).toEqual(['水 | 80']);
    expect(readAll([row(21)])).toBeUndefined();
  });
});
