import { type Account, bootApp, type TestApp } from '../support/app';
import { createIngredient } from '../support/factories';

/* Ingredients that the tables of laboratories call by other names than the catalogue. */

let service: TestApp;
let user: Account;
let glycerin: string;
beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  await createIngredient(user, { inciName: 'Aqua', chineseName: '水', supplier: null });
  glycerin = (await createIngredient(user, { inciName: 'Glycerin', chineseName: '甘油', supplier: null })).id;
  await createIngredient(user, { inciName: 'Xanthan Gum', chineseName: '黄原胶', supplier: null });
  await createIngredient(user, {
    inciName: 'Hexylene Glycol',
    chineseName: '2-甲基-2,4-戊二醇',
    supplier: null,
  });
  await createIngredient(user, { inciName: '1,2-Hexanediol', chineseName: '1,2-己二醇', supplier: null });
  const names = { casNumbers: ['56-81-5'], ecNumbers: [], synonyms: ['老王家的甘油'], tradeNames: [] };
  await user.put(`/api/ext/ingredients/${glycerin}/names`, names).expect(200);
});
afterAll(() => service.close());

const send = async (csv: string, query = '', language = 'zh') =>
  (
    await user
      .post(`/api/ext/import/formulas?name=F${Math.random()}&${query}`)
      .set({ 'Content-Type': 'text/csv', 'X-Language': language })
      .send(csv)
      .expect(200)
  ).body.data;
const countIngredients = async () =>
  (await user.get('/api/ext/ingredients').expect(200)).body.pagination.total as number;

it('finds everyday names, synonyms of the laboratory and other spellings, and says which', async () => {
  const csv =
    '相,原料,用量(%)\nA,去离子水,加至100\nA,Glycerine,5\nA,甘 油,1\nA,老王家的甘油,1\nB,汉生胶,0.3\n';
  const answer = await send(csv);
  expect(answer).toMatchObject({ applied: true, created: 1, refused: 0 });
  expect(answer.notes).toEqual(
    expect.arrayContaining([
      '去离子水 → Aqua',
      'Glycerine → Glycerin',
      '老王家的甘油 → Glycerin',
      '汉生胶 → Xanthan Gum',
      '余量行: 第2行占92.7%',
    ]),
  );
  // With a blank it is the same name.
  expect(answer.notes.join()).not.toContain('甘 油');
});

it('names the candidates of an uncertain name with its column and value', async () => {
  const { faults } = await send(
    '原料,用量(%)\n己二醇,1\nGlycerinn,1\nNo Such,98\n',
    'createIngredients=false',
  );
  expect(faults).toEqual([
    {
      row: 2,
      column: '原料',
      value: '己二醇',
      reason: '"己二醇"可能是 "Hexylene Glycol"、"1,2-Hexanediol",请写明 INCI 名或供应商',
    },
    {
      row: 3,
      column: '原料',
      value: 'Glycerinn',
      reason: expect.stringContaining('不是原料库中的成分: "Glycerinn"'),
    },
    { row: 4, column: '原料', value: 'No Such', reason: '不是原料库中的成分: "No Such"' },
  ]);
});

it('creates no ingredient for a name that the catalogue or the shipped list knows', async () => {
  const before = await countIngredients();
  const csv = '原料,用量(%)\n去离子水,加至100\nGTCC,10\n己二醇,1\n甘油(50%),1\nBrand New,1\n';
  const refused = await send(csv, 'createIngredients=true', 'en');
  expect(refused.faults.map(({ row, reason }: any) => [row, reason])).toEqual([
    [
      3,
      '"GTCC" means "Caprylic/Capric Triglyceride", not in the catalogue: create the ingredient, or write another one',
    ],
    [4, expect.stringMatching(/^"己二醇" may mean "Hexylene Glycol", "1,2-Hexanediol"/)],
    [5, expect.stringMatching(/^"甘油\(50%\)" may mean "Glycerin"/)],
  ]);
  expect(await countIngredients()).toBe(before);
  const done = await send('原料,用量(%)\n去离子水,加至100\nBrand New,1\n', 'createIngredients=true');
  expect(done).toMatchObject({ applied: true, created: 1 });
  expect(done.notes).toContain('已新建1个成分,类别为“其他”(other),请随后修改');
  expect(await countIngredients()).toBe(before + 1);
});

it('creates one ingredient of a name that rows write in several ways', async () => {
  const before = await countIngredients();
  const csv = '原料,用量(%)\n去离子水,加至100\nBrand Two,1\nbrand-two,1\n';
  expect((await send(csv, 'createIngredients=true&dryRun=true')).notes).toContain(
    '将新建1个成分,类别为“其他”(other)',
  );
  const done = await send(csv, 'createIngredients=true');
  expect(done).toMatchObject({ applied: true, created: 1 });
  expect(done.notes).toContain('已新建1个成分,类别为“其他”(other),请随后修改');
  expect(await countIngredients()).toBe(before + 1);
});

it('finds by CAS number, and refuses one that contradicts the name', async () => {
  const answer = await send(
    '原料,CAS号,用量(%)\n去离子水,,余量\n某甘油,56-81-5,5\n,56-81-5,1\n甘油,56-81-5,1\n',
  );
  expect(answer).toMatchObject({ applied: true, refused: 0 });
  expect(answer.notes).toEqual(
    expect.arrayContaining(['某甘油, 56-81-5 → Glycerin', '56-81-5 → Glycerin', '去离子水 → Aqua']),
  );
  const { faults } = await send(
    'INCI,CAS No.,%\nXanthan Gum,56-81-5,50\n,999-99-9,10\n,7732-18-5,40\n',
    'createIngredients=true',
    'en',
  );
  expect(faults).toEqual(
    [
      { row: 3, column: 'CAS No.', value: '999-99-9', reason: '"999-99-9" is no CAS number' },
      {
        row: 2,
        column: 'CAS No.',
        value: '56-81-5',
        reason: 'the row names "Xanthan Gum", and CAS number 56-81-5 is one of "Glycerin"',
      },
      {
        row: 4,
        column: 'CAS No.',
        value: '7732-18-5',
        reason: 'no ingredient of the catalogue has CAS number 7732-18-5',
      },
    ].sort((one, two) => one.row - two.row),
  );
});
