import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, Injectable, Module, Param, Put, Query } from '@nestjs/common';
import { IntersectionType, PartialType } from '@nestjs/swagger';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  AccessPolicy,
  AppModule,
  CUSTOM_ACCESS_POLICY,
  type CurrentUser,
  type DomainEvent,
  EnumField,
  EVENT_HANDLER,
  type EventHandler,
  EXTRA_MIGRATIONS,
  type FieldChanges,
  FreeJsonField,
  InvalidInputError,
  NumberField,
  IntegerField,
  CUSTOM_FIELDS,
  type CustomFields,
  CustomFieldsService,
  ownText,
  page,
  PageQuery,
  PathId,
  QueryTextField,
  RowFilter,
  record,
  TextField,
  TextListField,
  User,
  UuidField,
} from '../../src/index';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';
import { countStatements } from '../support/statements';

class DossierFields {
  @TextField({ max: 20, presence: 'optional' })
  code!: string;

  @IntegerField({ min: 0, max: 100, presence: 'optional', default: 12 })
  shelfLife!: number;

  @TextListField({ max: 20, maxItems: 5, presence: 'optional' })
  markets!: string[];

  @FreeJsonField({ description: 'Whatever there is to say' })
  notes!: unknown;
}

const DOSSIER: CustomFields<DossierFields> = {
  of: 'formula',
  table: 'ext_dossiers',
  fields: DossierFields,
  violations: {
    uq_ext_dossiers_code: ownText('dossier.code-taken', 'Another formula has this code'),
    ck_ext_dossiers_code: ownText('dossier.code', 'A code begins with D'),
  },
};

class OfficeFields {
  @TextField({ max: 20, presence: 'optional' })
  office!: string;
}
/** Columns that are stricter than their fields, and fields called by words of SQL. */
class LabelFields {
  @TextField({ max: 40, presence: 'optional' })
  short!: string;

  @NumberField({ presence: 'optional' })
  price!: number;

  @TextField({ max: 40, presence: 'optional' })
  approvedOn!: string;

  @UuidField({ presence: 'optional' })
  lotId!: string;

  @IntegerField({ presence: 'optional' })
  order!: number;
}
/** As long as a name can be, so that the names of statements cannot simply have it in them. */
const LABELS_TABLE = `ext_labels_${'x'.repeat(52)}`;
const LABELS: CustomFields<LabelFields> = {
  of: 'formula',
  table: LABELS_TABLE,
  fields: LabelFields,
  violations: {
    ex_ext_labels: ownText('label.order-taken', 'Another label has this place'),
    fk_ext_labels_lot: ownText('label.no-lot', 'No such lot'),
  },
};

/** Columns of kinds that the driver reads otherwise than they were written, or not at all. */
class TraitFields {
  @TextField({ max: 6000, presence: 'optional' })
  remark!: string;

  @FreeJsonField({ description: 'A domain over jsonb' })
  shape!: unknown;

  @TextField({ max: 10, presence: 'optional' })
  grade!: string;

  @TextListField({ max: 20, maxItems: 5, presence: 'optional' })
  days!: string[];

  @TextListField({ max: 20, maxItems: 5, presence: 'optional' })
  moods!: string[];

  @TextListField({ max: 20, maxItems: 5, presence: 'optional' })
  grades!: string[];

  @TextField({ max: 40, presence: 'optional' })
  checkedAt!: string;

  @TextField({ max: 40, presence: 'optional' })
  openedAt!: string;

  @FreeJsonField({ description: 'A list of numbers' })
  ranks!: unknown;

  @TextField({ max: 60, presence: 'optional' })
  weight!: string;

  @FreeJsonField({ description: 'A list of great numbers' })
  sizes!: unknown;

  @TextListField({ max: 40, maxItems: 5, presence: 'optional' })
  seasons!: string[];

  @TextListField({ max: 40, maxItems: 5, presence: 'optional' })
  hosts!: string[];

  @TextField({ max: 4, presence: 'optional' })
  shade!: string;

  @TextField({ max: 40, presence: 'optional' })
  seal!: string;

