import { Logger, Module } from '@nestjs/common';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import {
  AppModule,
  Clock,
  CUSTOM_FIELDS,
  CustomFieldsService,
  type DomainEvent,
  EVENT_HANDLER,
  EXTRA_MIGRATIONS,
  IntegerField,
} from '../../src';
import { UsersRepository } from '../../src/users/users.repository';
import { TrashPurge } from '../../src/formulas/trash/trash.service';
import { expectDeleted, expectError, FORBIDDEN, NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { ManualClock } from '../support/clock';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';
import { countStatements } from '../support/statements';

const DAY_MS = 86_400_000;
const TRASH = '/api/ext/trash';
const MISSING = '回收站中没有该配方';

class Labels1799000000000 implements MigrationInterface {
  name = 'Labels1799000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ext_labels (
        formula_id uuid NOT NULL,
        number integer,
        CONSTRAINT pk_ext_labels PRIMARY KEY (formula_id),
        CONSTRAINT uq_ext_labels_number UNIQUE (number),
        CONSTRAINT fk_ext_labels_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_labels');
  }
}

class Label {
  @IntegerField({ min: 1, presence: 'optional' })
  number?: number | null;
}

const LABELS = { of: 'formula' as const, table: 'ext_labels', fields: Label };

const events: DomainEvent[] = [];
let refusal: Error | undefined;
const recorder = {
  name: 'recorder',
  events: ['formula.deleted', 'formula.restored'] as const,
  inTransaction: (event: DomainEvent) => {
    events.push(event);
    if (refusal) throw refusal;
  },
};

@Module({
  providers: [
    { provide: EXTRA_MIGRATIONS, useValue: [Labels1799000000000] },
    { provide: CUSTOM_FIELDS, useValue: LABELS },
    { provide: EVENT_HANDLER, useValue: recorder },
  ],
})
class LabelsModule {}

const clock = new ManualClock();
let service: TestApp;
let database: DataSource;
let user: Account;
let other: Account;
let admin: Account;

