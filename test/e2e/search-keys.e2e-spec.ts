import { DataSource } from 'typeorm';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, wholeOf } from '../support/factories';

/**
 * Searches look in a stored key under a trigram index; what is found must be what a plain reading of the text
 * finds.
 */
describe('search keys', () => {
  let service: TestApp;
  let user: Account;
  let database: DataSource;

  beforeAll(async () => {
    service = await bootApp();
    user = await service.register();
    database = service.app.get(DataSource);
    for (const [inciName, chineseName] of [
      ['Glycerin', '甘油'],
      ['Sodium Hyaluronate', '透明质酸钠'],
      ['Extrait de CAFÉ', '咖啡提取物'],
      ['Boundary\u001fTest', '边界'],
    ]) {
      await user
        .post('/api/ingredients', { inciName, chineseName, functionCategory: 'humectant' })
        .expect(201);
    }
  });

  afterAll(() => service.close());

  const found = async (search: string) => {
    const { body } = await user.get(`/api/ingredients?search=${encodeURIComponent(search)}`).expect(200);
    return body.data.map(({ chineseName }: { chineseName: string }) => chineseName);
  };

  it.each([
    ['one Chinese character', '油', ['甘油']],
    ['two Chinese characters', '质酸', ['透明质酸钠']],
    ['characters that do not stand together', '明酸', []],
    ['a repeated character that stands once', '油油', []],
    ['one letter', 'h', ['透明质酸钠']],
    ['two letters, regardless of case', 'LY', ['甘油']],
    ['letters beyond ASCII, regardless of case', 'café', ['咖啡提取物']],
    ['letters next to Chinese ones across the two columns', 'Glycerin甘油', []],
    ['the character that joins the columns', 'Glycerin\u001f甘油', []],
  ])('finds %s', async (_, search, expected) => {
    expect(await found(search)).toEqual(expected);
  });

  /** Names that differ in how they are written only. */
  const SAME: readonly [one: string, other: string][] = [
    ['Crème', 'Cre\u0300me'],
    ['EDTA', 'ＥＤＴＡ'],
    ['グリセリン', 'ｸﾞﾘｾﾘﾝ'],
    ['office', 'oﬃce'],
    ['Sodium PCA', 'Sodium\u00a0PCA'],
    ['Sodium Lactate', 'Sodium \u3000\t\u2028\u2800Lactate'],
    ['Squalane', 'Squa\u00adlane'],
    ['Bakuchiol', 'Ba\u200bku\ufe0fchi\u3164ol\u2060'],
    ['丁二醇（植物）', '丁二醇(植物)'],
    ['5％', '5%'],
    ['7 % Urea', '7% Urea'],
    ['3\u00a0‰', '3‰'],
    ['a＿b', 'a_b'],
    ['c＼d', 'c\\d'],
    ['4,4’-Diol', "4,4'‑Diol"],
    ['C10–30', 'C10-30'],
    ['İx', 'ix'],
    ['ΟΔΟΣ Α', 'οδος α'],
  ];

  describe.each(SAME)('for names written as %j and %j', (one, other) => {
    it('finds both ingredients by either', async () => {
      for (const inciName of [one, other]) await createIngredient(user, { inciName, chineseName: 'x' });
      for (const search of [one, other, other.toUpperCase()]) {
        const { body } = await user.get(`/api/ingredients?search=${encodeURIComponent(search)}`).expect(200);
        const names = body.data.map(({ inciName }: { inciName: string }) => inciName);
        expect(names.toSorted()).toEqual([one, other].toSorted());
      }
    });

    it('finds both formulas by either', async () => {
      const { id } = await createIngredient(user, {});
      for (const name of [one, other]) await createFormula(user, wholeOf(id), { name: `Nr ${name}!` });
      for (const search of [one, other]) {
        const { body } = await user.get(`/api/formulas?search=${encodeURIComponent(search)}`).expect(200);
        const names = body.data.map(({ name }: { name: string }) => name);
        expect(names.toSorted()).toEqual([`Nr ${one}!`, `Nr ${other}!`].toSorted());
      }
    });
  });

  it.each(['％', '＿', '%', '_'])('takes %s for itself, not for any text', async (search) => {
    const sign = search.normalize('NFKC');
    const { body } = await user.get(`/api/ingredients?search=${encodeURIComponent(search)}`);
    expect(body.data.length).toBe(sign === '%' ? 4 : 2);
    for (const { inciName } of body.data) expect(inciName.normalize('NFKC')).toContain(sign);
  });

  it('keeps a blank at the end of a search', async () => {
    const { id } = await createIngredient(user, {});
    for (const name of ['Shade 1 red', 'Shade 12']) {
      await createFormula(user, wholeOf(id), { name });
      await user.post('/api/color/formulas', { name, targetLab: { L: 50, a: 1, b: 1 } }).expect(201);
    }
    for (const path of ['/api/formulas', '/api/ext/color/formulas']) {
      const { body } = await user.get(`${path}?search=Shade%201%20`).expect(200);
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Shade 1 red']);
    }
  });

  it('keeps different characters apart that look alike', async () => {
    await createIngredient(user, { inciName: 'Flavus', chineseName: '黃' });
    expect(await found('黄')).toEqual([]);
    expect(await found('黃')).toEqual(['黃']);
  });

  it('follows an update', async () => {
    const { body } = await user.get('/api/ingredients?search=甘油').expect(200);
    await user.put(`/api/ingredients/${body.data[0].id}`, { chineseName: '丙三醇' }).expect(200);
    expect(await found('甘油')).toEqual([]);
    expect(await found('丙三')).toEqual(['丙三醇']);
  });

  it('serves one and two Chinese characters from the index', async () => {
    await database.transaction(async (manager) => {
      await manager.query('SET LOCAL enable_seqscan = off');
      for (const pattern of ['%保%', '%保湿%']) {
        for (const table of ['formulas', 'ingredients']) {
          const plan: unknown = await manager.query(
            `EXPLAIN SELECT count(*) FROM ${table} WHERE search_key LIKE search_key('${pattern}')`,
          );
          expect(JSON.stringify(plan)).toContain(`ix_${table}_search_key`);
        }
      }
    });
  });
});
