import { Injectable, Logger, Module } from '@nestjs/common';
import { readSheet } from 'read-excel-file/node';
import { DataSource } from 'typeorm';
import {
  AccessPolicy,
  AppModule,
  type AskedWrite,
  CUSTOM_ACCESS_POLICY,
  type CurrentUser,
  type DomainEvent,
  EVENT_HANDLER,
  type ReadableRecords,
  WRITE_VALIDATOR,
} from '../../src';
import { expectDeleted, expectError, expectKeys, FORBIDDEN, NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createIngredient, type Ingredient } from '../support/factories';
import { countStatements } from '../support/statements';

/** Raw materials of the supplier `only NAME` are seen by the user of that name alone. */
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
const vetoed = new Set<string>();
const validator = {
  writes: ['ingredient.updated'] as const,
  faults: ({ recordId }: AskedWrite) =>
    Promise.resolve(vetoed.has(recordId ?? '') ? [{ field: 'id', message: 'locked' }] : []),
};

@Module({
  providers: [
    { provide: CUSTOM_ACCESS_POLICY, useClass: SuppliersPolicy },
    { provide: EVENT_HANDLER, useValue: recorder },
    { provide: WRITE_VALIDATOR, useValue: validator },
  ],
})
class PolicyModule {}

const PHENOXYETHANOL = {
  inciName: 'Phenoxyethanol',
  chineseName: '苯氧乙醇',
  casNumber: '122-99-6',
  ecNumber: '204-589-7',
  percentage: 90,
  role: 'preservative',
};
const ETHYLHEXYLGLYCERIN = { inciName: 'Ethylhexylglycerin', percentage: 10 };
const SHOWN = [
  { ...PHENOXYETHANOL, range: null },
  {
    inciName: 'Ethylhexylglycerin',
    chineseName: null,
    casNumber: null,
    ecNumber: null,
    percentage: 10,
    range: null,
    role: null,
  },
];
const BLEND = 'Phenoxyethanol (and) Ethylhexylglycerin';

let service: TestApp;
let database: DataSource;
let user: Account;
let reader: Account;
let blend: Ingredient;
let number = 0;

const path = ({ id }: { id: string }) => `/api/ext/ingredients/${id}/composition`;
const put = (ingredient: { id: string }, substances: unknown, account = user) =>
  account.put(path(ingredient), { substances });
const read = async (ingredient: { id: string }) => (await user.get(path(ingredient)).expect(200)).body.data;
const importRows = (rows: object[], account = user) =>
  account.post('/api/ext/ingredients/compositions', { rows });
const importFile = (content: Buffer | string) =>
  user
    .post('/api/ext/ingredients/compositions')
    .set('Content-Type', 'application/octet-stream')
    .send(content);
const exportRows = async (account = user) =>
  (await account.get('/api/ext/ingredients/compositions').expect(200)).body.data.rows;
const newIngredient = (overrides: object = {}) =>
  createIngredient(user, { inciName: `Raw material ${++number}`, ...overrides });
const rowsOf = ({ id, inciName }: Ingredient, ...substances: object[]) =>
  substances.map((substance) => ({ ingredientId: id, ingredient: inciName, ...substance }));

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [PolicyModule] })] } });
  database = service.app.get(DataSource);
  [user, reader] = [await service.register(), await service.register()];
  SuppliersPolicy.readers.add(reader.username);
});
beforeEach(async () => {
  blend = await newIngredient({ inciName: BLEND, supplier: `Supplier ${number}` });
  events.length = 0;
});
afterAll(() => service.close());

describe('GET /api/ext/ingredients/:id/composition', () => {
  it('without a composition it is its own INCI name, or unknown', async () => {
    const { id, inciName } = await newIngredient({ inciName: 'Caprylic/Capric Triglyceride' });
    expect(await read({ id })).toEqual({ ingredientId: id, inciName, state: 'own-name', substances: [] });
    expect(await read(blend)).toEqual({
      ingredientId: blend.id,
      inciName: BLEND,
      state: 'unknown',
      substances: [],
    });
  });

  it('of an ingredient that is not there, or hidden, is 404', async () => {
    const hidden = await newIngredient({ supplier: 'only nobody' });
    for (const id of [NOWHERE, hidden.id, 'x']) {
      expectError(await user.get(path({ id })), 404, '成分不存在');
      expectError(await put({ id }, [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN]), 404, '成分不存在');
    }
    const stored = 'SELECT FROM ingredient_substances WHERE ingredient_id = $1';
    expect(await database.query(stored, [hidden.id])).toEqual([]);
  });

  it('takes one statement', async () => {
    await put(blend, [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN]).expect(200);
    // The other looks up the user of the token.
    expect(await countStatements(() => user.get(path(blend)).expect(200))).toBe(2);
  });
});

