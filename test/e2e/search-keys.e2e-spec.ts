import { DataSource } from 'typeorm';
import { type Account, bootApp, type TestApp } from '../support/app';

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
