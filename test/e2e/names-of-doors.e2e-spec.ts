import { nameKey } from '../../src/platform/common/name-forms';
import { type Account, bootApp, type TestApp } from '../support/app';
import { messagesOf } from '../support/event-stream';
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
  ['Niacinamide', '烟酰胺'],
  ['Phenoxyethanol', '苯氧乙醇'],
  ['Panthenol', '泛醇'],
  ['Disodium EDTA', 'EDTA 二钠'],
  ['Cetearyl Alcohol', '鲸蜡硬脂醇'],
  ['Dimethicone', '聚二甲基硅氧烷'],
  ['Allantoin', '尿囊素'],
  ['Titanium Dioxide', '二氧化钛'],
  ['Sodium Chloride', '氯化钠'],
  ['Potassium Sorbate', '山梨酸钾'],
  ['Squalane', '角鲨烷'],
  ['Sodium Laureth Sulfate', '月桂醇聚醚硫酸酯钠'],
  ['Cocamidopropyl Betaine', '椰油酰胺丙基甜菜碱'],
] as const;

type Answer = readonly [name: string, means: string];

/** What each name means: the INCI name of an ingredient, several ingredients, or none. */
const EXPECTED: readonly Answer[] = (names as [name: string, means: string | null][]).map(([name, means]) => [
  name,
  means === '?' ? 'uncertain' : (means ?? 'unknown'),
]);

/** Returns the answers in batches of which no two are alike. */
function batchesOf(size: number, areAlike: (one: Answer, other: Answer) => boolean): Answer[][] {
  const batches: Answer[][] = [];
  for (const answer of EXPECTED) {
    const batch = batches.find((one) => one.length < size && !one.some((other) => areAlike(other, answer)));
    if (batch) batch.push(answer);
    else batches.push([answer]);
  }
  return batches;
}

const hasSameKey = ([one]: Answer, [other]: Answer): boolean => nameKey(one) === nameKey(other);
const isOfCatalogue = ([, means]: Answer): boolean => means !== 'unknown' && means !== 'uncertain';
/** For requests in which two names must not mean the same ingredient. */
const BATCHES = batchesOf(13, (one, other) => {
  const meanings = [one[1], other[1]].filter((means) => means !== 'unknown');
  const mayMeanSame =
    meanings.length === 2 && (meanings[0] === meanings[1] || meanings.includes('uncertain'));
  return mayMeanSame || hasSameKey(one, other);
});

function answerOf({ name, certain, candidates }: any): Answer {
  if (certain) return [name, candidates[0].ingredient.inciName];
  const isKnown = candidates.some(({ matchedBy }: { matchedBy: string }) => matchedBy !== 'similar');
  return [name, isKnown ? 'uncertain' : 'unknown'];
}

