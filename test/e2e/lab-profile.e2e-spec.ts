import { randomUUID } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import type { DataSource as Database } from 'typeorm';
import { DataSource } from 'typeorm';
import { AccessPolicy, AppModule, CUSTOM_ACCESS_POLICY, type ReadableRecords } from '../../src';
import { profileOfText } from '../../src/formulas/profile/profile.fields';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';
import { importLimits } from '../support/limits';

/** Hides formulas with `secret` in their name from everybody but admins; only creators change them. */
@Injectable()
class SecretPolicy extends AccessPolicy {
  canChange: AccessPolicy['canChange'] = (user, record) =>
    user.id === record.createdBy || user.role === 'admin';
  canConfigure = () => true;
  override readable(): ReadableRecords {
    return {
      types: ['boolean'],
      values: (user) => Promise.resolve(user.role === 'admin' ? 'everything' : [false]),
      conditions: { formula: (row, [all]) => `(${all} OR ${row}.name NOT LIKE '%secret%')` },
    };
  }
}

@Module({ providers: [{ provide: CUSTOM_ACCESS_POLICY, useClass: SecretPolicy }] })
class SecretModule {}

let service: TestApp;
let user: Account;
let admin: Account;
let database: Database;
let water: { id: string };

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [SecretModule] })] } });
  [user, admin] = [await service.register(), await service.register()];
  database = service.app.get(DataSource);
  await database.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [admin.id]);
  water = await createIngredient(user, { inciName: 'Aqua', chineseName: '水' });
});
afterAll(() => service.close());

const formulaOf = async (name: string, account = user): Promise<string> =>
  (await createFormula(account, wholeOf(water.id), { name })).id as string;

const pathOf = (id: string) => `/api/ext/formulas/${id}/profile`;

const give = async (id: string, profile: object, account = user) =>
  (await account.put(pathOf(id), profile).expect(200)).body.data;

const read = async (id: string, account = user) => (await account.get(pathOf(id)).expect(200)).body.data;

const FULL = {
  productType: 'hair-dye',
  markets: ['eu', 'cn'],
  packSize: { amount: 60, unit: 'mL' },
  targetCost: { amount: 12.5, currency: 'CNY', per: 'kg' },
  density: 1.02,
  mixedWith: { formulaId: null, name: '6% 双氧乳', ratio: 1.5 },
};

const EMPTY = {
  productType: null,
  traits: [],
  markets: [],
  packSize: null,
  targetCost: null,
  density: null,
  mixedWith: null,
};

