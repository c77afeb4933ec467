import { type Account, bootApp, type TestApp } from '../support/app';
import { createIngredient } from '../support/factories';
import names from '../support/names-of-doors.json';

const CATALOGUE = [
  ['Aqua', '水'],
  ['Glycerin', '甘油'],
  ['Sodium Hyaluronate', '透明质酸钠'],
  ['PEG-8', '聚乙二醇-8'],
  ['Butylene Glycol', '丁二醇'],
  ['1,2-Hexanediol', '1,2-己二醇'],
  ['Polysorbate 20', '聚山梨醇酯-20'],
  ['CI 77491', '氧化铁红'],
  ['Caprylic/Capric Triglyceride', '辛酸/癸酸甘油三酯'],
  ['Citric Acid', '柠檬酸'],
  ['Xanthan Gum', '黄原胶'],
  ['Tocopherol', '生育酚'],
  ['Scutellaria Root', '黄芩'],
] as const;

/** A name means the same ingredient, several, or none, whichever request asks. */
describe('A name has one answer', () => {
  let service: TestApp;
  let user: Account;
  const ids = new Map<string, string>();
  const expected = (names as [name: string, means: string | null][]).map(
    ([name, means]) => [name, means === '?' ? 'uncertain' : (means ?? 'unknown')] as const,
  );

  beforeAll(async () => {
    service = await bootApp();
    user = await service.register();
    for (const [inciName, chineseName] of CATALOGUE) {
      ids.set(inciName, (await createIngredient(user, { inciName, chineseName })).id);
    }
  });
  afterAll(() => service.close());

  /** Asks for each name, and expects `found` where it means an ingredient. */
  async function expectAnswers(ask: (name: string) => Promise<string>) {
    const answers: (readonly [string, string])[] = [];
    for (const [name] of expected) answers.push([name, await ask(name)]);
    expect(answers).toEqual(expected.map(([name, means]) => [name, ids.has(means) ? 'found' : means]));
  }

  const importing = async (kind: string, csv: string) =>
    (
      await user
        .post(`/api/ext/import/${kind}?dryRun=true`)
        .set('Content-Type', 'text/csv')
        .send(csv)
        .expect(200)
    ).body.data;

  it('of the resolver', async () => {
    const { body } = await user
      .post('/api/ext/ingredients/resolve', { names: expected.map(([name]) => name) })
      .expect(200);
    const answers = body.data.map(
      ({ name, certain, candidates }: { name: string; certain: boolean; candidates: any[] }) => [
        name,
        certain
          ? candidates[0].ingredient.inciName
          : candidates.some(({ matchedBy }) => matchedBy !== 'similar')
            ? 'uncertain'
            : 'unknown',
      ],
    );
    expect(answers).toEqual(expected);
  });

  it('of the import of ingredients', async () => {
    await expectAnswers(async (name) => {
      const { created, refused } = await importing('ingredients', `INCI,中文名,类别\n"${name}",甲,other\n`);
      return created === 1 ? 'unknown' : refused === 1 ? 'uncertain' : 'found';
    });
  });

  it('of the import of formulas', async () => {
    await expectAnswers(async (name) => {
      const csv = `formula,ingredient,percentage\nF,"${name}",100\n`;
      const { created, faults } = await importing('formulas', csv);
      return created === 1 ? 'found' : /不是原料库中/.test(faults[0].reason) ? 'unknown' : 'uncertain';
    });
  });

  it('of the import of compositions', async () => {
    await expectAnswers(async (name) => {
      const rows = [{ ingredient: name, inciName: 'Substance', percentage: 100 }];
      const { status, body } = await user.post('/api/ext/ingredients/compositions', { rows });
      return status === 200 ? 'found' : /不存在/.test(JSON.stringify(body)) ? 'unknown' : 'uncertain';
    });
  });
});
