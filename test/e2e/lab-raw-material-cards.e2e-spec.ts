import { Injectable, Module } from '@nestjs/common';
import fc from 'fast-check';
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

const textOf = (max: number) =>
  fc.oneof(
    fc.constantFrom(
      '=1+1',
      "'quoted",
      "a;'=b",
      '#N/A',
      '2026-01',
      '+49',
      '-5',
      'a,b;"c"',
      '007',
      '1.50',
      '水 Ü',
      'two\nlines',
    ),
    // The package that writes workbooks cannot write `toString` and its like.
    fc.string({ minLength: 1, maxLength: max }).filter((value) => value.trim() === value && !(value in {})),
  );
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const DAYS = fc.constantFrom('0001-01-01', '2026-02-28', '2099-12-31');
const NUMBERS = fc.oneof(
  fc.constantFrom(0.1, 1.1e-7, 25),
  fc.integer({ min: 1000, max: 249_999 }).map((n) => n / 1e4),
);

/** Cards with at most one preferred supplier, and strength and solvent together. */
const CARDS = fc
  .record({
    suppliers: fc.array(
      fc.record({
        ...{ name: textOf(20), code: orNull(textOf(20)), tradeName: orNull(textOf(20)) },
        ...{ price: orNull(NUMBERS), currency: orNull(fc.constantFrom('CNY', '¥', 'EUR')) },
        ...{
          unit: fc.constantFrom('kg', '25 kg', 'L'),
          minimumOrder: orNull(textOf(20)),
          date: orNull(DAYS),
        },
      }),
      { maxLength: 4 },
    ),
    preferred: fc.nat({ max: 6 }),
    density: orNull(NUMBERS.filter((value) => value >= 0.1)),
    strength: orNull(NUMBERS),
    solvent: fc.record({
      ...{ inciName: textOf(20), chineseName: orNull(textOf(20)) },
      ...{ casNumber: orNull(fc.constant('7732-18-5')), ecNumber: orNull(fc.constant('231-791-2')) },
    }),
    documents: fc.array(
      fc.record({
        kind: fc.constantFrom('specification', 'safety-data-sheet', 'certificate', 'statement', 'other'),
        ...{ title: textOf(40), address: orNull(textOf(40)), validUntil: orNull(DAYS) },
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ preferred, suppliers, solvent, ...card }) => ({
    ...card,
    solvent: card.strength === null ? null : solvent,
    suppliers: suppliers.map((supplier, at) => ({ ...supplier, preferred: at === preferred })),
  }));

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
    [{ density: 0 }, 'density: 不能小于0.1'],
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

describe('a strength', () => {
  const solvent = { inciName: 'Aqua', chineseName: '水', casNumber: '7732-18-5', ecNumber: null };
  let paste: string;
  let formula: string;

  beforeAll(async () => {
    paste = (await createIngredient(user, { inciName: 'Sodium Pastate', chineseName: '浆料酸钠' })).id;
    await put(paste, { strength: 70.25, solvent }).expect(200);
    const water = await createIngredient(user, { inciName: 'Water', chineseName: '水' });
    const ingredients = [
      { ingredientId: water.id, percentage: 80 },
      { ingredientId: paste, percentage: 20 },
    ];
    formula = ((await createFormula(user, [{ name: 'A', sortOrder: 1, ingredients }])) as { id: string }).id;
  });

  it('is a state of the composition, which goes before it', async () => {
    const composition = `/api/ext/ingredients/${paste}/composition`;
    const { body } = await user.get(composition).expect(200);
    expect(body.data).toMatchObject({ state: 'strength', substances: [] });
    const substances = [{ inciName: 'Sodium Pastate', percentage: 100 }];
    expect((await user.put(composition, { substances }).expect(200)).body.data.state).toBe('given');
    const found = await user.get('/api/ext/substances/sodium%20pastate/formulas').expect(200);
    expect(found.body.data[0].share.max).toBe('20');
    await user.put(composition, { substances: [] }).expect(200);
  });

  it('counts in labels', async () => {
    const { body } = await user.get(`/api/ext/formulas/${formula}/declaration?region=eu`).expect(200);
    expect(body.data.text).toContain('Aqua, Sodium Pastate');
    expect(JSON.stringify(body.data.entries)).toContain('14.05');
    expect(JSON.stringify(body.data.entries)).toContain('85.95');
  });

  it('counts in substances, which are found by the solvent too', async () => {
    const share = async (key: string) => {
      const { body } = await user.get(`/api/ext/substances/${key}/formulas`).expect(200);
      const own = body.data.find(({ id }: { id: string }) => id === formula);
      const line = own.lines.find(({ ingredient }: any) => ingredient.id === paste);
      return [own.share.min, own.share.max, line.share.max, line.knownFrom, line.roles];
    };
    // 20 × 70.25 % = 14.05, and 80 + 20 × 29.75 % = 85.95.
    expect(await share('sodium%20pastate')).toEqual(['14.05', '14.05', '14.05', 'strength', []]);
    expect(await share('aqua')).toEqual(['85.95', '85.95', '5.95', 'strength', ['solvent']]);
    await put((await createIngredient(user)).id, {
      strength: 5,
      solvent: { ...solvent, inciName: 'Rare Solventol', casNumber: null },
    }).expect(200);
    const { body } = await user.get('/api/ext/substances?search=solventol').expect(200);
    expect(body.data.map(({ key }: { key: string }) => key)).toEqual(['rare solventol']);
  });
});

describe('exchange rates', () => {
  const path = '/api/ext/exchange-rates';
  const RATES = { currency: 'CNY', rates: [{ currency: 'EUR', rate: 7.85 }] };

  it('are none at first, and set by administrators', async () => {
    expect((await user.get(path).expect(200)).body).toEqual({ data: { currency: null, rates: [] } });
    expectError(await user.put(path, RATES), 403, FORBIDDEN);
    expect((await admin.put(path, RATES).expect(200)).body).toEqual({ data: RATES });
    const { headers } = await user.get(path).expect(200);
    const named = {
      currency: '人民币',
      rates: [
        { currency: '€', rate: 8 },
        { currency: 'USD', rate: 0.0001 },
      ],
    };
    const { body } = await admin.put(path, named).set('If-Match', headers.etag!).expect(200);
    expect(body.data).toEqual({
      currency: 'CNY',
      rates: [
        { currency: 'EUR', rate: 8 },
        { currency: 'USD', rate: 0.0001 },
      ],
    });
    expectError(
      await admin.put(path, RATES).set('If-Match', headers.etag!),
      412,
      '汇率已被修改,请重新获取后再提交',
    );
    expect((await admin.put(path, { rates: [] }).expect(200)).body.data.currency).toBeNull();
  });

  it.each([
    [{ rates: RATES.rates }, 'currency: 不能为空'],
    [{ currency: 'EUR', rates: RATES.rates }, 'rates.0.currency: 同一币种只能出现一次'],
    [
      { currency: 'CNY', rates: [...RATES.rates, { currency: '€', rate: 1 }] },
      'rates.1.currency: 同一币种只能出现一次',
    ],
    [{ currency: 'CNY', rates: [{ currency: 'EUR', rate: 0 }] }, 'rates.0.rate: 不能小于0.000001'],
    [{ currency: 'CNY', rates: [{ currency: 'EUR', rate: 9.9e-7 }] }, 'rates.0.rate: 不能小于0.000001'],
    [{ currency: 'Yuan', rates: [] }, 'currency: 必须是币种代码,如 CNY、EUR'],
  ])('refuses %j', async (rates, message) => {
    const answer = await admin.put(path, rates);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(message);
  });

  it('set at the same time by several are those of one', async () => {
    const sets = Array.from({ length: 8 }, (_, at) => ({
      currency: 'CNY',
      rates: [{ currency: 'EUR', rate: at + 1 }],
    }));
    const answers = await Promise.all(sets.map((rates) => admin.put(path, rates)));
    expect(answers.map(({ status }) => status)).toEqual(sets.map(() => 200));
    expect((await user.get(path)).body.data.rates).toHaveLength(1);
  });

  it('add up costs, with the price of the preferred supplier where there is no other', async () => {
    await admin.put(path, RATES).expect(200);
    const inEuro = await createIngredient(user, { unitPrice: 2, unit: '€/kg' });
    const plain = await createIngredient(user, { unitPrice: 10 });
    const supplied = await createIngredient(user, { unit: 'L' });
    const supplier = { ...SUPPLIER, price: 20, currency: 'EUR', unit: 'L' };
    await put(supplied.id, { density: 1.25, suppliers: [supplier] }).expect(200);
    const ingredients = [inEuro, plain, supplied].map(({ id }, at) => ({
      ingredientId: id,
      percentage: [50, 25, 25][at]!,
    }));
    const formula = (await createFormula(user, [{ name: 'A', sortOrder: 1, ingredients }])) as { id: string };
    const cost = `/api/ext/formulas/${formula.id}/cost`;
    // .5 × 2 × 7.85 + .25 × 10 + .25 × 20 × 7.85 / 1.25
    const { body } = await user.get(cost).expect(200);
    expect(body.data).toMatchObject({
      ...{ costPerKg: 41.75, currency: 'CNY', exchangeRates: RATES.rates, unpriced: [] },
    });
    expect(body.data.phases[0].ingredients[2]).toMatchObject({
      ...{ unitPrice: 20, priceUnit: 'EUR/L', priceFrom: 'supplier' },
    });
    expect((await user.get(`${cost}?format=html&lang=en`).expect(200)).text).toContain('1 EUR = 7.85 CNY');
    await admin.put(path, { rates: [] }).expect(200);
    const without = (await user.get(cost).expect(200)).body.data;
    expect(without).toMatchObject({ costPerKg: null, currency: 'EUR', exchangeRates: [] });
    expect(without.unpriced).toMatchObject([{ ingredientId: plain.id, reason: 'other-currency' }]);
  });
});

it('a price beyond all sense makes no cost, in JSON and page, with the largest pack and batch', async () => {
  const { id } = await createIngredient(user, { unitPrice: 1e308 });
  const formula = (await createFormula(user, wholeOf(id))) as { id: string };
  await user
    .put(`/api/ext/formulas/${formula.id}/profile`, {
      packSize: { amount: 1_000_000, unit: 'kg' },
      targetCost: { amount: 1, currency: 'CNY', per: 'pack' },
    })
    .expect(200);
  const cost = `/api/ext/formulas/${formula.id}/cost?batch=1000000&unit=t`;
  const { body } = await user.get(cost).expect(200);
  expect(body.data).toMatchObject({
    ...{ costPerKg: null, knownCost: 0, pack: { cost: null }, target: { result: 'incomplete' } },
    unpriced: [{ ingredientId: id, reason: 'price-too-high' }],
  });
  expect((await user.get(`${cost}&format=html`).expect(200)).text).toContain('单价超过每千克1万亿');
  const supplier = { ...SUPPLIER, price: 1_000_000_001 };
  expect((await put(id, { suppliers: [supplier], density: 25.1 })).body.error).toContain(
    'suppliers.0.price: 不能大于1000000000; density: 不能大于25',
  );
});

describe('cards in files', () => {
  const path = '/api/ext/ingredients/cards';
  const send = (content: string | Buffer, query = '', account = user) =>
    account.post(`${path}${query}`).set('Content-Type', 'application/octet-stream').send(content);
  const FORMATS = ['json', 'csv', 'xlsx'];
  const exportAs = async (format: string) => {
    const { body } = await user
      .get(`${path}?format=${format}`)
      .buffer()
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(200);
    return body as Buffer;
  };
  let number = 0;
  const newIngredient = (more: object = {}) =>
    createIngredient(user, { inciName: `Priced ${++number}`, ...more });

  it('fill cards, all or none, and a dry run fills none', async () => {
    const [one, two] = [await newIngredient(), await newIngredient()];
    const header = '原料,供应商,货号,商品名,单价,币种,报价日期,密度';
    const file = [
      header,
      `${one.inciName},某某化工,RM-1,Pricerine,12.5,元,2026-11-02,1.26`,
      `${one.inciName},某某化工,RM-1,Pricerine,12,元,2026-05-04,`,
      `${two.inciName},Other,X,,3,EUR,,`,
    ].join('\n');
    expect((await send(file, '?dryRun=true').expect(200)).body.data).toEqual({
      applied: false,
      ingredients: 2,
      notes: [],
    });
    expect(await read(one.id)).toEqual({ ingredientId: one.id, ...EMPTY });
    expect((await send(file).expect(200)).body.data).toEqual({ applied: true, ingredients: 2, notes: [] });
    const card = await read(one.id);
    expect(card.density).toBe(1.26);
    expect(card.suppliers).toMatchObject([
      { name: '某某化工', code: 'RM-1', price: 12.5, currency: 'CNY', date: '2026-11-02', preferred: false },
      { price: 12, date: '2026-05-04', preferred: false },
    ]);
    expect(events.map(({ recordId }) => recordId).toSorted()).toEqual([one.id, two.id].toSorted());
    const wrong = `${header}\n${two.inciName},Other,X,,4,EUR,2026-11-03,\nNowhere,Other,X,,3,EUR,,`;
    const answer = await send(wrong);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('line 3: ingredient: 成分不存在');
    expect((await read(two.id)).suppliers).toHaveLength(1);
    const negative = await send(`${header}\n${two.inciName},Other,X,,-4,Euro,2026-11-03,`);
    expect(negative.body.error).toContain('line 2: supplier.price: 不能小于0');
    expect(negative.body.error).toContain('supplier.currency: 必须是币种代码');
  });

  it('take the raw material of the supplier, where several have the name', async () => {
    const inciName = `Twice ${++number}`;
    const own = await newIngredient({ inciName, supplier: 'A' });
    await newIngredient({ inciName, supplier: 'B' });
    await send(`ingredient,supplier,price\n${inciName},A,5`).expect(200);
    expect((await read(own.id)).suppliers).toMatchObject([{ name: 'A', price: 5, preferred: false }]);
    const third = await send(`ingredient,supplier,price\n${inciName},C,5`);
    expect(third.body.error).toContain('line 2: ingredient: 有多个原料使用此名称');
  });

  it('are exported to those who see the ingredient, and come back unchanged', async () => {
    const { id } = await newIngredient();
    const hidden = await newIngredient({ supplier: `only ${user.username}` });
    const older = { ...SUPPLIER, price: null, date: null, code: null, preferred: false };
    await put(id, { ...CARD, suppliers: [older, SUPPLIER] }).expect(200);
    await put(hidden.id, CARD).expect(200);
    const unpreferred = await newIngredient();
    await put(unpreferred.id, { suppliers: [older] }).expect(200);
    const before = [await read(id), await read(unpreferred.id)];
    const rowsOf = async (account: Account) =>
      (await account.get(path).expect(200)).body.data.rows.map((row: any) => row.ingredientId);
    expect(await rowsOf(user)).toEqual(expect.arrayContaining([id, hidden.id]));
    expect(await rowsOf(reader)).toContain(id);
    expect(await rowsOf(reader)).not.toContain(hidden.id);
    for (const format of FORMATS) {
      await send(await exportAs(format)).expect(200);
      expect([await read(id), await read(unpreferred.id)]).toEqual(before);
    }
  });

  it('are the same after an export, and an import where no card is', async () => {
    const cards = new Map<string, unknown>();
    for (const card of fc.sample(CARDS, 60)) {
      const { id } = await newIngredient();
      await put(id, card).expect(200);
      cards.set(id, await read(id));
    }
    for (const format of FORMATS) {
      const file = await exportAs(format);
      await database.query('DELETE FROM ingredient_cards');
      expect((await send(file)).body).toMatchObject({ data: { applied: true } });
      for (const [id, card] of cards) expect(await read(id)).toEqual(card);
    }
  });

  it('give prices, documents and facts in any rows, and what they do not say stays', async () => {
    const { id, inciName } = await newIngredient();
    const header = '原料,供应商,单价(元/L),密度(g/mL),浓度,溶剂,溶剂CAS,文件类型,文件,有效期';
    const file = [
      header,
      `${inciName},,,1.26,70.25%,,,,,`,
      `${inciName},,,,,Aqua,７７３２－１８－５,MSDS,SDS zh,2027-03-31`,
      `${inciName},某某化工,312.5,,,,,证书,RSPO,`,
      `${inciName},某某化工,,1.26,,,,,,`,
    ].join('\n');
    await send(file).expect(200);
    const document = { address: null, validUntil: null };
    expect(await read(id)).toMatchObject({
      ...{ density: 1.26, strength: 70.25 },
      solvent: { inciName: 'Aqua', casNumber: '7732-18-5' },
      suppliers: [
        { name: '某某化工', price: 312.5, currency: 'CNY', unit: 'L' },
        { name: '某某化工', price: null, currency: null, unit: 'kg' },
      ],
      documents: [
        { ...document, kind: 'safety-data-sheet', title: 'SDS zh', validUntil: '2027-03-31' },
        { ...document, kind: 'certificate', title: 'RSPO' },
      ],
    });
    const before = await read(id);
    const renewed = { ...document, kind: 'certificate', title: 'RSPO', validUntil: '2028-03-31' };
    const next = JSON.stringify([
      { ingredientId: id, density: 1.3 },
      { ingredientId: id, document: renewed },
    ]);
    await user.post(path).set('Content-Type', 'application/json').send(next).expect(200);
    expect(await read(id)).toEqual({ ...before, density: 1.3, documents: [before.documents[0], renewed] });
  });

  it.each([
    ['density', ['1.2', '', '1.3'], 'line 4: density: 与第2行的1.2不一致'],
    ['supplier', [' '], 'line 2: 该行没有供应商、文件、密度、浓度或溶剂'],
    ['price', ['12'], 'line 2: supplier.name: 不能为空'],
    ['document', ['RSPO'], 'line 2: document.kind: 不能为空'],
    ['溶剂CAS', ['7732-18-5'], 'line 2: solvent.inciName: 不能为空'],
    ['浓度', ['', '70'], 'line 3: solvent: 不能为空'],
    ['Preis pro Gebinde', ['12'], 'Preis pro Gebinde'],
  ])('refuse a column %s with %j', async (column, cells, message) => {
    const { id, inciName } = await newIngredient();
    const rows = cells.map((cell, at) => `${inciName},${at === 0 || cell ? cell : ''},${cell ? '' : 'A'}`);
    const supplier = column === 'supplier' ? 'other' : 'supplier';
    const answer = await send(`ingredient,${column},${supplier}\n${rows.join('\n')}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(message);
    expect(await read(id)).toEqual({ ingredientId: id, ...EMPTY });
  });

  it('of suppliers have prices as lists have them, and no document', async () => {
    const ids = [await newIngredient(), await newIngredient(), await newIngredient()];
    const row = (at: number, price: string) =>
      `${at + 1},品名,${ids[at]!.inciName},56-81-5,250kg/桶,${price},250kg,24个月,山东,某某化工`;
    const list = [
      '某某化工 2026年11月报价单',
      '序号,品名,INCI名称,CAS号,规格,含税单价(元/公斤),起订量,有效期,产地,供应商',
      ...[row(0, '9.80'), row(1, '￥6.5'), row(2, '面议')],
    ];
    const { notes } = (await send(list.join('\n')).expect(200)).body.data;
    expect(notes).toEqual(['表头上方的第1行未读取', '没有对应字段而未读取的列: 序号, CAS号, 规格, 产地']);
    const shared = { name: '某某化工', tradeName: '品名', unit: 'kg', minimumOrder: '250kg' };
    for (const [at, price] of [9.8, 6.5, null].entries()) {
      expect(await read(ids[at]!.id)).toMatchObject({
        suppliers: [{ ...shared, price, currency: price && 'CNY' }],
        documents: [],
      });
    }
    const dollars = await send(`${list.slice(1, 3).join('\n')}\n${row(1, '$3')}`);
    expect(dollars.body.error).toContain('line 3: supplier.price: "$3"的货币是 USD');
  });

  it('whose prices have a currency in some rows only are refused, unless each says it', async () => {
    const [first, second] = [(await newIngredient()).inciName, (await newIngredient()).inciName];
    const mixed = await send(`原料名称,供应商,单价\n${first},S,12\n${second},S,$30`);
    expect(mixed.status).toBe(400);
    expect(mixed.body.error).toContain('第2行的价格没有');
    await send(`原料名称,供应商,单价,币种\n${first},S,12,EUR\n${second},S,$30,`).expect(200);
    await send(`原料名称,供应商,单价(元)\n${first},S,12\n${second},S,¥30`).expect(200);
  });

  it('in JSON say which names were not read', async () => {
    const { id, inciName } = await newIngredient();
    const record = {
      ingredientId: id,
      ingredient: inciName,
      density: 1.2,
      suppliers: [SUPPLIER],
      documents: [],
    };
    const records = [
      record,
      { ...record, supplier: { name: 'S', priceEur: 3 } },
      { ...record, supplier: 'S' },
    ];
    const { body } = await send(JSON.stringify(records)).expect(200);
    expect(body.data.notes).toEqual([
      '以下 JSON 字段未读取: suppliers、documents、supplier.priceEur、supplier',
    ]);
  });

  it('are imported by those who may change the ingredients', async () => {
    const { inciName } = await newIngredient();
    for (const query of ['', '?dryRun=true']) {
      expectError(await send(`ingredient,supplier\n${inciName},A`, query, reader), 403, FORBIDDEN);
    }
    expectError(await user.post(path), 400, 'file: 必须提供文件');
    const full = await newIngredient();
    const rows = Array.from({ length: 101 }, (_, at) => `${full.inciName},S${at}`);
    const answer = await send(`ingredient,supplier\n${rows.join('\n')}`);
    expect(answer.body.error).toContain('line 2: supplier: 不能超过100项');
  });
});