describe('the profile of a product', () => {
  it('is empty until it is given, and is replaced as a whole', async () => {
    const id = await formulaOf('Dye');
    expect(await read(id)).toEqual({ formulaId: id, ...EMPTY });
    const traits = ['rinse-off', 'hair-dye', 'mixed-before-use'];
    const given = await give(id, FULL);
    expect(given).toEqual({ formulaId: id, ...FULL, traits });
    expect(Object.keys(given)).toEqual(['formulaId', ...Object.keys(EMPTY)]);
    expect(await read(id)).toEqual(given);
    expect(await give(id, { markets: [' EU ', 'eu', 'Demo'], density: null })).toEqual({
      ...{ formulaId: id, ...EMPTY, markets: ['eu', 'demo'] },
    });
    expect(await give(id, {})).toEqual({ formulaId: id, ...EMPTY });
  });

  it('leaves the formula, its date and its versions as they are', async () => {
    const id = await formulaOf('Cream');
    const before = (await user.get(`/api/formulas/${id}`).expect(200)).body;
    await give(id, FULL);
    expect((await user.get(`/api/formulas/${id}`).expect(200)).body).toEqual(before);
  });

  it('is written only if it is as the client has read it', async () => {
    const id = await formulaOf('Cream');
    const { headers } = await user.get(pathOf(id)).expect(200);
    const put = await user.put(pathOf(id), { density: 1 }).set('If-Match', headers.etag!).expect(200);
    expect((await user.get(pathOf(id))).headers.etag).toBe(put.headers.etag);
    const stale = await user.put(pathOf(id), { density: 2 }).set('If-Match', headers.etag!);
    expectError(stale, 412, '产品档案已被修改,请重新获取后再提交');
    expect(stale.headers.etag).toBe(put.headers.etag);
    expect((await read(id)).density).toBe(1);
  });

  it('of a formula that there is not, or that the user may not read, is 404; of another user 403', async () => {
    const hidden = await formulaOf('secret', admin);
    for (const id of [randomUUID(), 'x', hidden]) {
      expectError(await user.get(pathOf(id)), 404, '配方不存在');
      expectError(await user.put(pathOf(id), {}), 404, '配方不存在');
    }
    const other = await formulaOf('Open', admin);
    expectError(await user.put(pathOf(other), {}), 403, '无权限执行此操作');
    expect(await read(other)).toMatchObject(EMPTY);
  });

  it.each([
    [{ productType: 'leave-on' }, /^productType: /],
    [{ markets: 'eu' }, /^markets: /],
    [{ markets: [''] }, /^markets: /],
    [{ packSize: { amount: 0, unit: 'mL' } }, /^packSize\.amount: /],
    [{ packSize: { amount: 5 } }, /^packSize\.unit: /],
    [{ targetCost: { amount: 5, currency: 'cny', per: 'kg' } }, /^targetCost\.currency: 必须是币种代码/],
    [{ targetCost: { amount: 5, currency: 'CNY' } }, /^targetCost\.per: /],
    [{ density: 0 }, /^density: /],
    [{ mixedWith: { ratio: 1 } }, /^mixedWith: 须填写 formulaId 或 name/],
    [{ mixedWith: { name: ' ', ratio: 1 } }, /^mixedWith: 须填写 formulaId 或 name/],
    [{ mixedWith: { name: 'x', ratio: 0 } }, /^mixedWith\.ratio: /],
    [{ mixedWith: { formulaId: randomUUID(), ratio: 1 } }, /^mixedWith\.formulaId: 配方不存在/],
  ])('refuses %j', async (profile, message) => {
    const id = await formulaOf('Cream');
    const { body } = await user.put(pathOf(id), profile).expect(400);
    expect(body.error).toMatch(message);
    expect(await read(id)).toMatchObject(EMPTY);
  });

  it('has the target cost by the code of its currency, also from a file, so that its rate is found', async () => {
    const id = await formulaOf('Named currency');
    const target = (currency: string) => ({ targetCost: { amount: 5, currency, per: 'kg' } });
    for (const [given, code] of [
      ['人民币', 'CNY'],
      ['€', 'EUR'],
      ['￥', '¥'],
      ['RMB', 'CNY'],
    ] as const) {
      expect(await give(id, target(given))).toMatchObject(target(code));
    }
    await admin.put('/api/ext/exchange-rates', {
      currency: 'EUR',
      rates: [{ currency: 'CNY', rate: 0.125 }],
    });
    const { body } = await user.get(`/api/ext/formulas/${id}/cost`).expect(200);
    expect(body.data).toMatchObject({
      exchangeRates: [{ currency: 'CNY', rate: 0.125 }],
      target: target('CNY').targetCost,
    });
    await admin.put('/api/ext/exchange-rates', { currency: null, rates: [] }).expect(200);
    expect(profileOfText(JSON.stringify(target('RMB')))).toMatchObject(target('CNY'));
  });

  it('is copied with the formula, kept by its versions, and comes back from the trash', async () => {
    const id = await formulaOf('Dye');
    await give(id, FULL);
    const copy = (await user.post(`/api/ext/formulas/${id}/copy`).expect(201)).body.data.id as string;
    expect(await read(copy)).toMatchObject(FULL);
    await user.put(`/api/formulas/${id}/composition`, { phases: wholeOf(water.id) }).expect(200);
    await user.post(`/api/ext/formulas/${id}/versions/1/restore`).expect(201);
    expect(await read(id)).toMatchObject(FULL);
    await user.delete(`/api/formulas/${id}`).expect(204);
    expectError(await user.get(pathOf(id)), 404, '配方不存在');
    await user.post(`/api/ext/trash/${id}/restore`).expect(200);
    expect(await read(id)).toMatchObject(FULL);
    // A formula without a profile has a copy without one.
    const plain = await formulaOf('Plain');
    const other = (await user.post(`/api/ext/formulas/${plain}/copy`).expect(201)).body.data.id as string;
    expect(await read(other)).toMatchObject(EMPTY);
  });
});