describe('PUT /api/ext/ingredients/:id/composition', () => {
  it('replaces the substances in their order', async () => {
    await put(blend, [{ inciName: 'Aqua', percentage: 100 }]).expect(200);
    const { body } = await put(blend, [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN]).expect(200);
    expect(body).toEqual({
      data: { ingredientId: blend.id, inciName: BLEND, state: 'given', substances: SHOWN },
    });
    expectKeys(body.data.substances[0], Object.keys(SHOWN[0]!));
    expect(await read(blend)).toEqual(body.data);
  });

  it('takes If-Match with the state of the composition', async () => {
    const given = [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN];
    const unknown = (await user.get(path(blend)).expect(200)).headers.etag!;
    expect(unknown).toMatch(/^"[\w-]{22}"$/);
    const replaced = await put(blend, given).set('If-Match', unknown).expect(200);
    expect(replaced.headers.etag).not.toBe(unknown);
    events.length = 0;
    const stale = await put(blend, []).set('If-Match', unknown);
    expectError(stale, 412, '成分已被修改,请重新获取后再提交');
    expect(stale.headers.etag).toBe(replaced.headers.etag);
    expect(events).toEqual([]);
    const current = await user.get(path(blend)).expect(200);
    expect(current.headers.etag).toBe(replaced.headers.etag);
    expect(current.body.data.substances).toEqual(SHOWN);
    await put(blend, given).set('If-Match', '*').expect(200);
    expectError(await put(blend, given, reader).set('If-Match', unknown), 403, FORBIDDEN);
    expectError(await put({ id: NOWHERE }, given).set('If-Match', unknown), 404, '成分不存在');
  });

  it('is done by one of two that have read the same state', async () => {
    const { etag } = (await user.get(path(blend)).expect(200)).headers;
    const one = [{ inciName: 'Aqua', percentage: 100 }];
    const both = await Promise.all(
      [one, [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN]].map((substances) =>
        put(blend, substances).set('If-Match', etag!),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('an empty list removes the composition', async () => {
    await put(blend, [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN]).expect(200);
    const { body } = await put(blend, []).expect(200);
    expect(body.data).toMatchObject({ state: 'unknown', substances: [] });
  });

  it('keeps ranges and many decimals', async () => {
    const substances = [
      { inciName: 'A', range: { min: 0, max: 0.0001 } },
      { inciName: 'B', percentage: 33.333333 },
      { inciName: 'C', range: { min: 60, max: 70.5 } },
    ];
    const { body } = await put(blend, substances).expect(200);
    expect(body.data.substances).toMatchObject([
      { percentage: null, range: { min: 0, max: 0.0001 } },
      { percentage: 33.333333, range: null },
      { percentage: null, range: { min: 60, max: 70.5 } },
    ]);
  });

  it('says what is wrong with it', async () => {
    const [a, b] = [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN];
    const cases: [unknown, string][] = [
      [[{ ...a, percentage: 89.99 }, b], 'substances: 所有物质百分比之和必须为100,当前为99.99'],
      [
        [{ ...a, percentage: undefined, range: { min: 1, max: 2 } }, b],
        'substances: 所有物质百分比的下限之和不能大于100,上限之和不能小于100,当前为11至12',
      ],
      [[a, { ...a, percentage: 10 }], 'substances.1.inciName: 与第1项是同一物质'],
      [[{ ...a, percentage: null }], 'substances.0.percentage: 必须且只能提供 percentage 或 range 之一'],
      [[{ ...a, casNumber: '122-99-5' }, b], 'substances.0.casNumber: 122-99-5 的校验位有误,应为6'],
      [[{ ...a, casNumber: '122996' }, b], 'substances.0.casNumber: 不是有效的 CAS 号,格式如 56-81-5'],
      [[{ ...a, ecNumber: '204-589-8' }, b], 'substances.0.ecNumber: 204-589-8 的校验位有误,应为7'],
      [[{ ...a, percentage: 0 }], 'substances.0.percentage: 必须大于0'],
      [[{ ...a, inciName: ' ' }], 'substances.0.inciName: 不能为空'],
      [[{ ...a, inciName: 'x'.repeat(201) }], 'substances.0.inciName: 不能超过200个字符'],
      [[{ ...a, range: 5, percentage: undefined }], 'substances.0.range: 必须是对象'],
      [undefined, 'substances: 不能为空'],
      [Array.from({ length: 201 }, () => a), 'substances: 不能超过200项'],
    ];
    for (const [substances, error] of cases) expectError(await put(blend, substances), 400, error);
    const { body } = await put(blend, [{ ...a, role: 'poison' }]).expect(400);
    expect(body.error).toMatch(/^substances\.0\.role: 必须是以下值之一: solvent, /);
    expect((await read(blend)).substances).toEqual([]);
  });

  it('takes 200 substances, and hostile names as they are', async () => {
    const hostile = `<script>alert("1")</script> =cmd|' /C calc'!A0`;
    const substances = Array.from({ length: 200 }, (_, index) => ({
      inciName: index === 0 ? hostile : `Substance ${index}`,
      percentage: 0.5,
    }));
    const { body } = await put(blend, substances).expect(200);
    expect(body.data.substances).toHaveLength(200);
    expect(body.data.substances[0].inciName).toBe(hostile);
  });

  it('is refused by the access policy, and by a validator of an extension', async () => {
    const substances = [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN];
    expectError(await put(blend, substances, reader), 403, FORBIDDEN);
    vetoed.add(blend.id);
    expectError(await put(blend, substances), 400, 'id: locked');
    expect((await read(blend)).substances).toEqual([]);
    expect(events).toEqual([]);
  });

  it('is an update of the ingredient, in one transaction with what handlers do', async () => {
    await put(blend, [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN]).expect(200);
    expect(events).toMatchObject([
      { type: 'ingredient.updated', recordId: blend.id, userId: user.id, data: { changed: ['composition'] } },
    ]);
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const handle = jest.spyOn(recorder, 'inTransaction').mockImplementationOnce(() => {
      throw new Error('no');
    });
    await put(blend, []).expect(500);
    handle.mockRestore();
    log.mockRestore();
    expect(await read(blend)).toMatchObject({ substances: SHOWN });
  });

  it('two at once leave one of both', async () => {
    const of = (name: string) =>
      Array.from({ length: 20 }, (_, index) => ({ inciName: `${name} ${index}`, percentage: 5 }));
    await Promise.all(['A', 'B', 'C', 'D'].map((name) => put(blend, of(name)).expect(200)));
    const { substances } = await read(blend);
    expect(substances).toHaveLength(20);
    expect(new Set(substances.map(({ inciName }: { inciName: string }) => inciName[0])).size).toBe(1);
  });

  it('goes with its ingredient', async () => {
    await put(blend, [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN]).expect(200);
    expectDeleted(await user.delete(`/api/ingredients/${blend.id}`));
    const rows = await database.query('SELECT FROM ingredient_substances WHERE ingredient_id = $1', [
      blend.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('/api/ext/ingredients/compositions', () => {
  beforeEach(() => database.query('DELETE FROM ingredient_substances'));

  it('exports what the reader may see, and takes it back', async () => {
    const mine = await newIngredient({ supplier: `only ${user.username}`, inciName: 'AAA' });
    await put(mine, [{ inciName: 'Secret', range: { min: 0, max: 100 } }]).expect(200);
    await put(blend, [PHENOXYETHANOL, ETHYLHEXYLGLYCERIN]).expect(200);
    const rows = await exportRows();
    expect(rows).toEqual([
      {
        ingredientId: mine.id,
        ingredient: 'AAA',
        supplier: mine.supplier,
        inciName: 'Secret',
        chineseName: null,
        casNumber: null,
        ecNumber: null,
        percentage: null,
        minPercentage: 0,
        maxPercentage: 100,
        role: null,
      },
      {
        ingredientId: blend.id,
        ingredient: BLEND,
        supplier: blend.supplier,
        ...PHENOXYETHANOL,
        minPercentage: null,
        maxPercentage: null,
      },
      expect.objectContaining({ inciName: 'Ethylhexylglycerin', percentage: 10 }),
    ]);
    expect(await exportRows(reader)).toEqual(rows.slice(1));

    await put(blend, []).expect(200);
    const { body } = await importRows(rows).expect(200);
    expect(body).toEqual({ data: { ingredients: 2, substances: 3 } });
    expect(await exportRows()).toEqual(rows);
  });

  it.each(['csv', 'xlsx'])('an import takes back the exported file: %s', async (format) => {
    await put(blend, [{ ...PHENOXYETHANOL, inciName: '=Phenoxyethanol' }, ETHYLHEXYLGLYCERIN]).expect(200);
    const rows = await exportRows();
    const exported = await user
      .get(`/api/ext/ingredients/compositions?format=${format}`)
      .responseType('blob')
      .expect(200);
    await put(blend, []).expect(200);
    const { body } = await importFile(exported.body as Buffer).expect(200);
    expect(body).toEqual({ data: { ingredients: 1, substances: 2 } });
    expect(await exportRows()).toEqual(rows);
  });

  it('a file names the lines that are wrong, and nothing of it is written', async () => {
    const before = await exportRows();
    const header = 'ingredientId,inciName,casNumber,percentage\n';
    const line = (cells: string) => `${blend.id},${cells}\n`;
    const wrongCells = `${header}${line('A,122-99-5,x')}${line('B,,50')}`;
    expectError(
      await importFile(wrongCells),
      400,
      'line 2: casNumber: 122-99-5 的校验位有误,应为6; percentage: 必须是数字',
    );
    const wrongSum = `${header}\n${line('A,,50')}${line('B,,51')}`;
    expectError(await importFile(wrongSum), 400, 'line 3: percentage: 所有物质百分比之和必须为100,当前为101');
    const unknown = `${header}${NOWHERE},A,,100\n`;
    expectError(await importFile(unknown), 400, 'line 2: ingredientId: 成分不存在');
    expectError(await importFile(header), 400, 'rows: 至少需要1项');
    expectError(await user.post('/api/ext/ingredients/compositions', {}), 400, 'rows: 不能为空');
    expect(await exportRows()).toEqual(before);
  });

  it('as CSV and XLSX, with numbers as numbers and no formulas', async () => {
    await put(blend, [
      { inciName: '=cmd|A0', percentage: 89.5 },
      { inciName: 'B', percentage: 10.5 },
    ]).expect(200);
    const csv = await user.get('/api/ext/ingredients/compositions?format=csv').expect(200);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = csv.text.trimEnd().split('\n');
    expect(head).toBe(
      '\ufeffingredientId,ingredient,supplier,inciName,chineseName,casNumber,ecNumber,percentage,minPercentage,maxPercentage,role',
    );
    expect(lines).toEqual([
      `${blend.id},${BLEND},${blend.supplier},'=cmd|A0,,,,89.5,,,`,
      `${blend.id},${BLEND},${blend.supplier},B,,,,10.5,,,`,
    ]);
    const xlsx = await user
      .get('/api/ext/ingredients/compositions?format=xlsx')
      .responseType('blob')
      .expect(200);
    const [, first] = await readSheet(xlsx.body as Buffer);
    expect(first).toEqual([
      blend.id,
      BLEND,
      blend.supplier,
      '=cmd|A0',
      null,
      null,
      null,
      89.5,
      null,
      null,
      null,
    ]);
  });

  it('imports by name, or by name and supplier', async () => {
    const named = await newIngredient();
    const second = await newIngredient({ inciName: BLEND, supplier: 'Second' });
    const rows = [
      { ingredient: named.inciName, inciName: 'Aqua', percentage: 100 },
      { ingredient: BLEND, supplier: 'Second', ...PHENOXYETHANOL },
      { ingredient: BLEND, supplier: 'Second', ...ETHYLHEXYLGLYCERIN },
    ];
    const { body } = await importRows(rows).expect(200);
    expect(body.data).toEqual({ ingredients: 2, substances: 3 });
    expect((await read(second)).substances).toEqual(SHOWN);
    expect((await read(named)).substances).toMatchObject([{ inciName: 'Aqua' }]);
    expect(events.map(({ recordId }) => recordId).toSorted()).toEqual([named.id, second.id].toSorted());
  });

  it('a highest share alone is a range from 0', async () => {
    const named = await newIngredient();
    const rows = rowsOf(named, { inciName: 'A', maxPercentage: 5 }, { inciName: 'Aqua', maxPercentage: 100 });
    await importRows(rows).expect(200);
    expect((await read(named)).substances).toMatchObject([
      { range: { min: 0, max: 5 } },
      { range: { min: 0, max: 100 } },
    ]);
  });

  it('says which rows are wrong, and then imports none', async () => {
    const [good, wrong, second] = [await newIngredient(), await newIngredient(), await newIngredient()];
    await newIngredient({ inciName: BLEND });
    const hidden = await newIngredient({ supplier: 'only nobody' });
    const water = { inciName: 'Aqua', percentage: 100 };
    const cases: [object[], string][] = [
      [
        rowsOf(wrong, { ...water, percentage: 99 }),
        'rows.1.percentage: 所有物质百分比之和必须为100,当前为99',
      ],
      [
        rowsOf(wrong, water, water),
        'rows.2.inciName: 与第2项是同一物质; rows.1.percentage: 所有物质百分比之和必须为100,当前为200',
      ],
      [
        rowsOf(wrong, { inciName: 'Aqua' }),
        'rows.1.percentage: 必须提供 percentage,或 minPercentage 和 maxPercentage,不能同时提供',
      ],
      [
        rowsOf(wrong, { ...water, minPercentage: 90 }),
        'rows.1.percentage: 必须提供 percentage,或 minPercentage 和 maxPercentage,不能同时提供',
      ],
      [
        rowsOf(wrong, { inciName: 'Aqua', minPercentage: 90 }),
        'rows.1.maxPercentage: 提供 minPercentage 时必须提供 maxPercentage',
      ],
      [
        rowsOf(wrong, { inciName: 'Aqua', minPercentage: 100, maxPercentage: 99 }),
        'rows.1.minPercentage: 范围的下限100不能大于上限99',
      ],
      [
        rowsOf(wrong, { inciName: 'Aqua', maxPercentage: 99 }),
        'rows.1.percentage: 所有物质百分比的下限之和不能大于100,上限之和不能小于100,当前为0至99',
      ],
      [rowsOf(wrong, { ...water, casNumber: '7732-18-4' }), 'rows.1.casNumber: 7732-18-4 的校验位有误,应为5'],
      [
        [{ ...water, ingredient: BLEND }],
        'rows.1.ingredient: 有多个原料使用此名称,请提供 supplier 或 ingredientId',
      ],
      [[{ ...water, ingredient: 'Nowhere' }], 'rows.1.ingredient: 成分不存在'],
      [[{ ...water, ingredient: hidden.inciName }], 'rows.1.ingredient: 成分不存在'],
      [[{ ...water, ingredientId: hidden.id }], 'rows.1.ingredientId: 成分不存在'],
      [[{ ...water, ingredientId: 'x' }], 'rows.1.ingredientId: 必须是 UUID'],
      [[water], 'rows.1.ingredient: 必须提供 ingredientId 或 ingredient'],
      [
        rowsOf(
          second,
          ...Array.from({ length: 201 }, (_, index) => ({ inciName: `S${index}`, percentage: 0.1 })),
        ),
        'rows.1.inciName: 每个原料的物质不能超过200项,当前为201项',
      ],
    ];
    for (const [rows, error] of cases) {
      expectError(await importRows([...rowsOf(good, water), ...rows]), 400, error);
    }
    expectError(await importRows(rowsOf(good, water), reader), 403, FORBIDDEN);
    expectError(await importRows([]), 400, 'rows: 至少需要1项');
    expect(await exportRows()).toEqual([]);
    expect(events).toEqual([]);
  });

  it('takes as many statements for many as for two', async () => {
    const ingredients = await Promise.all(Array.from({ length: 50 }, () => newIngredient()));
    const rows = ingredients.flatMap((ingredient) => rowsOf(ingredient, PHENOXYETHANOL, ETHYLHEXYLGLYCERIN));
    const [few, many] = [
      await countStatements(() => importRows(rows.slice(0, 4)).expect(200)),
      await countStatements(() => importRows(rows).expect(200)),
    ];
    expect(many).toBe(few);
    expect(await countStatements(() => user.get('/api/ext/ingredients/compositions').expect(200))).toBe(2);
  });
});
