import { Injectable, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  AccessPolicy,
  AppModule,
  CUSTOM_ACCESS_POLICY,
  type CurrentUser,
  type DomainEvent,
  EVENT_HANDLER,
  type ReadableRecords,
} from '../../src';
import { expectError, expectKeys, FORBIDDEN, NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, wholeOf } from '../support/factories';
import { countStatements } from '../support/statements';

/** Ingredients of the supplier `only NAME` are seen by the user of that name alone. */
@Injectable()
class SuppliersPolicy extends AccessPolicy {
  static readonly readers = new Set<string>();
  canChange = () => true;
  canConfigure = () => true;
  override canChangeIngredient = (user: CurrentUser) => !SuppliersPolicy.readers.has(user.username);

  override readable(): ReadableRecords {
    return {
      types: ['text'],
      values: (user) => [user.username],
      conditions: {
        ingredient: (row, [name]) =>
          `(${row}.supplier IS NULL OR ${row}.supplier NOT LIKE 'only %' OR ${row}.supplier = 'only ' || ${name})`,
      },
    };
  }
}

const events: DomainEvent[] = [];
const recorder = {
  name: 'recorder',
  events: ['ingredient.updated'] as const,
  inTransaction: (event: DomainEvent) => void events.push(event),
};

@Module({
  providers: [
    { provide: CUSTOM_ACCESS_POLICY, useClass: SuppliersPolicy },
    { provide: EVENT_HANDLER, useValue: recorder },
  ],
})
class PolicyModule {}

let service: TestApp;
let database: DataSource;
let user: Account;
let reader: Account;
let admin: Account;

const EMPTY = { suppliers: [], density: null, strength: null, solvent: null, documents: [] };
const SUPPLIER = {
  name: '某某化工',
  code: 'RM-0101',
  tradeName: 'Pricerine 9091',
  price: 12.5,
  currency: 'CNY',
  unit: 'kg',
  minimumOrder: '25 kg',
  date: '2026-11-02',
  preferred: true,
};
const CERTIFICATE = {
  kind: 'certificate',
  title: 'RSPO',
  address: 'https://example.com/rspo.pdf',
  validUntil: '2027-03-31',
};
const CARD = {
  suppliers: [SUPPLIER],
  density: 1.26,
  strength: 70.25,
  solvent: { inciName: 'Aqua', chineseName: '水', casNumber: '7732-18-5', ecNumber: null },
  documents: [CERTIFICATE],
};

const path = (id: string) => `/api/ext/ingredients/${id}/card`;
const put = (id: string, card: object, account = user) =>
  account.put(path(id), { suppliers: [], documents: [], ...card });
const read = async (id: string) => (await user.get(path(id)).expect(200)).body.data;

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [PolicyModule] })] } });
  database = service.app.get(DataSource);
  [user, reader, admin] = [await service.register(), await service.register(), await service.register()];
  await database.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [admin.id]);
  SuppliersPolicy.readers.add(reader.username);
});
beforeEach(() => void (events.length = 0));
afterAll(() => service.close());