describe('what a product is mixed with', () => {
  it('has its present name, leaves it when it is deleted, and is found again when it comes back', async () => {
    const [dye, developer] = [await formulaOf('Dye', admin), await formulaOf('Developer', admin)];
    await give(dye, { mixedWith: { formulaId: developer.toUpperCase(), name: 'ignored', ratio: 1 } }, admin);
    expect((await read(dye)).mixedWith).toEqual({ formulaId: developer, name: 'Developer', ratio: 1 });
    await admin.put(`/api/formulas/${developer}`, { name: 'Developer 6 %' }).expect(200);
    expect((await read(dye)).mixedWith.name).toBe('Developer 6 %');
    await admin.delete(`/api/formulas/${developer}`).expect(204);
    const left = await read(dye, admin);
    expect(left.mixedWith).toEqual({ formulaId: developer, name: 'Developer', ratio: 1 });
    expect(await give(dye, { ...left, density: 1 }, admin)).toEqual({ ...left, density: 1 });
    await admin.post(`/api/ext/trash/${developer}/restore`).expect(200);
    expect((await read(dye)).mixedWith.name).toBe('Developer 6 %');
  });

  it('is not the product itself', async () => {
    const id = await formulaOf('Dye');
    const itself = await user.put(pathOf(id), { mixedWith: { formulaId: id, ratio: 1 } });
    expectError(itself, 400, 'mixedWith.formulaId: 不能与自身混合');
  });

  it('is never revealed to those who may not read it, nor after it is deleted', async () => {
    const [dye, developer] = [await formulaOf('Dye'), await formulaOf('secret developer', admin)];
    const mixedWith = { formulaId: developer, ratio: 2 };
    expectError(await user.put(pathOf(dye), { mixedWith }), 400, 'mixedWith.formulaId: 配方不存在');
    await give(dye, { mixedWith }, admin);
    const seen = await read(dye);
    expect(seen.mixedWith).toEqual({ ...mixedWith, name: null });
    expect((await read(dye, admin)).mixedWith.name).toBe('secret developer');
    // What is sent back stays as it was.
    await give(dye, { ...seen, density: 1 });
    expect(await read(dye, admin)).toMatchObject({ density: 1, mixedWith: { name: 'secret developer' } });
    await admin.delete(`/api/formulas/${developer}`).expect(204);
    expect((await read(dye)).mixedWith).toEqual({ ...mixedWith, name: null });
    expect((await read(dye, admin)).mixedWith.name).toBe('secret developer');
  });
});

