import { DataSource } from 'typeorm';
import { type Account, bootApp, type TestApp } from '../support/app';

let service: TestApp;
let user: Account;
let database: DataSource;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  database = service.app.get(DataSource);
});
afterAll(() => service.close());
beforeEach(() => database.query('DELETE FROM ingredients'));

/** Ingredients of these INCI and Chinese names, each a second newer than the one before it. */
const store = (...names: [inciName: string, chineseName: string][]) =>
  database.query(
    `INSERT INTO ingredients (inci_name, chinese_name, function_category, created_at)
     SELECT inci, chinese, 'other', timestamptz '2026-01-01' + number * interval '1 s'
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (inci, chinese, number)`,
    [names.map(([inci]) => inci), names.map(([, chinese]) => chinese)],
  );
const search = async (text: string, more = '') => {
  const path = `/api/ingredients?search=${encodeURIComponent(text)}${more}`;
  const { body } = await user.get(path).expect(200);
  return body as { data: { inciName: string; chineseName: string }[]; pagination: { total: number } };
};
const inciNames = async (text: string) => (await search(text)).data.map(({ inciName }) => inciName);
const chineseNames = async (text: string) => (await search(text)).data.map(({ chineseName }) => chineseName);

describe('An ingredient search', () => {
  it('shows the name itself first, then names that begin so, then a whole word, then the rest', async () => {
    await store(
      ['Glycerin', '丙三醇'],
      ['Glycerin Extract', 'a'],
      ['Vegetable Glycerin', 'b'],
      ['Polyglycerin-3', 'c'],
    );
    const expected = ['Glycerin', 'Glycerin Extract', 'Vegetable Glycerin', 'Polyglycerin-3'];
    expect(await inciNames('glycerin')).toEqual(expected);
    expect(await inciNames('GLYCERIN')).toEqual(expected);
  });

  it('takes the Chinese name for as good', async () => {
    await store(['a', '甘油'], ['甘油', 'x'], ['e', '聚甘油'], ['d', '植物（甘油）'], ['c', '甘油酯']);
    expect(await chineseNames('甘油')).toEqual(['x', '甘油', '甘油酯', '植物（甘油）', '聚甘油']);
  });

  it('shows the newest first among those that fit alike, and by their ids those of one moment', async () => {
    await store(['Oil One', 'a'], ['Oil Two', 'b'], ['Foil', 'c'], ['Soil', 'd'], ['Oil', 'e'], ['OIL', 'f']);
    const expected = ['OIL', 'Oil', 'Oil Two', 'Oil One', 'Soil', 'Foil'];
    expect(await inciNames('oil')).toEqual(expected);
    await database.query(`UPDATE ingredients SET created_at = '2026-01-01'`);
    const byId = await database.query<{ inci_name: string }[]>(
      `SELECT inci_name FROM ingredients ORDER BY length(inci_name) = 4, length(inci_name) = 7, id`,
    );
    expect(await inciNames('oil')).toEqual(byId.map(({ inci_name }) => inci_name));
  });

  it('has words that letters and digits bound, and nothing else', async () => {
    await store(
      ['xPEG', 'a'],
      ['2PEG', 'b'],
      ['éPEG', 'c'],
      ['PEGx', 'd'],
      ['A-PEG', 'e'],
      ['A(PEG)', 'f'],
      ['A_PEG_B', 'g'],
      ['A PEG-7', 'h'],
      ['A PEGx', 'i'],
      ['A PEG7', 'j'],
    );
    expect(await inciNames('peg')).toEqual([
      'PEGx',
      'A PEG-7',
      'A_PEG_B',
      'A(PEG)',
      'A-PEG',
      'A PEG7',
      'A PEGx',
      'éPEG',
      '2PEG',
      'xPEG',
    ]);
  });

  it.each(['.*', '5%', '_', '\\', 'a+b', '(c', '[d', 'e{2}', '^f', 'g$', 'h|i', '?', '*'])(
    'takes every character of %j for itself',
    async (text) => {
      await store(
        [`x${text}x`, 'anywhere'],
        [`in ${text} it`, 'word'],
        [`${text}x`, 'beginning'],
        [text, 'name'],
        ['other 5 abb eeffgghi', 'other'],
      );
      expect(await chineseNames(text)).toEqual(['name', 'beginning', 'word', 'anywhere']);
    },
  );

  it('has pages that never overlap, and an exact total, also within a category', async () => {
    const words = ['Aloe', 'Aloe Vera', 'Juice of Aloe', 'Xaloex'];
    await store(...Array.from({ length: 40 }, (_, at): [string, string] => [words[at % 4]!, String(at)]));
    await database.query(`UPDATE ingredients SET created_at = '2026-01-01', function_category = 'humectant'
                          WHERE chinese_name::int < 30`);
    for (const [more, total] of [
      ['', 40],
      ['&category=humectant', 30],
    ] as const) {
      const seen: string[] = [];
      for (let page = 1; page <= 6; page++) {
        const { data, pagination } = await search('aloe', `${more}&limit=7&page=${page}`);
        expect(pagination.total).toBe(total);
        seen.push(...data.map(({ chineseName }) => chineseName));
      }
      const whole = await search('aloe', `${more}&limit=100`);
      expect(seen).toEqual(whole.data.map(({ chineseName }) => chineseName));
      expect(new Set(seen).size).toBe(total);
      const places = whole.data.map(({ inciName }) => words.indexOf(inciName));
      expect(places).toEqual(places.toSorted((x, y) => x - y));
    }
  });
});