/** A name means the same ingredient, several, or none, whichever request asks. */
describe('A name has one answer', () => {
  let service: TestApp;
  let user: Account;
  /** Names with a purity or strength, as the resolver reads them. */
  const graded = new Set<string>();

  beforeAll(async () => {
    service = await bootApp();
    user = await service.register();
    for (const [at, [inciName, chineseName]] of CATALOGUE.entries()) {
      await createIngredient(user, { inciName, chineseName, unitPrice: at + 1, unit: 'kg' });
    }
  });
  afterAll(() => service.close());

  /** True for a name of several ingredients, but not for that of a solution. */
  const isRefused = ([name, means]: Answer): boolean => means === 'uncertain' && !graded.has(name);

  it('and there are 300 of them', () => expect(EXPECTED.length).toBeGreaterThanOrEqual(300));

  const importing = async (kind: string, csv: string) =>
    (
      await user
        .post(`/api/ext/import/${kind}?dryRun=true`)
        .set('Content-Type', 'text/csv')
        .send(csv)
        .expect(200)
    ).body.data;

  async function resolved(all: readonly string[]): Promise<any[]> {
    const answers: any[] = [];
    for (let at = 0; at < all.length; at += 200) {
      const part = all.slice(at, at + 200);
      const { body } = await user.post('/api/ext/ingredients/resolve', { names: part }).expect(200);
      answers.push(...body.data);
    }
    return answers;
  }

  it('of the resolver', async () => {
    const answers = await resolved(EXPECTED.map(([name]) => name));
    for (const { name, grade } of answers) if (grade !== null) graded.add(name);
    expect(answers.map(answerOf)).toEqual(EXPECTED);
  });

  it('of the import of ingredients', async () => {
    for (const batch of BATCHES) {
      const rows = batch.map(([name]) => `"${name}",甲,other\n`);
      const { created, faults } = await importing('ingredients', `INCI,中文名,类别\n${rows.join('')}`);
      // A solution is another raw material.
      const [uncertain, certain] = [batch.filter(isRefused), batch.filter((one) => !isRefused(one))];
      expect(faults.map(({ value }: { value: string }) => value)).toEqual(uncertain.map(([name]) => name));
      expect([batch, created]).toEqual([batch, certain.filter((one) => !isOfCatalogue(one)).length]);
    }
  });

  it('of the import of formulas', async () => {
    const rows = EXPECTED.map(([name], at) => `F${at},"${name}",100\n`);
    const report = await importing('formulas', `formula,ingredient,percentage\n${rows.join('')}`);
    const refused = report.faults.map(({ value, reason }: { value: string; reason: string }) => [
      value,
      /不是原料库中|没有该成分/.test(reason) ? 'unknown' : 'uncertain',
    ]);
    expect(refused).toEqual(EXPECTED.filter((one) => !isOfCatalogue(one)));
  });

  it('of the import of compositions', async () => {
    for (const batch of BATCHES) {
      const rows = batch.map(([name]) => ({ ingredient: name, inciName: 'Substance', percentage: 100 }));
      const { body } = await user.post('/api/ext/ingredients/compositions', { rows });
      const faults = [...String(body.error ?? '').matchAll(/rows\.(\d+)\.ingredient: (\S+)/g)].map(
        ([, row, reason]) => [batch[Number(row)]![0], /不存在/.test(reason!) ? 'unknown' : 'uncertain'],
      );
      expect(faults).toEqual(batch.filter((one) => !isOfCatalogue(one)));
    }
  });

  it('of a pasted text, for its names as they are read', async () => {
    let read = 0;
    for (let at = 0; at < EXPECTED.length; at += 150) {
      const text = EXPECTED.slice(at, at + 150).map(([name]) => `${name} 0.1%`);
      const { body } = await user.post('/api/ext/formulas/extract', { text: text.join('\n') }).expect(200);
      const contract = await user.post('/api/ai/extract-formula', { text: text.join('\n') }).expect(200);
      for (const [index, { name, ingredient }] of body.data.lines.entries()) {
        const answer = EXPECTED.find(([expected]) => expected === name);
        if (!answer) continue;
        read += 1;
        expect([name, ingredient?.inciName]).toEqual([name, isOfCatalogue(answer) ? answer[1] : undefined]);
        if (!ingredient) continue;
        const { inciName, chineseName } = contract.body.data[index];
        expect([
          [name, ingredient.chineseName],
          [ingredient.inciName, name],
        ]).toContainEqual([inciName, chineseName]);
      }
    }
    expect(read).toBeGreaterThan(260);
  });

  it('of the preset of a prediction', async () => {
    for (const batch of BATCHES) {
      // The sum says which of them have a price.
      const ingredients = batch.map(([name], at) => ({ name, percentage: 2 ** at / 100, category: 'other' }));
      const { text } = await user.post('/api/ai/predict-formula', { ingredients }).buffer(true).expect(200);
      const { reasoning } = JSON.parse(messagesOf(text)[0].content);
      const priced = /用量([\d.]+)%/.exec(reasoning)?.[1] ?? (/全部按目录价格/.test(reasoning) ? 'all' : '0');
      const isPriced = (at: number) =>
        priced === 'all' || (Math.round(Number(priced) * 100) & (1 << at)) !== 0;
      expect(batch.filter((_, at) => isPriced(at))).toEqual(
        batch.filter((one) => isOfCatalogue(one) || isRefused(one)),
      );
    }
  });

  it('of the preset of an exploration', async () => {
    const baseIngredients = CATALOGUE.map(([name]) => ({ name, percentage: 100 / CATALOGUE.length }));
    for (const batch of BATCHES) {
      // An unknown name is a word of other names there.
      const excluded = batch.filter(isOfCatalogue);
      const input = { baseIngredients, excludeIngredients: excluded.map(([name]) => name) };
      if (excluded.length === 0) continue;
      const { text } = await user.post('/api/ai/explore-formula', input).buffer(true).expect(200);
      const removed = messagesOf(text)[0].option.changes.flatMap((change: any) =>
        change.newPercentage === 0 ? [change.ingredient] : [],
      );
      expect(removed.sort()).toEqual(excluded.map(([, means]) => means).sort());
    }
  });

  /** The last one, because the names become synonyms. */
  it('of the duplicates', async () => {
    for (const [at, batch] of batchesOf(50, hasSameKey).entries()) {
      const { id } = await createIngredient(user, { inciName: `Helper ${at}`, chineseName: `助${at}` });
      const synonyms = batch.map(([name]) => name);
      const other = { casNumbers: [], ecNumbers: [], tradeNames: [] };
      await user.put(`/api/ext/ingredients/${id}/names`, { ...other, synonyms }).expect(200);
    }
    const { body } = await user.get('/api/ext/ingredients/duplicates?limit=100').expect(200);
    const found = body.data
      .filter(({ reason }: { reason: string }) => reason === 'synonym')
      .map(({ value, ingredients }: any) => [
        nameKey(value),
        ingredients.find(({ inciName }: { inciName: string }) => !inciName.startsWith('Helper')).inciName,
      ]);
    const own = CATALOGUE.flatMap(([inciName, chineseName]) =>
      [inciName, chineseName].map((name) => [nameKey(name), inciName] as const),
    );
    const given = new Set(EXPECTED.map(([name]) => nameKey(name)));
    expect(found.sort()).toEqual(own.filter(([key]) => given.has(key)).sort());
  });
});