describe('labels', () => {
  const labelOf = async (id: string, query = '') =>
    user.get(`/api/ext/formulas/${id}/declaration${query && `?${query}`}`);

  it('take the market and the product type from the profile, and say so', async () => {
    const id = await formulaOf('Shampoo');
    expectError(await labelOf(id), 400, 'region: 不能为空');
    expect((await labelOf(id, 'region=eu')).body.data).toMatchObject({
      productType: 'leave-on',
      fromProfile: [],
    });
    await give(id, { productType: 'shampoo', markets: ['demo', 'cn', 'eu'] });
    const taken = (await labelOf(id)).body.data;
    expect(taken).toMatchObject({ region: 'cn', productType: 'shampoo' });
    expect(taken.fromProfile).toEqual(['region', 'productType']);
    const said = (await labelOf(id, 'region=eu&productType=leave-on')).body.data;
    expect(said).toMatchObject({ region: 'eu', productType: 'leave-on', fromProfile: [] });
    expect((await labelOf(id, 'region=eu')).body.data).toMatchObject({
      ...{ productType: 'shampoo', fromProfile: ['productType'], basis: { allergensAbove: 0.01 } },
    });
    const { text } = await labelOf(id, 'format=html&lang=en');
    expect(text).toContain('Taken from the profile of the formula: market, product type.');
    expect((await labelOf(id, 'region=eu&productType=soap&format=html&lang=en')).text).not.toContain(
      'Taken from',
    );
    expect((await labelOf(id, 'format=csv&lang=zh')).text).toContain('取自配方的产品档案：市场、产品类型。');
  });

  it('of a range take what the profiles agree on, and refuse where they differ', async () => {
    const [red, rose, plain] = [await formulaOf('Red'), await formulaOf('Rose'), await formulaOf('Plain')];
    const range = `/api/ext/declarations?formulas=${red},${rose},${plain}`;
    await give(red, { productType: 'lip', markets: ['eu'] });
    await give(rose, { productType: 'lip', markets: ['eu', 'us'] });
    expect((await user.get(range).expect(200)).body.data).toMatchObject({
      ...{ region: 'eu', productType: 'lip', fromProfile: ['region', 'productType'] },
    });
    await give(rose, { productType: 'nail', markets: ['eu'] });
    expectError(await user.get(range), 400, 'productType: 各配方的产品档案不一致(lip, nail),请在请求中指定');
    const said = await user.get(`${range}&productType=lip`).expect(200);
    expect(said.body.data.fromProfile).toEqual(['region']);
  });
});

describe('screenings', () => {
  it('take the first market and the product type from the profile, and say so', async () => {
    const id = await formulaOf('Cream');
    const path = `/api/ext/formulas/${id}/screening`;
    expectError(await user.get(path), 400, 'region: 不能为空');
    await give(id, { productType: 'soap', markets: ['mars', 'eu'] });
    const { data } = (await user.get(path).expect(200)).body;
    expect(data).toMatchObject({
      region: 'mars',
      productType: 'soap',
      fromProfile: ['region', 'productType'],
    });
    const said = await user.get(`${path}?region=EU&productType=lip`).expect(200);
    expect(said.body.data).toMatchObject({ region: 'eu', productType: 'lip', fromProfile: [] });
    const { text } = await user.get(`${path}?region=eu&format=html&lang=en`).expect(200);
    expect(text).toContain('Taken from the profile of the formula: product type.');
  });
});

describe('the list of formulas', () => {
  it('finds a product type and a market', async () => {
    const projectId = (await createProject(user)).id as string;
    const named = async (name: string, profile: object) => {
      const { id } = await createFormula(user, wholeOf(water.id), { name, projectId });
      await give(id as string, profile);
    };
    await named('A', { productType: 'lip', markets: ['eu', 'us'] });
    await named('B', { productType: 'lip', markets: ['cn'] });
    await named('C', { productType: 'nail', markets: ['eu'] });
    await createFormula(user, wholeOf(water.id), { name: 'D', projectId });
    const namesOf = async (query: string) => {
      const path = `/api/ext/formulas?projectId=${projectId}&sortBy=name&sortOrder=asc&${query}`;
      const { body } = await user.get(path).expect(200);
      expect(body.pagination.total).toBe(body.data.length);
      return (body.data as { name: string }[]).map(({ name }) => name).join('');
    };
    expect(await namesOf('')).toBe('ABCD');
    expect(await namesOf('productType=lip')).toBe('AB');
    expect(await namesOf('market=EU')).toBe('AC');
    expect(await namesOf('productType=lip&market=eu')).toBe('A');
    expect(await namesOf('market=mars')).toBe('');
    await user.get('/api/ext/formulas?productType=leave-on').expect(400);
  });
});