beforeAll(async () => {
  service = await bootApp({
    module: { imports: [AppModule.register({ extensions: [LabelsModule] })] },
    adjust: (builder) => builder.overrideProvider(Clock).useValue(clock),
  });
  database = service.app.get(DataSource);
  user = await service.register();
  other = await service.register();
  admin = await service.register();
  await service.app.get(UsersRepository).setRole(admin.username, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  events.splice(0);
  refusal = undefined;
  await database.query('DELETE FROM trashed_formulas');
});

/** All rows of a formula, as text, without the time of its last change. */
async function rowsOf(id: string): Promise<unknown> {
  const [rows] = await database.query(
    `SELECT
       (SELECT json_agg(to_jsonb(f) - 'embedding' - 'embedding_maker' - 'embedding_stamp' - 'updated_at')
        FROM formulas f WHERE id = $1) AS formula,
       (SELECT json_agg(ROW(v.*)::text ORDER BY version_number) FROM formula_versions v WHERE formula_id = $1) AS versions,
       (SELECT json_agg(to_jsonb(p) ORDER BY p.id) FROM formula_phases p
        JOIN formula_versions v ON v.id = p.formula_version_id WHERE v.formula_id = $1) AS phases,
       (SELECT json_agg(ROW(l.*)::text ORDER BY l.id) FROM formula_ingredients l
        JOIN formula_versions v ON v.id = l.formula_version_id WHERE v.formula_id = $1) AS lines,
       (SELECT json_agg(c.id) FROM color_formulas c WHERE c.formula_id = $1) AS colors,
       (SELECT json_agg(to_jsonb(e)) FROM ext_labels e WHERE e.formula_id = $1) AS labels`,
    [id],
  );
  return rows;
}

const counts = () =>
  database.query(`SELECT list, part, sum(delta)::int AS total FROM record_counts
                  WHERE list LIKE 'formulas%' GROUP BY 1, 2 HAVING sum(delta) <> 0 ORDER BY 1, 2`);

const trashOf = async (by: Account, query = ''): Promise<Record<string, any>[]> =>
  (await by.get(`${TRASH}${query}`).expect(200)).body.data;

const deleted = async (by = user, name = '面霜'): Promise<{ id: string; ingredientId: string }> => {
  const { id: ingredientId } = await createIngredient(by, {
    inciName: `Water of ${name}`,
    chineseName: `水 ${name}`,
  });
  const { id } = (await createFormula(by, wholeOf(ingredientId), { name })) as { id: string };
  expectDeleted(await by.delete(`/api/formulas/${id}`));
  return { id, ingredientId };
};

describe('A deleted formula', () => {
  it('comes back as it was but for its update: versions, lines, custom fields, colours, totals', async () => {
    const project = (await createProject(user)) as { id: string };
    const [water, oil] = await Promise.all([createIngredient(user), createIngredient(user)]);
    const phases = [
      {
        name: 'A 相',
        sortOrder: 2,
        ingredients: [
          { ingredientId: water.id, percentage: 33.333, processNotes: '加热至 "75" °C' },
          { ingredientId: oil.id, percentage: 6.667 },
        ],
      },
      { name: 'B', sortOrder: 1, ingredients: [{ ingredientId: water.id, percentage: 60 }] },
    ];
    const { id } = (await createFormula(user, phases, {
      name: '乳液',
      description: 'ü\n"',
      projectId: project.id,
    })) as {
      id: string;
    };
    await user
      .put(`/api/formulas/${id}/composition`, { phases: phases.toReversed(), description: '倒序' })
      .expect(200);
    await service.app.get(CustomFieldsService).write(user, LABELS, id, { number: 7 });
    await user.post('/api/color/formulas', { targetLab: { L: 1, a: 1, b: 1 }, formulaId: id }).expect(201);
    const stored = await rowsOf(id);
    const totals = await counts();
    const shown = (await user.get(`/api/formulas/${id}`).expect(200)).body;
    const versions = (await user.get(`/api/ext/formulas/${id}/versions`).expect(200)).body;

    expectDeleted(await user.delete(`/api/formulas/${id}`));
    expectError(await user.get(`/api/formulas/${id}`), 404, '配方不存在');
    expect((await user.get('/api/formulas?search=乳液')).body.data).toEqual([]);
    expect(await counts()).not.toEqual(totals);

    const restored = await user.post(`${TRASH}/${id}/restore`).expect(200);
    const { updatedAt } = restored.body.data;
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(shown.data.updatedAt));
    expect(restored.body).toEqual({ data: { ...shown.data, updatedAt } });
    const again = await user.get(`/api/formulas/${id}`).expect(200);
    expect([again.body, again.headers.etag]).toEqual([restored.body, restored.headers.etag]);
    expect((await user.get(`/api/ext/formulas/${id}/versions`).expect(200)).body).toEqual(versions);
    expect(await rowsOf(id)).toEqual(stored);
    expect(await counts()).toEqual(totals);
    expect(events.map(({ type, recordId, data }) => [type, recordId, data])).toEqual([
      ['formula.deleted', id, {}],
      ['formula.restored', id, { name: '乳液', projectId: project.id, versionNumber: 2 }],
    ]);
    expect(await trashOf(user)).toEqual([]);
    expectError(await user.post(`${TRASH}/${id}/restore`), 404, MISSING);
    // It can be found, revised and deleted like any other.
    expect((await user.get('/api/formulas?search=乳液')).body.data).toHaveLength(1);
    await user.put(`/api/formulas/${id}/composition`, { phases }).expect(200);
    expectDeleted(await user.delete(`/api/formulas/${id}`));
    expect(await trashOf(user)).toHaveLength(1);
  });

  it('is among the changed ones for a client that saw it go', async () => {
    const { id } = await deleted();
    const { body } = await user.post('/api/formulas', {
      name: '时刻',
      phases: wholeOf((await createIngredient(user)).id),
    });
    const since = encodeURIComponent(body.data.updatedAt);
    const changed = async () =>
      (await user.get(`/api/ext/formulas?changedSince=${since}`).expect(200)).body.data.map(
        (formula: { id: string }) => formula.id,
      );
    expect(await changed()).toEqual([body.data.id]);
    await user.post(`${TRASH}/${id}/restore`).expect(200);
    expect(await changed()).toEqual([id, body.data.id]);
  });

  it('is in the trash for 30 days', async () => {
    const before = new Date(clock.now()).toISOString();
    const { id } = await deleted();
    const until = new Date(clock.now() + 30 * DAY_MS).toISOString();
    expect(await trashOf(user)).toEqual([
      {
        id,
        name: '面霜',
        deletedAt: before,
        deletedBy: { id: user.id, username: user.username },
        until,
        canRestore: true,
      },
    ]);
    clock.advance(30 * DAY_MS - 1);
    expect(await trashOf(user)).toHaveLength(1);
    expect(await service.app.get(TrashPurge).deleteOld(0)).toBe(0);
    clock.advance(1);
    expect(await trashOf(user)).toEqual([]);
    expectError(await user.post(`${TRASH}/${id}/restore`), 404, MISSING);
    expectError(await user.delete(`${TRASH}/${id}`), 404, MISSING);
    expect(await service.app.get(TrashPurge).deleteOld(0)).toBe(1);
    expect(await database.query('SELECT id FROM trashed_versions')).toEqual([]);
  });

  it('does not use its ingredients, and cannot come back without them', async () => {
    const { id, ingredientId } = await deleted(user, '啫喱');
    expectDeleted(await user.delete(`/api/ingredients/${ingredientId}`));
    expectError(await user.post(`${TRASH}/${id}/restore`), 409, '以下成分已不存在,无法恢复该配方: 水 啫喱');
    expect(await trashOf(user)).toHaveLength(1);
  });

  it.each([
    [10, ''],
    [11, ' …'],
  ])('names at most ten of %d ingredients that no longer exist', async (count, more) => {
    const names = Array.from({ length: count }, (_, at) => `缺${count}-${String(at).padStart(2, '0')}`);
    const ingredients: { id: string }[] = [];
    for (const chineseName of names) ingredients.push(await createIngredient(user, { chineseName }));
    const lines = ingredients.map(({ id }) => ({ ingredientId: id, percentage: 100 / count }));
    const { id } = await createFormula(user, [{ name: '相', sortOrder: 1, ingredients: lines }]);
    await user.delete(`/api/formulas/${id}`).expect(204);
    for (const one of ingredients) await user.delete(`/api/ingredients/${one.id}`).expect(204);
    const { body } = await user.post(`${TRASH}/${id}/restore`).expect(409);
    const [, shown, rest] = /^以下成分已不存在,无法恢复该配方: ([^…]*?)( …)?$/.exec(body.error as string)!;
    expect(new Set(names)).toEqual(new Set([...names, ...shown!.split(', ')]));
    expect([shown!.split(', ').length, rest ?? '']).toEqual([10, more]);
  });

  it('takes back its colours, but none that another formula has been given meanwhile', async () => {
    const { id: ingredientId } = await createIngredient(user);
    const [one, two] = [
      await createFormula(user, wholeOf(ingredientId)),
      await createFormula(user, wholeOf(ingredientId)),
    ];
    const colorOf = async (formulaId: string): Promise<string> =>
      (await user.post('/api/color/formulas', { targetLab: { L: 2, a: 2, b: 2 }, formulaId }).expect(201))
        .body.data.id;
    const [free, given] = [await colorOf(one.id), await colorOf(one.id)];
    await user.delete(`/api/formulas/${one.id}`).expect(204);
    await user.put(`/api/ext/color/formulas/${given}`, { formulaId: two.id }).expect(200);
    await user.post(`${TRASH}/${one.id}/restore`).expect(200);
    const formulaOf = async (id: string) =>
      (await user.get(`/api/ext/color/formulas/${id}`).expect(200)).body.data.formulaId;
    expect([await formulaOf(free), await formulaOf(given)]).toEqual([one.id, two.id]);
  });

  it('comes back without a project that has been deleted', async () => {
    const project = (await createProject(user)) as { id: string };
    const { id: ingredientId } = await createIngredient(user);
    const { id } = (await createFormula(user, wholeOf(ingredientId), { projectId: project.id })) as {
      id: string;
    };
    await user.delete(`/api/formulas/${id}`).expect(204);
    await user.delete(`/api/projects/${project.id}`).expect(204);
    const { body } = await user.post(`${TRASH}/${id}/restore`).expect(200);
    expect(body.data).toMatchObject({ projectId: null, project: null });
  });

  it('does not come back where a custom field contradicts another formula', async () => {
    const fields = service.app.get(CustomFieldsService);
    const { id: ingredientId } = await createIngredient(user);
    const [one, two] = (await Promise.all([
      createFormula(user, wholeOf(ingredientId)),
      createFormula(user, wholeOf(ingredientId)),
    ])) as { id: string }[];
    await fields.write(user, LABELS, one!.id, { number: 9 });
    await user.delete(`/api/formulas/${one!.id}`).expect(204);
    await fields.write(user, LABELS, two!.id, { number: 9 });
    const restore = () => user.post(`${TRASH}/${one!.id}/restore`);
    expectError(await restore(), 409, '扩展表 ext_labels 的数据与现有记录冲突,无法恢复该配方');
    expectError(await user.get(`/api/formulas/${one!.id}`), 404, '配方不存在');
    await fields.write(user, LABELS, two!.id, { number: 10 });
    await restore().expect(200);
  });

  it('is copied and deleted, or neither', async () => {
    const { id: ingredientId } = await createIngredient(user);
    const { id } = (await createFormula(user, wholeOf(ingredientId))) as { id: string };
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    refusal = new Error('no');
    await user.delete(`/api/formulas/${id}`).expect(500);
    refusal = undefined;
    log.mockRestore();
    expect(await trashOf(user)).toEqual([]);
    await user.get(`/api/formulas/${id}`).expect(200);
  });

  it('is restored once, whoever asks at the same time', async () => {
    const { id } = await deleted();
    const answers = await Promise.all([1, 2, 3].map(() => user.post(`${TRASH}/${id}/restore`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });
});

describe('The trash', () => {
  it('is seen by who may change the formula: its creator, or an admin', async () => {
    const mine = await deleted(user, 'mine');
    const theirs = await deleted(other, 'theirs');
    expect((await trashOf(user)).map(({ id }) => id as string)).toEqual([mine.id]);
    expect((await trashOf(admin)).map(({ id }) => id as string).sort()).toEqual([mine.id, theirs.id].sort());
    for (const answer of [
      await user.post(`${TRASH}/${theirs.id}/restore`),
      await user.delete(`${TRASH}/${theirs.id}`),
    ])
      expectError(answer, 403, FORBIDDEN);
    await admin.post(`${TRASH}/${theirs.id}/restore`).expect(200);
    expect((await other.get(`/api/formulas/${theirs.id}`)).body.data.createdBy).toBe(other.id);
    for (const id of [NOWHERE, 'x']) {
      expectError(await user.post(`${TRASH}/${id}/restore`), 404, MISSING);
      expectError(await user.delete(`${TRASH}/${id}`), 404, MISSING);
    }
  });

  it('is paged, the latest first, in as many statements for many as for one', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.unshift((await deleted()).id);
      clock.advance(1000);
    }
    const { body } = await user.get(`${TRASH}?limit=2&page=2`).expect(200);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2, 4));
    expect(body.pagination).toEqual({ page: 2, limit: 2, total: 5, totalPages: 3 });
    const one = await countStatements(() => user.get(`${TRASH}?limit=1`).expect(200));
    expect(await countStatements(() => user.get(`${TRASH}?limit=5`).expect(200))).toBe(one);
  });

  it('is left for good by DELETE', async () => {
    const { id } = await deleted();
    expectDeleted(await user.delete(`${TRASH}/${id}`));
    expectError(await user.delete(`${TRASH}/${id}`), 404, MISSING);
    expect(await trashOf(user)).toEqual([]);
    expect(await database.query('SELECT id FROM trashed_versions')).toEqual([]);
  });

  it.each([{ TRASH_DAYS: '0' }])('has nothing with %j', async (settings) => {
    const without = await bootApp({ settings: settings as unknown as Record<string, string> });
    try {
      const account = await without.register();
      await deleted(account);
      const rows = await without.app.get(DataSource).query('SELECT id FROM trashed_formulas');
      expect(rows).toEqual([]);
    } finally {
      await without.close();
    }
  });
});

it('All columns of the copied tables are copied, but for what is computed', async () => {
  const columns = async (table: string): Promise<string[]> => {
    const found: { name: string }[] = await database.query(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND table_schema = 'public'`,
      [table],
    );
    return found.map(({ name }) => name).sort();
  };
  // A column that is added must be added to src/formulas/trash/trash.repository.ts, too.
  expect(await columns('formulas')).toEqual(
    [
      ...[
        'id',
        'name',
        'description',
        'project_id',
        'current_version',
        'created_by',
        'created_at',
        'updated_at',
      ],
      ...['embedding', 'embedding_maker', 'embedding_stamp', 'search_key'],
    ].sort(),
  );
  expect(await columns('formula_versions')).toEqual(
    ['id', 'formula_id', 'version_number', 'description', 'snapshot_data', 'created_by', 'created_at'].sort(),
  );
  expect(await columns('formula_phases')).toEqual(
    ['id', 'formula_version_id', 'name', 'sort_order', 'position'].sort(),
  );
  expect(await columns('formula_ingredients')).toEqual(
    [
      ...['id', 'formula_version_id', 'phase_id', 'ingredient_id', 'percentage', 'process_notes', 'position'],
    ].sort(),
  );
});
