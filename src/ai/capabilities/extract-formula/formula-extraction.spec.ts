import { Logger } from '@nestjs/common';
import { RowFilter, RowFilterService } from '../../../platform/access/row-filter';
import { type RawLine } from '../../../formula-text/complete-percentages';
import { EXAMPLE_NOTE, extractFormula } from './extract-formula';
import { FormulaExtraction } from './formula-extraction';
import type { IngredientResolver } from '../../../ingredients/names/ingredient-resolver';
import { readFormulaText } from '../../../formula-text/read-formula-text';

describe('FormulaExtraction', () => {
  const raw = (inciName: string, chineseName: string, more: object = {}) => ({
    ...{ inciName, chineseName, percentage: 1, phase: '', processNotes: '' },
    ...more,
  });
  /** A resolver for which these names mean these ingredients. */
  const resolverOf = (meant: Record<string, [inciName: string, chineseName: string][]>, certain = false) => ({
    resolve: jest.fn((_: RowFilter, names: readonly string[]) =>
      Promise.resolve(
        names.map((name) => ({
          ...{ name, certain, grade: null, inciNames: [] },
          candidates: (meant[name] ?? []).map(([inciName, chineseName]) => ({
            ingredient: { id: inciName, inciName, chineseName },
          })),
        })),
      ),
    ),
  });
  const extractionWith = (resolver: object) =>
    new FormulaExtraction(resolver as IngredientResolver, new RowFilterService());

  it('asks only for what is missing, takes the first entry that is the name, and leaves out what has none', async () => {
    const resolver = resolverOf({
      Glycerin: [
        ['Polyglycerin-3', '聚甘油'],
        ['GLYCERIN', '甘油'],
        ['Glycerin', '后来的'],
      ],
      水: [['Aqua', '水']],
    });
    const { lines, unread } = await extractionWith(resolver).complete(
      RowFilter.EVERYTHING,
      {
        ingredients: [
          raw('Glycerin', ''),
          raw('', '水'),
          raw(' ', ' ', { percentage: 7 }),
          raw('Urea', '尿素'),
          raw('Unknown', ''),
        ],
      },
      { text: '' },
    );
    expect(lines.map(({ inciName, chineseName }) => [inciName, chineseName])).toEqual([
      ['Glycerin', '甘油'],
      ['Aqua', '水'],
      ['Urea', '尿素'],
      ['Unknown', ''],
    ]);
    expect(unread).toMatchObject({ count: 0, textLines: [] });
    expect(resolver.resolve.mock.calls).toEqual([[RowFilter.EVERYTHING, ['Glycerin', '水', 'Unknown']]]);
  });

  it.each([
    ['the ingredient that a name certainly means', true, 'Aqua'],
    ['no other than that of the name where it may mean several', false, ''],
  ])('takes %s', async (_, certain, inciName) => {
    const resolver = resolverOf({ 去离子水: [['Aqua', '水']] }, certain);
    const { lines } = await extractionWith(resolver).complete(
      RowFilter.EVERYTHING,
      { ingredients: [raw('', '去离子水')] },
      { text: '' },
    );
    expect(lines).toMatchObject([{ inciName, chineseName: '去离子水' }]);
  });

  it('reads 200 lines, counts the others, and works the amounts out of all', async () => {
    const extraction = extractionWith(resolverOf({}));
    const ingredients = Array.from({ length: 203 }, (_, at) =>
      raw(`I${at}`, `成分${at}`, { percentage: 0.25 }),
    );
    const { lines, unread } = await extraction.complete(
      RowFilter.EVERYTHING,
      {
        ingredients: [raw('Aqua', '水', { percentage: null, balance: true }), ...ingredients, raw('', '')],
      },
      { text: 'Aqua 5%' },
    );
    expect([lines.length, lines.at(-1)?.inciName, unread]).toMatchObject([
      200,
      'I198',
      { count: 4, textLines: [] },
    ]);
    // The one without a name has its percent, too.
    expect(lines[0]?.percentage).toBe(100 - 203 * 0.25 - 1);
  });

  it('looks up names of up to 200 characters, each once', async () => {
    const resolver = resolverOf({});
    const extraction = extractionWith(resolver);
    const line = (inciName: string) => ({
      inciName,
      chineseName: '',
      percentage: 1,
      phase: '',
      processNotes: '',
    });
    const names = ['x'.repeat(200), 'x'.repeat(201), 'Aqua', 'Aqua'];
    const { lines } = await extraction.complete(
      RowFilter.EVERYTHING,
      { ingredients: names.map(line) },
      { text: '' },
    );
    expect(lines.map(({ inciName }) => inciName)).toEqual(names);
    expect(resolver.resolve.mock.calls).toEqual([[RowFilter.EVERYTHING, ['x'.repeat(200), 'Aqua']]]);
  });

  describe('tells what is not among the lines', () => {
    const unreadOf = async (text: string, ingredients: RawLine[] = readFormulaText(text).lines) => {
      const extraction = extractionWith(resolverOf({}));
      const { unread } = await extraction.complete(RowFilter.EVERYTHING, { ingredients }, { text });
      const { others: _, wrongTotals: __, ...told } = unread;
      return told;
    };
    let logged: jest.SpyInstance;
    beforeEach(() => (logged = jest.spyOn(Logger.prototype, 'log').mockImplementation()));
    afterEach(() => jest.restoreAllMocks());

    it('with the numbers of their lines, where the plain reader has read the text', async () => {
      expect(await unreadOf('水 80%\nGlycerin ??%\n甘油 5%\n\n香精')).toEqual({
        count: 2,
        textLines: [2, 5],
      });
      expect(await unreadOf('水 80%\n甘油 20%')).toEqual({ count: 0, textLines: [] });
    });

    it('those beyond the most that are answered among them', async () => {
      const lines = Array.from({ length: 201 }, (_, at) => `Extract${at}x 0.1%`);
      expect(await unreadOf(`${lines.join('\n')}\nLavender ??`)).toEqual({ count: 2, textLines: [201, 202] });
      expect(await unreadOf(lines.join(', '))).toEqual({ count: 1, textLines: [1] });
    });

    it('without numbers where a model has read other lines: it may have read those', async () => {
      const text = '水 80%\nGlycerin ??%\n甘油 5%';
      const [water, glycerin] = readFormulaText(text).lines as [RawLine, RawLine];
      expect(await unreadOf(text, [water])).toEqual({ count: 0, textLines: [] });
      expect(await unreadOf(text, [water, { ...glycerin, inciName: 'Glycerin' }])).toEqual({
        count: 0,
        textLines: [],
      });
      expect(await unreadOf(text, [water, { ...glycerin, chineseName: '丙二醇' }])).toEqual({
        count: 0,
        textLines: [],
      });
    });

    it('of a list of which nothing could be read, which gets no example', async () => {
      const text = 'Aqua 850\nGlycerin 150';
      expect(extractFormula.preset({ text }).ingredients).toEqual([]);
      expect(await unreadOf(text)).toEqual({ count: 2, textLines: [1, 2] });
    });

    it('of a text that holds no formula nothing: what is answered is the announced example', async () => {
      const example = extractFormula.preset({ text: '晚上好' }).ingredients;
      expect(example.map(({ processNotes }) => processNotes)).toEqual(Array(3).fill(EXAMPLE_NOTE));
      expect(await unreadOf('晚上好', example)).toEqual({ count: 0, textLines: [] });
    });

    it('and what the lines sum to, unless they are the example', async () => {
      const extraction = extractionWith(resolverOf({}));
      const totalOf = async (text: string) => {
        const { ingredients } = extractFormula.preset({ text });
        return (await extraction.complete(RowFilter.EVERYTHING, { ingredients }, { text })).percentTotal;
      };
      expect(await totalOf('Aqua 0.1\nGlycerin 0.2\nUrea 33.3333')).toBe('33.6333');
      expect(await totalOf('水 余量\n甘油 5')).toBe('100');
      expect(await totalOf('Aqua 850 ml')).toBe('0');
      expect(await totalOf('晚上好')).toBeUndefined();
    });

    it('to the log with their number alone', async () => {
      await unreadOf('水 80%\n甘油 20%');
      expect(logged).not.toHaveBeenCalled();
      await unreadOf('水 80%\nGlycerin ??%\n甘油 5%');
      expect(logged.mock.calls).toEqual([[{ unreadLines: 1 }, 'Lines of a formula text were not read']]);
    });
  });
});