  @TextField({ max: 40, presence: 'optional' })
  words!: string;

  @TextField({ max: 60, presence: 'optional' })
  span!: string;

  @EnumField({ values: ['true', 'false'], presence: 'optional' })
  vegan!: string;
}
const TRAITS: CustomFields<TraitFields> = { of: 'formula', table: 'ext_traits', fields: TraitFields };

const OFFICES: CustomFields<OfficeFields> = { of: 'project', table: 'ext_offices', fields: OfficeFields };
const SHELVES: CustomFields<OfficeFields> = { of: 'ingredient', table: 'ext_shelves', fields: OfficeFields };

const plainTable = (name: string, kind: string, of: string) => `
  CREATE TABLE ${name} (
    ${kind}_id uuid NOT NULL,
    office text,
    CONSTRAINT pk_${name} PRIMARY KEY (${kind}_id),
    CONSTRAINT fk_${name} FOREIGN KEY (${kind}_id) REFERENCES ${of} (id) ON DELETE CASCADE
  )`;

class Dossiers1799480000000 implements MigrationInterface {
  name = 'Dossiers1799480000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ext_dossiers (
        formula_id uuid NOT NULL,
        code text,
        shelf_life integer NOT NULL,
        markets text[],
        notes jsonb,
        CONSTRAINT pk_ext_dossiers PRIMARY KEY (formula_id),
        CONSTRAINT fk_ext_dossiers_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE,
        CONSTRAINT uq_ext_dossiers_code UNIQUE (code),
        CONSTRAINT ck_ext_dossiers_code CHECK (code LIKE 'D%')
      )`);
    await runner.query('CREATE TABLE ext_lots (id uuid NOT NULL, CONSTRAINT pk_ext_lots PRIMARY KEY (id))');
    await runner.query(`
      CREATE TABLE ${LABELS_TABLE} (
        formula_id uuid NOT NULL,
        short varchar(5),
        price numeric(4, 2),
        approved_on date,
        lot_id uuid,
        "order" integer,
        CONSTRAINT pk_ext_labels PRIMARY KEY (formula_id),
        CONSTRAINT fk_ext_labels_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE,
        CONSTRAINT fk_ext_labels_lot FOREIGN KEY (lot_id) REFERENCES ext_lots (id),
        CONSTRAINT ex_ext_labels EXCLUDE USING btree ("order" WITH =)
      )`);
    await runner.query(`
      CREATE DOMAIN ext_shape AS jsonb;
      CREATE DOMAIN ext_grade AS text CONSTRAINT ck_ext_grade CHECK (VALUE IN ('A', 'B'));
      CREATE DOMAIN ext_day AS date;
      CREATE DOMAIN ext_rank AS integer NOT NULL;
      CREATE TYPE ext_mood AS ENUM ('calm', 'fresh');
      CREATE TABLE ext_traits (
        formula_id uuid NOT NULL,
        remark text,
        shape ext_shape,
        grade ext_grade,
        days ext_day[],
        moods ext_mood[],
        grades ext_grade[],
        checked_at timestamptz,
        opened_at timestamp,
        ranks ext_rank[],
        weight numeric,
        sizes bigint[],
        seasons daterange[],
        hosts inet[],
        shade character(4),
        seal bytea,
        words tsquery,
        span tsrange,
        vegan boolean,
        CONSTRAINT pk_ext_traits PRIMARY KEY (formula_id),
        CONSTRAINT fk_ext_traits_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE
      );
      CREATE INDEX idx_ext_traits_remark ON ext_traits (remark)`);
    await runner.query(plainTable('ext_offices', 'project', 'projects'));
    await runner.query(plainTable('ext_shelves', 'ingredient', 'ingredients'));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'ext_dossiers',
      LABELS_TABLE,
      'ext_lots',
      'ext_traits',
      'ext_offices',
      'ext_shelves',
    ])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query('DROP DOMAIN ext_shape, ext_grade, ext_day, ext_rank; DROP TYPE ext_mood');
  }
}

class ChangeDossierDto extends PartialType(DossierFields) {}
class DossierQuery extends IntersectionType(PageQuery, class {}) {
  @QueryTextField({ max: 20 })
  code?: string;
}

@Controller('ext/dossiers')
class DossiersController {
  constructor(private readonly customFields: CustomFieldsService) {}

  @Get()
  async find(@User() user: CurrentUser, @Query() query: DossierQuery) {
    const { code } = query;
    return page(
      await this.customFields.find(user, DOSSIER, code === 'none' ? { code: null } : { code }, query),
      query,
    );
  }

  @Get(':id')
  async read(@User() user: CurrentUser, @Param('id', PathId) id: string) {
    return record(await this.customFields.read(user, DOSSIER, id));
  }

  @Put(':id')
  async write(@User() user: CurrentUser, @Param('id', PathId) id: string, @Body() input: ChangeDossierDto) {
    return record(await this.customFields.write(user, DOSSIER, id, input));
  }
}

/** Who begins with x sees what who begin with x have made, and viewers change nothing. */
@Injectable()
class InitialsPolicy extends AccessPolicy {
  override readable() {
    const alike = (row: string, [initial]: readonly string[]) =>
      `EXISTS (SELECT FROM users u WHERE u.id = ${row}.created_by AND left(u.username, 1) = ${initial})`;
    return {
      types: ['text'],
      values: (user: CurrentUser) => Promise.resolve([user.username.slice(0, 1)]),
      conditions: { formula: alike, project: alike },
    };
  }
  canChange = (user: CurrentUser) => !user.username.includes('viewer');
  override canChangeIngredient = this.canChange;
  canConfigure = () => false;
}

/** A formula named "Draft" has a code of its own from the beginning, another none that is taken. */
@Injectable()
class CodeHandler implements EventHandler<'formula.created'> {
  readonly name = 'code';
  readonly events = ['formula.created'] as const;
  constructor(private readonly customFields: CustomFieldsService) {}

  async inTransaction({ recordId, userId, data }: DomainEvent<'formula.created'>): Promise<void> {
    const code = /^Coded (\w+)$/.exec(data.name)?.[1];
    if (code === undefined) return;
    const user = { id: userId!, username: 'ann', role: 'engineer' };
    await this.customFields.write(user, DOSSIER, recordId, { code });
    if (code === 'Dveto') throw new InvalidInputError('vetoed');
  }
}

class NamedFields {
  @TextField({ max: 20, presence: 'optional' })
  recordName!: string;
}

class KeyedFields {
  @UuidField({ presence: 'optional' })
  formulaId!: string;
}
class NarrowedFields extends OfficeFields {
  @TextField({ max: 5, presence: 'optional' })
  override office = '';
}

const OWN = { provide: CUSTOM_FIELDS, useValue: [DOSSIER, OFFICES, LABELS, TRAITS] };
const TABLES = { provide: EXTRA_MIGRATIONS, useValue: [Dossiers1799480000000] };

@Module({
  controllers: [DossiersController],
  providers: [
    TABLES,
    OWN,
    { provide: CUSTOM_ACCESS_POLICY, useClass: InitialsPolicy },
    { provide: EVENT_HANDLER, useClass: CodeHandler },
  ],
})
class DossiersModule {}

@Module({ providers: [{ provide: CUSTOM_FIELDS, useValue: SHELVES }] })
class ShelvesModule {}

describe('Fields of an extension on our records', () => {
  let app: TestApp;
  let ann: Account;
  let colleague: Account;
  let viewer: Account;
  let stranger: Account;
  let foreignViewer: Account;
  let water: string;
  beforeAll(async () => {
    app = await bootApp({
      module: { imports: [AppModule.register({ extensions: [DossiersModule, ShelvesModule] })] },
    });
    [ann, colleague, viewer, stranger, foreignViewer] = (await Promise.all(
      ['ann', 'abe', 'a-viewer', 'bo', 'b-viewer'].map((name) => app.register(name)),
    )) as [Account, Account, Account, Account, Account];
    water = (await createIngredient(ann)).id;
  });
  afterAll(() => app.close());

  const formulaOf = async (account = ann, name = 'Toner'): Promise<string> =>
    (await createFormula(account, wholeOf(water), { name })).id;
  const path = (id: string) => `/api/ext/dossiers/${id}`;
  const NOTHING = { code: null, shelfLife: null, markets: null, notes: null };

  it('are null until they are written, and are written one by one', async () => {
    const id = await formulaOf();
    expect((await ann.get(path(id)).expect(200)).body.data).toEqual(NOTHING);
    const first = await ann.put(path(id), { markets: ['EU', 'CN'] }).expect(200);
    expect(first.body.data).toEqual({ ...NOTHING, shelfLife: 12, markets: ['EU', 'CN'] });
    const second = await ann.put(path(id), { code: 'D1', notes: [{ a: 1 }, 'b'], shelfLife: 30 }).expect(200);
    const all = { code: 'D1', shelfLife: 30, markets: ['EU', 'CN'], notes: [{ a: 1 }, 'b'] };
    expect(second.body.data).toEqual(all);
    expect((await colleague.get(path(id)).expect(200)).body.data).toEqual(all);
    const cleared = await ann.put(path(id), { code: null, shelfLife: null, notes: null }).expect(200);
    expect(cleared.body.data).toEqual({ ...all, code: null, shelfLife: 12, notes: null });
    expect((await ann.put(path(id), {}).expect(200)).body.data).toEqual(cleared.body.data);
  });

  it('are checked as all input is', async () => {
    const { body } = await ann.put(path(await formulaOf()), { shelfLife: 101, code: 5 }).expect(400);
    expect(body.error).toMatch(/code: .*; shelfLife: /);
  });

  it('are those of records that one sees, and written where one may change them', async () => {
    const id = await formulaOf();
    await ann.put(path(id), { code: 'D2' }).expect(200);
    for (const unknown of [id, randomUUID()]) {
      const account = unknown === id ? stranger : ann;
      expect((await account.get(path(unknown)).expect(404)).body.error).toBe('配方不存在');
      await account.put(path(unknown), { code: 'D3' }).expect(404);
    }
    await viewer.put(path(id), { code: 'D3' }).expect(403);
    // Whether there is one is not told to who may change nothing, either.
    await foreignViewer.put(path(id), { code: 'D3' }).expect(404);
    expect((await viewer.get(path(id)).expect(200)).body.data.code).toBe('D2');
  });

  it('answer for constraints of their table as it is declared', async () => {
    await ann.put(path(await formulaOf()), { code: 'D4' }).expect(200);
    const other = await formulaOf();
    const taken = await ann.put(path(other), { code: 'D4' }).expect(409);
    expect(taken.body.error).toBe('Another formula has this code');
    expect(taken.headers['x-error-code']).toBe('dossier.code-taken');
    const wrong = await ann.put(path(other), { code: 'X' }).expect(400);
    expect(wrong.body.error).toBe('A code begins with D');
    expect((await ann.get(path(other))).body.data).toEqual(NOTHING);
  });

  it('go with their record', async () => {
    const id = await formulaOf();
    await ann.put(path(id), { code: 'D5' }).expect(200);
    await ann.delete(`/api/formulas/${id}`).expect(204);
    await ann.get(path(id)).expect(404);
    await ann.put(path(await formulaOf()), { code: 'D5' }).expect(200);
  });

  it('are written in a handler’s transaction, and undone with it', async () => {
    const id = await formulaOf(ann, 'Coded D6');
    expect((await ann.get(path(id))).body.data.code).toBe('D6');
    const draft = { name: 'Coded Dveto', phases: wholeOf(water) };
    await ann.post('/api/formulas', draft).expect(400);
    await ann.post('/api/formulas', { ...draft, name: 'Coded D6' }).expect(409);
    const { body } = await ann.get('/api/ext/dossiers?code=Dveto').expect(200);
    expect(body.pagination.total).toBe(0);
  });

  it('find records by their values, on pages', async () => {
    const mine = [
      await formulaOf(ann, 'One'),
      await formulaOf(colleague, 'Two'),
      await formulaOf(ann, 'Three'),
    ];
    const theirs = await formulaOf(stranger, 'Four');
    for (const [index, id] of mine.entries())
      await ann.put(path(id), { shelfLife: 77, code: index ? null : 'D7' });
    await stranger.put(path(theirs), { shelfLife: 77 }).expect(200);
    const fields = app.app.get(CustomFieldsService, { strict: false });
    const find = async (user: Account, having: object, query = { page: 1, limit: 20 }) => {
      const { rows, total } = await fields.find(user, DOSSIER, having, query);
      return { names: rows.map(({ recordName }) => recordName).sort(), ids: rows.map(({ id }) => id), total };
    };
    expect(await find(ann, { shelfLife: 77 })).toMatchObject({ names: ['One', 'Three', 'Two'], total: 3 });
    expect(await find(stranger, { shelfLife: 77 })).toMatchObject({ names: ['Four'], total: 1 });
    expect(await find(ann, { shelfLife: 77, code: null })).toMatchObject({
      names: ['Three', 'Two'],
      total: 2,
    });
    expect(await find(ann, { shelfLife: 77, code: 'D7' })).toMatchObject({ ids: [mine[0]], total: 1 });
    const pages = await Promise.all(
      [1, 2, 3].map((at) => find(ann, { shelfLife: 77 }, { page: at, limit: 2 })),
    );
    expect(pages.map(({ ids }) => ids.length)).toEqual([2, 1, 0]);
    expect(pages.flatMap(({ ids }) => ids)).toEqual([...mine].sort());
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3]);
    expect((await ann.get('/api/ext/dossiers?code=D7').expect(200)).body).toMatchObject({
      data: [{ id: mine[0], recordName: 'One', shelfLife: 77, code: 'D7' }],
      pagination: { total: 1 },
    });
    expect((await find(ann, {})).total).toBeGreaterThanOrEqual(3);
  });

  it('of many records come in one statement', async () => {
    const mine = [await formulaOf(), await formulaOf(colleague)];
    const theirs = await formulaOf(stranger);
    await ann.put(path(mine[1]!), { code: 'D8' }).expect(200);
    const fields = app.app.get(CustomFieldsService, { strict: false });
    let values = new Map<string, object>();
    const count = await countStatements(async () => {
      values = await fields.readMany(ann, DOSSIER, [...mine, theirs, randomUUID()]);
    });
    expect(count).toBe(1);
    expect([...values.keys()].sort()).toEqual([...mine].sort());
    expect(values.get(mine[0]!)).toEqual(NOTHING);
    expect(values.get(mine[1]!)).toMatchObject({ code: 'D8', shelfLife: 12 });
    expect(await fields.readMany(ann, DOSSIER, [])).toEqual(new Map());
  });

  it('are found by an id in capital letters, and by no text that is none', async () => {
    const fields = app.app.get(CustomFieldsService, { strict: false });
    const id = (await formulaOf()).toUpperCase();
    expect(await fields.write(ann, DOSSIER, id, { shelfLife: 5 })).toMatchObject({ shelfLife: 5 });
    expect(await fields.read(ann, DOSSIER, id)).toMatchObject({ shelfLife: 5 });
    const some = await fields.readMany(RowFilter.EVERYTHING, DOSSIER, [id, 'none', '']);
    expect([...some.keys()]).toEqual([id]);
    await expect(fields.read(ann, DOSSIER, 'none')).rejects.toMatchObject({ status: 404 });
    await expect(fields.write(ann, DOSSIER, 'none', {})).rejects.toMatchObject({ status: 404 });
  });

  describe('where their columns are stricter', () => {
    let fields: CustomFieldsService;
    let id: string;
    beforeAll(async () => {
      fields = app.app.get(CustomFieldsService, { strict: false });
      id = await formulaOf();
    });

    it.each<[what: string, changes: FieldChanges<LabelFields>]>([
      ['a text that is too long', { short: 'longer' }],
      ['a number that is too great', { price: 1e6 }],
      ['a text that is no date', { approvedOn: 'soon' }],
    ])('refuse %s, and name the field', async (_, changes) => {
      const [field] = Object.keys(changes);
      await expect(fields.write(ann, LABELS, id, changes)).rejects.toMatchObject({
        status: 400,
        message: `${field}: 请求格式错误`,
      });
    });

    it('refuse them among others, too', async () => {
      const changes = { short: 'longer', order: 1000 };
      await expect(fields.write(ann, LABELS, id, changes)).rejects.toMatchObject({ status: 400 });
    });

    it('refuse a reference to nothing, and what is excluded, as it is declared', async () => {
      const lost = fields.write(ann, LABELS, id, { lotId: randomUUID() });
      await expect(lost).rejects.toMatchObject({ status: 400, errorCode: 'label.no-lot' });
      expect(await fields.write(ann, LABELS, id, { order: 1 })).toMatchObject({ order: 1 });
      const taken = fields.write(ann, LABELS, await formulaOf(), { order: 1 });
      await expect(taken).rejects.toMatchObject({ status: 409, errorCode: 'label.order-taken' });
    });

    it('give a day as a day', async () => {
      const values = { short: 'abc', price: 12.5, approvedOn: '2026-02-03', lotId: null, order: 7 };
      expect(await fields.write(ann, LABELS, id, values)).toEqual(values);
      expect(await fields.read(ann, LABELS, id)).toEqual(values);
      const { rows } = await fields.find(ann, LABELS, { approvedOn: '2026-02-03' }, { page: 1, limit: 1 });
      expect(rows).toEqual([{ id, recordName: 'Toner', ...values }]);
    });
  });

  describe('of whatever type their columns are', () => {
    let fields: CustomFieldsService;
    let id: string;
    beforeAll(async () => {
      fields = app.app.get(CustomFieldsService, { strict: false });
      id = await formulaOf();
    });

    const values: FieldChanges<TraitFields> = {
      remark: 'r',
      shape: [],
      grade: 'A',
      days: ['2026-02-03', '2026-02-04'],
      moods: ['calm', 'fresh'],
      grades: ['A', 'B'],
      checkedAt: null,
      openedAt: '2026-02-03 04:05:06',
      ranks: [3, 1],
      weight: '0.10000000000000000001',
      sizes: [2 ** 40, null, 1],
      seasons: ['[2026-03-01,2026-06-01)', '[2026-09-01,)'],
      hosts: ['192.168.1.1', '10.0.0.0/8'],
      shade: 'ab',
      seal: '\\x0aff',
      words: "'skin' & 'care'",
      span: '["2026-02-03 04:05:06","2026-02-04 00:00:00")',
      vegan: 'true',
    };

    it('come back as they were written', async () => {
      expect(await fields.write(ann, TRAITS, id, values)).toEqual(values);
      expect(await fields.read(ann, TRAITS, id)).toEqual(values);
      const { rows } = await fields.find(ann, TRAITS, values, { page: 1, limit: 1 });
      expect(rows).toEqual([{ id, recordName: 'Toner', ...values }]);
      const point = await fields.write(ann, TRAITS, id, {
        checkedAt: '2026-02-03T04:05:06+01:00',
        shape: {},
      });
      expect(point).toMatchObject({ shape: {} });
      expect(Date.parse(point.checkedAt!)).toBe(Date.UTC(2026, 1, 3, 3, 5, 6));
    });

    it.each<[what: string, changes: FieldChanges<TraitFields>]>([
      // Random, for what is alike is compressed.
      ['too long for the index', { remark: Array.from({ length: 150 }, () => randomUUID()).join('') }],
      ['against the check of their domain', { grade: 'C' }],
      ['against that of their elements’ domain', { grades: ['A', 'C'] }],
      ['null for a domain that has none', { ranks: [3, null] }],
      ['against the syntax of their type', { words: 'skin &' }],
    ])('are refused where they are %s', async (_, changes) => {
      await expect(fields.write(ann, TRAITS, id, changes)).rejects.toMatchObject({
        status: 400,
      });
    });
  });

  it('are found where they are null, never written or cleared', async () => {
    const fields = app.app.get(CustomFieldsService, { strict: false });
    const [never, cleared, set, notMine] = [
      await formulaOf(),
      await formulaOf(),
      await formulaOf(),
      await formulaOf(stranger),
    ];
    await fields.write(ann, TRAITS, cleared, { remark: 'x', grade: 'B' });
    await fields.write(ann, TRAITS, cleared, { remark: null });
    await fields.write(ann, TRAITS, set, { remark: 'set' });
    const find = async (having: FieldChanges<TraitFields>) => {
      const { rows, total } = await fields.find(ann, TRAITS, having, { page: 1, limit: 100 });
      expect(rows).toHaveLength(total);
      return new Map(rows.map((row) => [row.id, row]));
    };
    const without = await find({ remark: null });
    expect([never, cleared, set, notMine].map((id) => without.has(id))).toEqual([true, true, false, false]);
    expect(without.get(never)).toMatchObject({ recordName: 'Toner', remark: null, grade: null });
    expect((await find({ remark: null, grade: null })).has(cleared)).toBe(false);
    expect([...(await find({ remark: null, grade: 'B' })).keys()]).toEqual([cleared]);
    expect([never, set].map((id) => without.has(id))).toEqual([true, false]);
    expect((await find({})).has(never)).toBe(false);
  });

  it('are found by free JSON and by lists', async () => {
    const fields = app.app.get(CustomFieldsService, { strict: false });
    const id = await formulaOf();
    const values = { notes: [{ deep: [1] }], markets: ['JP', 'KR'] };
    await fields.write(ann, DOSSIER, id, values);
    const { rows } = await fields.find(ann, DOSSIER, values, { page: 1, limit: 5 });
    expect(rows.map((row) => row.id)).toEqual([id]);
  });

  it('are had by projects and ingredients, too', async () => {
    const fields = app.app.get(CustomFieldsService, { strict: false });
    const project = (await createProject(ann)).id;
    expect(await fields.write(colleague, OFFICES, project, { office: 'Lyon' })).toEqual({ office: 'Lyon' });
    await expect(fields.write(viewer, OFFICES, project, { office: 'Rome' })).rejects.toMatchObject({
      status: 403,
    });
    await expect(fields.read(stranger, OFFICES, project)).rejects.toMatchObject({ status: 404 });
    expect(await fields.write(stranger, SHELVES, water, { office: 'B2' })).toEqual({ office: 'B2' });
    await expect(fields.write(viewer, SHELVES, water, { office: 'B3' })).rejects.toMatchObject({
      status: 403,
    });
    const { rows } = await fields.find(viewer, SHELVES, { office: 'B2' }, { page: 1, limit: 1 });
    expect(rows).toEqual([{ id: water, recordName: expect.stringMatching(/^Inci /), office: 'B2' }]);
    await expect(fields.read(ann, SHELVES, randomUUID())).rejects.toThrow('成分不存在');
    await expect(fields.read(ann, { ...SHELVES }, water)).rejects.toThrow(
      'The fields of ext_shelves are not provided under CUSTOM_FIELDS',
    );
  });
});

describe('Fields of an extension that do not fit', () => {
  const refusal = async (fields: unknown, sql?: string) => {
    class Other1799480000001 implements MigrationInterface {
      name = 'Other1799480000001';
      async up(runner: QueryRunner): Promise<void> {
        if (sql) await runner.query(sql);
      }
      async down(): Promise<void> {}
    }
    @Module({
      providers: [
        { provide: CUSTOM_FIELDS, useValue: fields },
        { provide: EXTRA_MIGRATIONS, useValue: [Other1799480000001] },
      ],
    })
    class LabelsModule {}
    const started = bootApp({ module: { imports: [AppModule.register({ extensions: [LabelsModule] })] } });
    return started.then(
      async (app) => {
        await app.close();
        return 'none';
      },
      (error: Error) => error.message,
    );
  };
  const table = (columns: string, key = 'PRIMARY KEY (formula_id)') => `
    CREATE TABLE ext_labels (
      formula_id uuid NOT NULL, ${columns},
      CONSTRAINT pk_ext_labels ${key},
      CONSTRAINT fk_ext_labels FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE)`;
  const labels = { of: 'formula', table: 'ext_labels', fields: OfficeFields };

  it.each<[what: string, fields: unknown, sql: string | undefined, refusal: string]>([
    ['of no kind', { ...labels, of: 'color' }, undefined, "'of' must be formula, project or ingredient"],
    [
      'in a table of ours',
      { ...labels, table: 'formulas' },
      undefined,
      "the table 'formulas' must be lower-case",
    ],
    ['without a class', { ...labels, fields: undefined }, undefined, 'ext_labels has no class of fields'],
    ['without a field', { ...labels, fields: class {} }, table('office text'), 'ext_labels has no field'],
    ['without a table', labels, undefined, 'ext_labels does not fit: relation "ext_labels" does not exist'],
    [
      'without a column',
      labels,
      table('other text'),
      'ext_labels does not fit: column written.office does not exist',
    ],
    [
      'without a key',
      labels,
      table('office text', 'CHECK (true)'),
      'ext_labels does not fit: there is no unique or exclusion constraint matching the ON CONFLICT',
    ],
    [
      'that do not go with their record',
      labels,
      table('office text').replace(' ON DELETE CASCADE', ''),
      'ext_labels must reference formulas (id) by formula_id ON DELETE CASCADE',
    ],
    [
      'of another record',
      labels,
      table('office text').replace('REFERENCES formulas', 'REFERENCES projects'),
      'ext_labels must reference formulas (id) by formula_id ON DELETE CASCADE',
    ],
    [
      'with json',
      labels,
      table('office json'),
      'ext_labels does not fit: operator does not exist: json = json',
    ],
    [
      'with values that cannot be compared',
      labels,
      table('office point'),
      'ext_labels does not fit: operator does not exist: point = point',
    ],
    [
      'with a name of results',
      { ...labels, fields: NamedFields },
      table('office text'),
      'ext_labels has the field recordName, which results call the record by',
    ],
    [
      'with a value that is computed',
      labels,
      table("office text GENERATED ALWAYS AS ('x') STORED"),
      'ext_labels does not fit: cannot insert a non-DEFAULT value into column "office"',
    ],
    [
      'with the key as a field',
      { ...labels, fields: KeyedFields },
      table('office text'),
      'ext_labels does not fit: column "formula_id" specified more than once',
    ],
    [
      'with a field that is declared again',
      { ...labels, fields: NarrowedFields },
      table('office text'),
      'ext_labels does not fit: column "office" specified more than once',
    ],
    [
      'twice',
      [labels, { ...labels }],
      table('office text'),
      'CUSTOM_FIELDS: ext_labels is declared in LabelsModule and in LabelsModule',
    ],
  ])('are refused at the start: %s', async (_, fields, sql, message) => {
    expect(await refusal(fields, sql)).toContain(message);
  });

  it('name their module', async () => {
    expect(await refusal(labels)).toMatch(/^CUSTOM_FIELDS in LabelsModule: /);
  });

  it('fit with a default of the column, of its domain or of the field, and with numbers of the database', async () => {
    const more = `more text NOT NULL DEFAULT 'x', less ext_less, "at" integer GENERATED ALWAYS AS IDENTITY`;
    const domain = "CREATE DOMAIN ext_less AS text NOT NULL DEFAULT 'x'";
    expect(await refusal(labels, `${domain}; ${table(`office text, ${more}`)}`)).toBe('none');
  });

  it('fit with references of other tables to their key, or that follow', async () => {
    const columns = 'office text, CONSTRAINT uq_ext_labels_office UNIQUE (office)';
    const desks = `CREATE TABLE ext_desks (
      formula_id uuid REFERENCES ext_labels (formula_id),
      office text REFERENCES ext_labels (office) ON UPDATE CASCADE)`;
    const answered = { ...labels, violations: { uq_ext_labels_office: 'taken' } };
    expect(await refusal(answered, `${table(columns)}; ${desks}`)).toBe('none');
  });
});