describe('screenings of limits after mixing', () => {
  const LIMITS = [
    'region,annex,entry,inciNames,casNumbers,kind,limitPercent,basis,source',
    'mix,III,1,DYE ONE,,maximum,2,after mixing,house',
    'mix,III,2,HYDROGEN PEROXIDE,,maximum,5,after mixing,house',
  ].join('\n');

  let dye: { id: string };
  let peroxide: { id: string };
  beforeAll(async () => {
    await importLimits(service.app, 'Mixtures', LIMITS);
    dye = await createIngredient(admin, { inciName: 'Dye One', chineseName: '染料一' });
    peroxide = await createIngredient(admin, { inciName: 'Hydrogen Peroxide', chineseName: '过氧化氢' });
  });

  const mixOf = async (name: string, active: { id: string }, percentage: number) => {
    const ingredients = [
      { ingredientId: active.id, percentage },
      { ingredientId: water.id, percentage: 100 - percentage },
    ];
    return (await createFormula(admin, [{ name: 'A', sortOrder: 1, ingredients }], { name })).id as string;
  };

  const screen = async (id: string, account = admin) => {
    const { data } = (await account.get(`/api/ext/formulas/${id}/screening?region=mix&lang=en`).expect(200))
      .body;
    const results = (data.results as { result: string; missing: string[]; amount: string; rows: unknown[] }[])
      .filter(({ rows }) => rows.length > 0)
      .map(({ result, missing, amount }) => [result, ...missing, amount].join(' '));
    return { results, mixture: data.mixture, fromProfile: data.fromProfile };
  };

  it('mix in the substances of a formula, and say so', async () => {
    const id = await mixOf('Dye', dye, 4);
    expect(await screen(id)).toEqual({
      results: ['cannot-be-judged mixture 4'],
      mixture: null,
      fromProfile: [],
    });
    const developer = await mixOf('Developer', peroxide, 12);
    await give(id, { mixedWith: { formulaId: developer, ratio: 1 } }, admin);
    expect(await screen(id)).toEqual({
      results: ['above-limit 6', 'not-above-limit 2'],
      mixture: { formulaId: developer, name: 'Developer', ratio: 1, versionNumber: 1, basis: 'composition' },
      fromProfile: ['mixedWith'],
    });
    const { text } = await admin.get(`/api/ext/formulas/${id}/screening?region=mix&lang=en&format=html`);
    expect(text).toContain('Developer (version 1), 1 : 1');
    expect(text).toContain('Taken from the profile of the formula: mixture before use.');
    // Nobody knows any more what a deleted formula contains.
    await admin.delete(`/api/formulas/${developer}`).expect(204);
    expect(await screen(id)).toMatchObject({
      results: ['cannot-be-judged mixture 4'],
      mixture: { name: 'Developer', versionNumber: null, basis: 'deleted' },
    });
  });

  it('are refused if both parts have too many substances together', async () => {
    const substances = Array.from({ length: 100 }, (_, n) => ({ inciName: `Part ${n}`, percentage: 1 }));
    const blend = await createIngredient(admin, { inciName: 'Many Parts', chineseName: '多组分' });
    await admin.put(`/api/ext/ingredients/${blend.id}/composition`, { substances }).expect(200);
    const lines = Array.from({ length: 60 }, (_, n) => ({ ingredientId: blend.id, percentage: n ? 1 : 41 }));
    const many = async () =>
      (await createFormula(admin, [{ name: 'A', sortOrder: 1, ingredients: lines }], { name: 'Many' }))
        .id as string;
    const [id, other] = [await many(), await many()];
    await give(id, { mixedWith: { formulaId: other, ratio: 1 } }, admin);
    expectError(
      await admin.get(`/api/ext/formulas/${id}/screening?region=mix`),
      409,
      '配方展开后的物质超过10000项,无法处理',
    );
    await give(id, {}, admin);
    await admin.get(`/api/ext/formulas/${id}/screening?region=mix`).expect(200);
  });

  it('dilute by a name, and say what is assumed', async () => {
    const id = await mixOf('Dye', dye, 3);
    await give(id, { mixedWith: { name: 'Water', ratio: 0.5 } }, admin);
    expect(await screen(id)).toMatchObject({
      results: ['not-above-limit 2'],
      mixture: { basis: 'dilution' },
    });
    const page = await admin.get(`/api/ext/formulas/${id}/screening?region=mix&lang=zh&format=csv`);
    expect(page.text).toContain('Water，1 : 0.5；假定不含列出的物质');
  });

  it('never reveal a formula that the reader may not see, and do not clear what it may contain', async () => {
    const [id, secret] = [await mixOf('Dye', dye, 3), await mixOf('secret developer', peroxide, 12)];
    await give(id, { mixedWith: { formulaId: secret, ratio: 1 } }, admin);
    expect((await screen(id)).results).toEqual(['above-limit 6', 'not-above-limit 1.5']);
    expect(await screen(id, user)).toEqual({
      results: ['cannot-be-judged mixture 3'],
      mixture: { formulaId: secret, name: null, ratio: 1, versionNumber: null, basis: 'hidden' },
      fromProfile: ['mixedWith'],
    });
    for (const format of ['html', 'csv']) {
      const { text } = await user.get(
        `/api/ext/formulas/${id}/screening?region=mix&lang=en&format=${format}`,
      );
      expect(text).toContain('a formula that you may not see, 1 : 1');
      expect(text).not.toMatch(/secret|Peroxide/);
    }
  });

  it('clear nothing where a part of the other formula is not known', async () => {
    const blend = await createIngredient(admin, {
      inciName: 'Dye One (and) Glycerin',
      chineseName: '混合物',
    });
    const [id, developer] = [await mixOf('Dye', dye, 3), await mixOf('Blend', blend, 10)];
    await give(id, { mixedWith: { formulaId: developer, ratio: 1 } }, admin);
    const { results, mixture } = await screen(id);
    expect(results).toEqual(['cannot-be-judged mixture 3']);
    expect(mixture.basis).toBe('known-part');
  });
});