describe('the card of a raw material', () => {
  it('is empty at first, then what was put, in one statement', async () => {
    const { id } = await createIngredient(user);
    expect(await read(id)).toEqual({ ingredientId: id, ...EMPTY });
    const { body } = await put(id, CARD).expect(200);
    expect(body).toEqual({ data: { ingredientId: id, ...CARD } });
    expectKeys(body.data, ['ingredientId', ...Object.keys(EMPTY)]);
    expectKeys(body.data.suppliers[0], Object.keys(SUPPLIER));
    expect(await read(id)).toEqual(body.data);
    expect(events).toMatchObject([{ recordId: id, data: { changed: ['card'] } }]);
    // The other statement looks up the user of the token.
    expect(await countStatements(() => user.get(path(id)).expect(200))).toBe(2);
  });

  it('takes what it has answered, and clears what is left out', async () => {
    const { id } = await createIngredient(user);
    await put(id, CARD).expect(200);
    expect((await put(id, await read(id)).expect(200)).body.data).toEqual({ ingredientId: id, ...CARD });
    const { body } = await put(id, { suppliers: [{ name: ' B ', currency: '€', code: ' ' }] }).expect(200);
    const { suppliers, ...rest } = body.data;
    expect(suppliers).toEqual([
      {
        ...{ name: 'B', code: null, tradeName: null, price: null, currency: 'EUR', unit: 'kg' },
        ...{ minimumOrder: null, date: null, preferred: false },
      },
    ]);
    expect(rest).toMatchObject({ density: null, strength: null, solvent: null, documents: [] });
  });

  it('keeps the history of a price, in its order', async () => {
    const { id } = await createIngredient(user);
    const suppliers = ['2026-01-05', '2026-06-01', '2026-11-02'].map((date, at) => ({
      ...SUPPLIER,
      price: 12 + at / 10,
      date,
      preferred: at === 2,
    }));
    await put(id, { suppliers }).expect(200);
    expect((await read(id)).suppliers).toEqual(suppliers);
  });

  it.each([
    [{ strength: 70 }, 'solvent: 不能为空'],
    [{ solvent: { inciName: 'Aqua' } }, 'strength: 不能为空'],
    [{ suppliers: [SUPPLIER, SUPPLIER] }, 'suppliers.1.preferred: 第1项已是首选供应商'],
    [{ suppliers: [{ ...SUPPLIER, unit: '瓶' }] }, 'suppliers.0.unit: 必须是质量或体积单位,如 25 kg、L'],
    [{ suppliers: [{ ...SUPPLIER, unit: '€/kg' }] }, 'suppliers.0.unit: 必须是质量或体积单位,如 25 kg、L'],
    [{ suppliers: [{ ...SUPPLIER, currency: 'Euro' }] }, 'suppliers.0.currency: 必须是币种代码,如 CNY、EUR'],
    [{ suppliers: [{ ...SUPPLIER, date: '2026-02-30' }] }, 'suppliers.0.date: 必须是日期,如2026-12-31'],
    [
      { documents: [{ ...CERTIFICATE, validUntil: '0000-01-01' }] },
      'documents.0.validUntil: 必须是日期,如2026-12-31',
    ],
    [{ density: 0 }, 'density: 必须大于0'],
    [{ strength: 100, solvent: { inciName: 'Aqua' } }, 'strength: 不能大于99.9999'],
    [{ suppliers: null }, 'suppliers: 不能为空'],
  ])('refuses %j', async (card, message) => {
    const { id } = await createIngredient(user);
    const answer = await put(id, card);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(message);
    expect(await read(id)).toEqual({ ingredientId: id, ...EMPTY });
  });

  it('takes If-Match with the state of the card', async () => {
    const { id } = await createIngredient(user);
    const { etag } = (await user.get(path(id)).expect(200)).headers;
    const replaced = await put(id, CARD).set('If-Match', etag!).expect(200);
    const stale = await put(id, {}).set('If-Match', etag!);
    expectError(stale, 412, '成分已被修改,请重新获取后再提交');
    expect(stale.headers.etag).toBe(replaced.headers.etag);
    expect(await read(id)).toEqual({ ingredientId: id, ...CARD });
  });

  it('is readable exactly where its ingredient is, and changed by those who may change it', async () => {
    const hidden = await createIngredient(user, { supplier: `only ${user.username}` });
    await put(hidden.id, CARD).expect(200);
    for (const id of [hidden.id, NOWHERE, 'x']) expectError(await reader.get(path(id)), 404, '成分不存在');
    expectError(await put(hidden.id, {}, reader), 404, '成分不存在');
    const shown = await createIngredient(user);
    await reader.get(path(shown.id)).expect(200);
    expectError(await put(shown.id, {}, reader), 403, FORBIDDEN);
  });

  it('goes with its ingredient', async () => {
    const { id } = await createIngredient(user);
    await put(id, CARD).expect(200);
    await user.delete(`/api/ingredients/${id}`).expect(204);
    expect(await database.query('SELECT FROM ingredient_cards WHERE ingredient_id = $1', [id])).toEqual([]);
  });
});

it('leaves the price of the ingredient as it is', async () => {
  const { id } = await createIngredient(user, { unitPrice: 9 });
  await put(id, CARD).expect(200);
  const { body } = await user.get(`/api/ingredients/${id}`).expect(200);
  expect(body.data).toMatchObject({ unitPrice: 9, unit: 'kg', supplier: null });
});

