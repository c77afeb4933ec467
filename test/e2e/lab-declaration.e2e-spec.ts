import { Injectable, Module } from '@nestjs/common';
import { readSheet } from 'read-excel-file/node';
import { AccessPolicy, AppModule, CUSTOM_ACCESS_POLICY, type ReadableRecords } from '../../src';
import { expectError, expectKeys, NOWHERE, UUID } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import {
  createFormula,
  createIngredient,
  createProject,
  type Ingredient,
  type Phase,
} from '../support/factories';
import { countStatements } from '../support/statements';

/** Formulas are seen by their creators, ingredients of the supplier `only NAME` by the user of that name. */
@Injectable()
class OwnRecordsPolicy extends AccessPolicy {
  canChange = () => true;
  canConfigure = () => true;

  override readable(): ReadableRecords {
    return {
      types: ['uuid', 'text'],
      values: (user) => [user.id, user.username],
      conditions: {
        formula: (row, [id]) => `${row}.created_by = ${id}`,
        ingredient: (row, [, name]) =>
          `(${row}.supplier IS NULL OR ${row}.supplier NOT LIKE 'only %' OR ${row}.supplier = 'only ' || ${name})`,
      },
    };
  }
}

@Module({ providers: [{ provide: CUSTOM_ACCESS_POLICY, useClass: OwnRecordsPolicy }] })
class PolicyModule {}

const CLOSING = '本成分表为草稿，须由有资质的人员核对。不构成法律意见，也不是安全评估。';

let service: TestApp;
let user: Account;
let other: Account;
let water: Ingredient;
let glycerin: Ingredient;
let blend: Ingredient;
let rose: Ingredient;
let pigment: Ingredient;
let cream: { id: string };

const url = (id: string, query: string) => `/api/ext/formulas/${id}/declaration?${query}`;
const declare = async (query: string, id = cream.id, account = user) =>
  (await account.get(url(id, query)).expect(200)).body.data;
const compose = (account: Account, { id }: Ingredient, substances: object[]) =>
  account.put(`/api/ext/ingredients/${id}/composition`, { substances }).expect(200);
const line = ({ id }: Ingredient, percentage: number) => ({ ingredientId: id, percentage });
const phase = (name: string, sortOrder: number, ...ingredients: Phase['ingredients']): Phase => ({
  name,
  sortOrder,
  ingredients,
});

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [PolicyModule] })] } });
  [user, other] = [await service.register(), await service.register()];
  water = await createIngredient(user, { inciName: 'Aqua', chineseName: '水' });
  glycerin = await createIngredient(user, { inciName: 'Glycerin', chineseName: '甘油' });
  blend = await createIngredient(user, {
    inciName: 'Phenoxyethanol (and) Ethylhexylglycerin',
    chineseName: '防腐剂',
  });
  rose = await createIngredient(user, {
    inciName: 'Rose 1234',
    chineseName: '玫瑰香精',
    functionCategory: 'fragrance',
  });
  pigment = await createIngredient(user, {
    inciName: 'CI 77891',
    chineseName: 'CI 77891',
    functionCategory: 'colorant',
  });
  await compose(user, blend, [
    {
      inciName: 'Phenoxyethanol',
      chineseName: '苯氧乙醇',
      range: { min: 88, max: 92 },
      role: 'preservative',
    },
    { inciName: 'Ethylhexylglycerin', chineseName: '乙基己基甘油', range: { min: 8, max: 12 } },
  ]);
  await compose(user, rose, [
    { inciName: 'Linalool', percentage: 1, role: 'fragrance-allergen' },
    { inciName: 'Parfum', percentage: 99 },
  ]);
  cream = await createFormula(
    user,
    [
      phase('水相', 1, line(pigment, 2), line(water, 91.8), line(glycerin, 5)),
      phase('后添加', 2, line(blend, 1), line(rose, 0.2)),
    ],
    { name: '日霜 <b>"x"</b>' },
  );
});
afterAll(() => service.close());