describe('costs and batch sheets', () => {
  it('have the pack, the target and the mixture on their pages and in their files', async () => {
    const priced = await createIngredient(user, {
      inciName: 'Priced',
      chineseName: '有价',
      unitPrice: 20,
      unit: 'kg',
    });
    const { id } = await createFormula(user, wholeOf(priced.id), { name: 'Priced' });
    const path = `/api/ext/formulas/${id}`;
    const plain = (await user.get(`${path}/cost`).expect(200)).body.data;
    expect(plain).toMatchObject({ pack: null, target: null, fromProfile: [] });
    const packSize = { amount: 50, unit: 'mL' };
    const mixedWith = { name: 'Powder', ratio: 0.5 };
    await give(id, { ...FULL, productType: 'lip', packSize, density: 0.96, mixedWith });
    expect((await user.get(`${path}/cost`).expect(200)).body.data).toMatchObject({
      pack: { ...packSize, kilograms: 0.048, cost: 0.96 },
      target: { ...FULL.targetCost, result: 'above', currencyAssumed: true },
      fromProfile: ['packSize', 'density', 'targetCost'],
    });
    const cost = (await user.get(`${path}/cost?format=csv&lang=en`)).text;
    expect(cost).toContain('Cost of a pack (50 mL),0.96');
    expect(cost).toContain('Target cost,12.5 CNY per kg: exceeded');
    expect(cost).toContain('Prices name no currency. They are compared with the target cost as CNY.');
    expect(cost).toContain('"Taken from the profile of the formula: pack size, density, target cost."');
    const batch = await user.get(`${path}/batch?mass=25&lang=en`).expect(200);
    expect(batch.body.data).toMatchObject({
      ...{ productType: 'lip', volume: 26.041667, mixedWith: { ...mixedWith, formulaId: null } },
      pack: { ...packSize, count: 520, rest: 0.04 },
    });
    const sheet = (await user.get(`${path}/batch?mass=25&format=csv&lang=zh`)).text;
    expect(sheet).toContain('可装包数（50 mL）,520，剩余 0.04 kg');
    expect(sheet).toContain('使用前混合,与 Powder 按 1 : 0.5（质量比）');
    expect(sheet).toContain('产品类型,唇部产品');
    await give(id, { packSize });
    const unknown = (await user.get(`${path}/batch?mass=25&format=csv&lang=en`)).text;
    expect(unknown).toContain('Full packs (50 mL),unknown without a density');
  });
});