describe('a batch sheet', () => {
  it('has code and trade name of the preferred supplier, in JSON, page and file', async () => {
    const { id } = await createIngredient(user);
    const other = { ...SUPPLIER, name: 'Other', code: 'X-1', preferred: false };
    await put(id, { suppliers: [other, SUPPLIER] }).expect(200);
    const formula = (await createFormula(user, wholeOf(id))) as { id: string };
    const sheet = (format: string, account = user) =>
      account.get(`/api/ext/formulas/${formula.id}/batch?format=${format}`).expect(200);
    const { name, code, tradeName } = SUPPLIER;
    const [line] = (await sheet('json')).body.data.phases[0].ingredients;
    expect(line.supplier).toEqual({ name, code, tradeName });
    expect((await sheet('html')).text).toContain('RM-0101 · Pricerine 9091');
    const [header, row] = (await sheet('csv')).text.split('\n');
    const cells = row!.split(',');
    expect(header!.split(',').map((title, at) => [title, cells[at]])).toEqual(
      expect.arrayContaining([
        ['原料代码', 'RM-0101'],
        ['商品名', 'Pricerine 9091'],
        ['供应商', '某某化工'],
      ]),
    );
  });

  it('hides them with the ingredient', async () => {
    const { id } = await createIngredient(user, { supplier: `only ${user.username}` });
    await put(id, CARD).expect(200);
    const formula = (await createFormula(user, wholeOf(id))) as { id: string };
    const { body, text } = await reader.get(`/api/ext/formulas/${formula.id}/batch`).expect(200);
    expect(body.data.phases[0].ingredients[0].supplier).toBeNull();
    expect(text).not.toContain('RM-0101');
  });
});

describe('GET /api/ext/ingredients/documents', () => {
  const titles = async (query: string, account = user) =>
    (await account.get(`/api/ext/ingredients/documents?${query}`).expect(200)).body;

  it('lists what expires, the first ones first, of ingredients that the user may see', async () => {
    const shown = await createIngredient(user, { inciName: 'Documented' });
    const hidden = await createIngredient(user, { supplier: `only ${user.username}` });
    const document = (title: string, validUntil: string | null) => ({ ...CERTIFICATE, title, validUntil });
    await put(shown.id, {
      documents: [document('C', '2031-01-03'), document('never', null), document('A', '2031-01-01')],
    }).expect(200);
    await put(hidden.id, { documents: [document('B', '2031-01-02')] }).expect(200);
    const all = await titles('expiresBefore=2031-01-04');
    const own = all.data.filter(({ validUntil }: { validUntil: string }) => validUntil > '2030');
    expect(own.map(({ title }: { title: string }) => title)).toEqual(['A', 'B', 'C']);
    expect(own[0]).toEqual({
      ...document('A', '2031-01-01'),
      ...{ ingredientId: shown.id, inciName: 'Documented', chineseName: shown.chineseName },
    });
    const sparse = await titles('expiresBefore=2031-01-03', reader);
    const seen = sparse.data.filter(({ validUntil }: { validUntil: string }) => validUntil > '2030');
    expect(seen.map(({ title }: { title: string }) => title)).toEqual(['A']);
    expect(sparse.pagination.total).toBe(sparse.data.length);
    expect((await titles('limit=1&page=2')).data).toHaveLength(1);
    expectError(
      await user.get('/api/ext/ingredients/documents?expiresBefore=31.12.2026'),
      400,
      'expiresBefore: 必须是日期,如2026-12-31',
    );
  });
});

describe('a merge', () => {
  const merge = (id: string, into: string) => admin.post(`/api/ext/ingredients/${id}/merge`, { into });

  it('loses no supplier and no document', async () => {
    const [id, into] = [(await createIngredient(user)).id, (await createIngredient(user)).id];
    const own = { ...SUPPLIER, name: 'Own' };
    await put(id, { ...CARD, suppliers: [SUPPLIER, { ...own, preferred: false }] }).expect(200);
    await put(into, { suppliers: [own], density: 1.2, documents: [{ ...CERTIFICATE, title: 'Own' }] });
    await merge(id, into).expect(200);
    expect(await read(into)).toEqual({
      ingredientId: into,
      ...CARD,
      suppliers: [own, { ...SUPPLIER, preferred: false }],
      density: 1.2,
      documents: [{ ...CERTIFICATE, title: 'Own' }, CERTIFICATE],
    });
  });

  it('is refused where the card would have too many entries', async () => {
    const [id, into] = [(await createIngredient(user)).id, (await createIngredient(user)).id];
    const many = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...SUPPLIER, name: `${prefix}${at}`, preferred: false }));
    await put(id, { suppliers: many('A', 51) }).expect(200);
    await put(into, { suppliers: many('B', 50) }).expect(200);
    expectError(await merge(id, into), 409, '合并后suppliers超过100个,请先删减');
    expect((await read(id)).suppliers).toHaveLength(51);
  });
});