describe('GET /api/ext/formulas/:id/declaration', () => {
  it('is the list for the EU, with shares and the lines that they come from', async () => {
    const data = await declare('region=eu');
    expectKeys(data, [
      'formulaId',
      'formulaName',
      'versionNumber',
      'region',
      'productType',
      'fromProfile',
      'heading',
      'text',
      'isComplete',
      'total',
      'basis',
      'entries',
      'undeclared',
      'problems',
      'closing',
    ]);
    expect(data).toMatchObject({
      formulaId: cream.id,
      versionNumber: 1,
      region: 'eu',
      productType: 'leave-on',
      heading: 'Ingredients',
      text: 'Ingredients: Aqua, Glycerin, Phenoxyethanol, Parfum, Ethylhexylglycerin, Linalool, CI 77891',
      isComplete: true,
      total: 100,
      basis: { order: 'middle', threshold: 'maximum', allergensAbove: 0.001 },
      undeclared: [],
      problems: [],
      closing: CLOSING,
    });
    const [, , , parfum, ehg, linalool, colorant] = data.entries;
    expect(parfum).toMatchObject({
      kind: 'fragrance',
      percentage: 0.2,
      lines: [{ percentage: 0.2, share: 0.2 }],
    });
    expect(ehg).toEqual({
      position: 5,
      name: 'Ethylhexylglycerin',
      group: 'below-one-percent',
      kind: 'substance',
      inciName: 'Ethylhexylglycerin',
      percentage: 0.1,
      minPercentage: 0.08,
      maxPercentage: 0.12,
      countedInFragrance: 0,
      lines: [
        {
          ingredientId: blend.id,
          ingredient: { id: blend.id, inciName: blend.inciName, chineseName: '防腐剂' },
          phase: '后添加',
          percentage: 1,
          share: 0.1,
        },
      ],
    });
    expect(linalool).toMatchObject({ kind: 'allergen', percentage: 0.002, countedInFragrance: 0.002 });
    expect(colorant).toMatchObject({ group: 'colorants', percentage: 2 });
  });

  it('for what is rinsed off, the United States and China', async () => {
    expect(await declare('region=eu&productType=rinse-off')).toMatchObject({
      text: 'Ingredients: Aqua, Glycerin, Phenoxyethanol, Parfum, Ethylhexylglycerin, CI 77891',
      undeclared: [{ inciName: 'Linalool', reason: 'allergen-not-above-threshold' }],
    });
    expect(await declare('region=us')).toMatchObject({
      text: 'Ingredients: Water, Glycerin, Phenoxyethanol, Fragrance, Ethylhexylglycerin, CI 77891',
      isComplete: false,
      problems: [{ code: 'ci-number-only', inciName: 'CI 77891' }],
    });
    expect(await declare('region=cn&lang=en')).toMatchObject({
      text: '成分：水、甘油、CI 77891、苯氧乙醇、香精；其他微量成分：乙基己基甘油',
      isComplete: true,
      closing: 'Draft, to be checked by a qualified person. Not legal advice and not a safety assessment.',
    });
  });

  it('of the version that is asked for, else of the latest', async () => {
    const { id } = await createFormula(user, [phase('A', 1, line(water, 100))]);
    await user
      .put(`/api/formulas/${id}/composition`, { phases: [phase('A', 1, line(glycerin, 100))] })
      .expect(200);
    expect(await declare('region=eu', id)).toMatchObject({ versionNumber: 2, text: 'Ingredients: Glycerin' });
    expect(await declare('region=eu&version=1', id)).toMatchObject({
      versionNumber: 1,
      text: 'Ingredients: Aqua',
    });
    expectError(await user.get(url(id, 'region=eu&version=3')), 404, '配方版本不存在');
  });

  it('of a formula that is not there, or hidden, is 404', async () => {
    for (const id of [NOWHERE, 'x']) expectError(await user.get(url(id, 'region=eu')), 404, '配方不存在');
    expectError(await other.get(url(cream.id, 'region=eu')), 404, '配方不存在');
  });

  it('needs a region, and takes no other values', async () => {
    for (const [query, error] of [
      ['', 'region: 不能为空'],
      ['region=uk', 'region: 必须是以下值之一: eu, us, cn'],
      ['region=eu&version=0', 'version: 不能小于1'],
      ['region=eu&version=1.5', 'version: 必须是整数'],
      ['region=eu&version=99999999999', 'version: 不能大于2147483647'],
    ] as const) {
      expectError(await user.get(url(cream.id, query)), 400, error);
    }
  });

  it('takes the product types of screenings', async () => {
    const dye = await createIngredient(user, {
      inciName: 'p-Phenylenediamine',
      functionCategory: 'colorant',
    });
    const { id } = await createFormula(user, [
      phase('A', 1, line(water, 97.5), line(dye, 1.5), line(glycerin, 1)),
    ]);
    const text = 'Ingredients: Aqua, p-Phenylenediamine, Glycerin';
    expect(await declare('region=eu&productType=hair-dye', id)).toMatchObject({
      productType: 'hair-dye',
      text,
      isComplete: true,
    });
    expect(await declare('region=eu&productType=rinse-off', id)).toMatchObject({
      text,
      isComplete: false,
      problems: [{ code: 'no-ci-number' }],
    });
    const { body } = await user.get(url(id, 'region=eu&productType=both')).expect(400);
    expect(body.error).toContain('productType: 必须是以下值之一: leave-on, rinse-off, face-leave-on, ');
    const page = await user.get(url(id, 'region=eu&productType=hair-dye&lang=en&format=html')).expect(200);
    expect(page.text).toContain('hair dye');
  });

  it('has the label first on the page, and its own name for a phase that a text did not name', async () => {
    const { id } = await createFormula(user, [phase('未分相', 1, line(water, 100))]);
    const page = async (lang: string) =>
      (await user.get(url(id, `region=eu&lang=${lang}&format=html`)).expect(200)).text;
    const english = await page('en');
    expect(english).toContain('title="Label text">Ingredients: Aqua</p>');
    expect(english).toContain('no phase: Aqua 100%');
    expect(english).not.toContain('未分相');
    expect(await page('zh')).toContain('未分相: Aqua 100%');
  });

  it('shows nothing of the composition of a raw material that the reader may not see', async () => {
    const secret = await createIngredient(user, { inciName: 'Secret', supplier: `only ${user.username}` });
    await compose(user, secret, [{ inciName: 'Panthenol', percentage: 100 }]);
    const phases = [phase('A', 1, line(water, 95), line(secret, 5))];
    const { id } = await createFormula(user, phases);
    expect(await declare('region=eu', id)).toMatchObject({ text: 'Ingredients: Aqua, Panthenol' });

    // A raw material that is hidden after it was used.
    const theirs = await createFormula(other, [phase('A', 1, line(water, 100))]);
    const shown = await createIngredient(other, { inciName: 'Shown' });
    await compose(other, shown, [{ inciName: 'Allantoin', percentage: 100 }]);
    await other
      .put(`/api/formulas/${theirs.id}/composition`, {
        phases: [phase('A', 1, line(water, 95), line(shown, 5))],
      })
      .expect(200);
    await user.put(`/api/ingredients/${shown.id}`, { supplier: `only ${user.username}` }).expect(200);
    const hidden = await declare('region=eu', theirs.id, other);
    expect(JSON.stringify(hidden)).not.toContain('Allantoin');
    expect(hidden).toMatchObject({
      text: 'Ingredients: Aqua, [? Shown]',
      isComplete: false,
      problems: [{ code: 'ingredient-hidden', inciName: 'Shown' }],
    });
  });

  it('as a page, CSV and workbook', async () => {
    const page = await user.get(url(cream.id, 'region=cn')).set('Accept', 'text/html').expect(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('日霜 &lt;b&gt;&quot;x&quot;&lt;/b&gt;');
    expect(page.text).not.toContain('<b>');
    expect(page.text).toContain(CLOSING);

    const csv = await user.get(url(cream.id, 'region=eu&format=csv&lang=en')).expect(200);
    expect(csv.text.split('\n').slice(0, 3)).toEqual([
      '\ufeffNo.,Name on the label,INCI name,Group,Share (%),Lowest (%),Highest (%),In fragrance or extract (%),Comes from',
      '1,Aqua,Aqua,descending,91.8,91.8,91.8,,水相: Aqua 91.8%',
      '2,Glycerin,Glycerin,descending,5,5,5,,水相: Glycerin 5%',
    ]);

    const xlsx = await user.get(url(cream.id, 'region=eu&format=xlsx')).responseType('blob').expect(200);
    const [, first] = await readSheet(xlsx.body as Buffer);
    expect(first!.slice(0, 7)).toEqual([1, 'Aqua', 'Aqua', '降序', 91.8, 91.8, 91.8]);
    expect(xlsx.headers['content-disposition']).toMatch(/^attachment; filename=/);
  });

  it('keeps hostile names harmless', async () => {
    const names = ['<script>alert(1)</script>', '=cmd|A0', `"'><img src=x>`];
    const hostile = await Promise.all(
      names.map((inciName) => createIngredient(user, { inciName, chineseName: inciName })),
    );
    const { id } = await createFormula(user, [
      phase('<i>', 1, ...hostile.map((ingredient) => line(ingredient, 30)), line(water, 10)),
    ]);
    const page = await user.get(url(id, 'region=eu&format=html')).expect(200);
    expect(page.text).not.toMatch(/<script|<img|<i>/);
    const csv = await user.get(url(id, 'region=eu&format=csv')).expect(200);
    expect(csv.text).toContain(`'=cmd|A0`);
    expect(csv.text).toContain(CLOSING);
  });

  it('takes as many statements for a thousand lines as for five', async () => {
    const ingredients = await Promise.all(
      Array.from({ length: 40 }, (_, index) => createIngredient(user, { inciName: `Substance ${index}` })),
    );
    const phases = Array.from({ length: 200 }, (_, at) =>
      phase(
        `Phase ${at}`,
        at,
        ...Array.from({ length: 5 }, (_, index) => line(ingredients[(at * 5 + index) % 40]!, 0.1)),
      ),
    );
    const { id } = await createFormula(user, phases);
    const statements = (of: string) => countStatements(() => user.get(url(of, 'region=eu')).expect(200));
    expect(await statements(cream.id)).toBe(3);
    expect(await statements(id)).toBe(3);
    const data = await declare('region=eu', id);
    expect(data.total).toBe(100);
    expect(data.entries).toHaveLength(40);
    expect(data.entries[0]).toMatchObject({ percentage: 2.5 });
    expect(data.entries[0].lines).toHaveLength(25);
    expect(data.entries[0].lines[0].ingredientId).toMatch(UUID);
    await user.get(url(id, 'region=eu&format=html')).expect(200);
  });

  it('refuses a version with more substances than it works on', async () => {
    const many = await createIngredient(user, { inciName: 'Many' });
    await compose(
      user,
      many,
      Array.from({ length: 200 }, (_, index) => ({ inciName: `S${index}`, percentage: 0.5 })),
    );
    const lines = (count: number) =>
      Array.from({ length: count }, () => line(many, 1)).concat(line(water, 100 - count));
    const { id } = await createFormula(user, [phase('A', 1, ...lines(14))]);
    expect((await declare('region=eu', id)).entries).toHaveLength(201);
    const { id: over } = await createFormula(user, [phase('A', 1, ...lines(15))]);
    expectError(await user.get(url(over, 'region=eu')), 409, '配方展开后的物质超过3000项,无法处理');
  });
});

describe('GET /api/ext/declarations', () => {
  const range = (query: string, account = user) => account.get(`/api/ext/declarations?region=eu&${query}`);
  const shades: string[] = [];
  let project: string;

  beforeAll(async () => {
    project = (await createProject(user)).id;
    const [red, yellow] = await Promise.all(
      ['CI 77491', 'CI 77492'].map((inciName) =>
        createIngredient(user, { inciName, chineseName: inciName, functionCategory: 'colorant' }),
      ),
    );
    for (const [index, color] of [red!, yellow!].entries()) {
      const phases = [phase('A', 1, line(water, 88), line(glycerin, 10), line(color, 2))];
      const overrides = { name: `Shade ${index + 1}`, projectId: project };
      shades.push((await createFormula(user, phases, overrides)).id);
    }
  });

  it('labels formulas that differ in colorants only, by ids or by project', async () => {
    const { body } = await range(`formulas=${shades.join(',').toUpperCase()},${shades[0]}`).expect(200);
    expect(body.data).toMatchObject({
      text: 'Ingredients: Aqua, Glycerin, [+/- CI 77491, CI 77492]',
      isComplete: true,
      formulas: [
        { formulaName: 'Shade 1', versionNumber: 1, colorants: ['CI 77491'] },
        { formulaName: 'Shade 2', colorants: ['CI 77492'] },
      ],
      differences: [],
      problems: [],
      closing: CLOSING,
    });
    expect((await range(`projectId=${project}`)).body).toEqual(body);
  });

  it('names the differences of others', async () => {
    const { body } = await range(`formulas=${shades[0]},${cream.id}`).expect(200);
    expect(body.data).toMatchObject({ text: null, isComplete: false, entries: [] });
    expect(body.data.differences[0]).toMatchObject({
      kind: 'not-in-all',
      shares: [{ formulaName: 'Shade 1' }, { formulaId: cream.id }],
    });
  });

  it.each(['csv', 'html', 'xlsx'])('is a document: %s', async (format) => {
    for (const ids of [shades, [shades[0]!, cream.id]])
      for (const lang of ['zh', 'en'])
        await range(`formulas=${ids.join(',')}&format=${format}&lang=${lang}`).expect(200);
  });

  it.each([
    ['', 'formulas: formulas 与 projectId 必须且只能填写一个'],
    [`formulas=${NOWHERE}&projectId=${NOWHERE}`, 'formulas: formulas 与 projectId 必须且只能填写一个'],
    [`formulas=${NOWHERE}`, 'formulas: 至少需要2项'],
    [`formulas=${NOWHERE},x`, 'formulas: 第2项必须是 UUID'],
    [`formulas=${Array.from({ length: 51 }, () => NOWHERE).join(',')}`, 'formulas: 不能超过50项'],
    [`projectId=${NOWHERE}`, 'projectId: 至少需要2项'],
    ['projectId=none', 'projectId: 必须是 UUID'],
  ])('refuses %j', async (query, error) => expectError(await range(query), 400, error));

  it('knows only formulas that the user may read', async () => {
    expectError(await range(`formulas=${shades.join(',')}`, other), 404, '配方不存在');
    expectError(await range(`projectId=${project}`, other), 400, 'projectId: 至少需要2项');
    expectError(await range(`formulas=${shades[0]},${NOWHERE}`), 404, '配方不存在');
  });

  it('refuses a project with more than 50 formulas, and more than 10,000 substances', async () => {
    const { id } = await createProject(user);
    const whole = [phase('A', 1, line(water, 100))];
    for (let count = 0; count < 51; count += 1) await createFormula(user, whole, { projectId: id });
    expectError(await range(`projectId=${id}`), 400, 'projectId: 不能超过50项');
    const many = await createIngredient(user, { inciName: 'Very Many' });
    await compose(
      user,
      many,
      Array.from({ length: 200 }, (_, index) => ({ inciName: `T${index}`, percentage: 0.5 })),
    );
    const large: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const lines = Array.from({ length: 14 }, () => line(many, 1)).concat(line(water, 86));
      large.push((await createFormula(user, [phase('A', 1, ...lines)])).id);
    }
    await range(`formulas=${large.slice(0, 3).join(',')}`).expect(200);
    expectError(
      await range(`formulas=${large.join(',')}`),
      409,
      '各配方展开后的物质合计超过10000项,无法处理',
    );
  });
});