describe('files', () => {
  it.each(['json', 'csv', 'xlsx'])('carry the profile as %s', async (format) => {
    const account = await service.register();
    const projectId = (await createProject(account)).id as string;
    const [developer, kept] = [await formulaOf(`Developer ${format}`), await formulaOf(`Kept ${format}`)];
    const { id } = await createFormula(account, wholeOf(water.id), { name: `Dye ${format}`, projectId });
    await createFormula(account, wholeOf(water.id), { name: `Plain ${format}`, projectId });
    await give(id, { ...FULL, mixedWith: { formulaId: developer, ratio: 1.5 } }, account);
    const file = await account
      .get(`/api/ext/export/formulas?format=${format}&projectId=${projectId}`)
      .responseType('blob')
      .expect(200);
    const types = {
      json: 'application/json',
      csv: 'text/csv',
      xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    } as Record<string, string>;
    const importIt = async (by: Account) =>
      (
        await by
          .post('/api/ext/import/formulas')
          .type(types[format]!)
          .send(format === 'json' ? String(file.body) : (file.body as Buffer))
          .expect(200)
      ).body.data;
    const note = '文件中1个已有配方的名称、说明、项目或产品档案与已保存的不同,均未修改';
    const same = await importIt(account);
    expect(same).toMatchObject({ created: 0, unchanged: 2 });
    expect(same.notes).not.toContain(note);
    await give(id, { density: 2 }, account);
    expect((await importIt(account)).notes).toContain(note);
    expect(await read(id, account)).toMatchObject({ density: 2 });
    await account.delete(`/api/formulas/${id}`).expect(204);
    await account.delete(`/api/ext/trash/${id}`).expect(204);
    expect(await importIt(account)).toMatchObject({ created: 1, unchanged: 1 });
    const { data } = (await account.get(`/api/ext/formulas?search=Dye%20${format}`).expect(200)).body;
    const profile = await read(data[0].id as string, account);
    expect(profile).toMatchObject({
      ...FULL,
      mixedWith: { formulaId: developer, name: `Developer ${format}`, ratio: 1.5 },
    });
    expect(await read(kept)).toMatchObject(EMPTY);
  });

  it('refuse what is no profile', async () => {
    const rows = (profile: string) =>
      `formula,ingredientId,%,profile\nX,${water.id},100,"${profile.replaceAll('"', '""')}"\n`;
    const importIt = async (profile: string) => {
      const sent = user.post('/api/ext/import/formulas').query({ dryRun: 'true' }).type('text/csv');
      return (await sent.send(rows(profile)).expect(200)).body.data;
    };
    expect((await importIt('{"density":1}')).refused).toBe(0);
    for (const [profile, field] of [
      ['{"density":0}', 'density'],
      ['{"packSize":{"amount":1}}', 'packSize.unit'],
      ['{"mixedWith":{"ratio":1}}', 'mixedWith'],
      ['soap', 'JSON'],
      ['[]', 'JSON'],
      ['5', 'JSON'],
    ] as const) {
      expect(JSON.stringify(await importIt(profile))).toContain(`不是产品档案: ${field}`);
    }
  });
});
