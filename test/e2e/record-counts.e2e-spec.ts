import { randomUUID } from 'node:crypto';
import { DataSource, type QueryRunner } from 'typeorm';
import { TEST_SERVER } from '../support/databases';
import { type Account, bootApp, type TestApp } from '../support/app';
import {
  createFormula,
  createIngredient,
  createProject,
  ingredientInput,
  wholeOf,
} from '../support/factories';
import { type Random, randomNumbers } from '../support/random-numbers';

const describeOnServer = TEST_SERVER ? describe : undefined;

let service: TestApp;
let user: Account;
let database: DataSource;
let ingredientId: string;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  database = service.app.get(DataSource);
  ({ id: ingredientId } = await createIngredient(user));
});
afterAll(() => service.close());
beforeEach(() => database.query('DELETE FROM formulas; DELETE FROM projects'));

/** Parts whose kept number is not their number of records, in one snapshot. */
const DIFFERENCES = `
  SELECT list, part, kept, counted FROM (
    SELECT list, part, sum(delta) AS kept FROM record_counts GROUP BY list, part) kept
  FULL JOIN (
    SELECT 'formulas' AS list, '' AS part, count(*) AS counted FROM formulas
    UNION ALL SELECT 'formulas of project', project_id::text, count(*) FROM formulas
      WHERE project_id IS NOT NULL GROUP BY project_id
    UNION ALL SELECT 'ingredients', function_category, count(*) FROM ingredients GROUP BY function_category
  ) counted USING (list, part)
  WHERE coalesce(kept, 0) <> coalesce(counted, 0)`;
const differences = () => database.query<unknown[]>(DIFFERENCES);

const INSERT = `INSERT INTO formulas (name, created_by, project_id)
                SELECT 'Bulk ' || n, $1, $2 FROM generate_series(1, $3) n`;
const totalOf = async (path: string): Promise<number> =>
  (await user.get(path).expect(200)).body.pagination.total;

describe('Kept numbers of records', () => {
  it('follow what is created and deleted through the API', async () => {
    const project = await createProject(user);
    const inProject = await createFormula(user, wholeOf(ingredientId), { projectId: project.id });
    await createFormula(user, wholeOf(ingredientId));
    expect(await totalOf('/api/formulas')).toBe(2);
    const counts = async () =>
      ((await user.get('/api/projects').expect(200)).body.data as { _count: unknown }[]).map(
        ({ _count }) => _count,
      );
    expect(await counts()).toEqual([{ formulas: 1 }]);
    await user.delete(`/api/formulas/${inProject.id}`).expect(204);
    expect(await totalOf('/api/formulas')).toBe(1);
    expect(await counts()).toEqual([{ formulas: 0 }]);
    expect(await differences()).toEqual([]);
  });

  it('follow an ingredient into another category', async () => {
    const of = (category: string) => totalOf(`/api/ingredients?category=${category}`);
    const before = [await totalOf('/api/ingredients'), await of('sunscreen'), await of('humectant')];
    const { id } = await createIngredient(user, { functionCategory: 'sunscreen' });
    await user.put(`/api/ingredients/${id}`, { functionCategory: 'humectant' }).expect(200);
    await user.put(`/api/ingredients/${id}`, { functionCategory: 'humectant', supplier: 'x' }).expect(200);
    expect([await totalOf('/api/ingredients'), await of('sunscreen'), await of('humectant')]).toEqual([
      before[0]! + 1,
      before[1]!,
      before[2]! + 1,
    ]);
    expect(await differences()).toEqual([]);
    await user.delete(`/api/ingredients/${id}`).expect(204);
    expect(await of('humectant')).toBe(before[2]!);
    expect(await differences()).toEqual([]);
  });

  it('do not count what was refused', async () => {
    await user.post('/api/formulas', { name: 'x', phases: wholeOf(randomUUID()) }).expect(400);
    await user.post('/api/ingredients', ingredientInput({ functionCategory: 'none' })).expect(400);
    expect(await totalOf('/api/formulas')).toBe(0);
    expect(await differences()).toEqual([]);
  });

  it('count the rows of statements of many rows, and those that conflict once', async () => {
    const project = await createProject(user);
    const other = await createProject(user);
    await database.query(INSERT, [user.id, project.id, 300]);
    await database.query(INSERT, [user.id, null, 200]);
    expect(await totalOf('/api/formulas')).toBe(500);
    await database.query('UPDATE formulas SET project_id = $1 WHERE project_id IS NULL', [other.id]);
    await database.query(`UPDATE formulas SET project_id = NULL WHERE name LIKE '% 1%'`);
    expect(await differences()).toEqual([]);
    await database.query(
      `INSERT INTO formulas (id, name, created_by) SELECT id, name, created_by FROM formulas
       UNION ALL SELECT gen_random_uuid(), 'New', $1 ON CONFLICT (id) DO UPDATE SET project_id = $2`,
      [user.id, other.id],
    );
    expect(await totalOf('/api/formulas')).toBe(501);
    expect(await differences()).toEqual([]);
    await database.query('DELETE FROM projects WHERE id = $1', [other.id]);
    expect(await differences()).toEqual([]);
    await database.query(`DELETE FROM formulas WHERE name LIKE '%2'`);
    expect(await differences()).toEqual([]);
  });

  it('are none of a table that is emptied, and no statement of no rows leaves a trace', async () => {
    await database.query(INSERT, [user.id, (await createProject(user)).id, 5]);
    const [ingredients] = await database.query<unknown[]>(
      `SELECT sum(delta) FROM record_counts WHERE list = 'ingredients'`,
    );
    await database.query('TRUNCATE formulas CASCADE');
    expect(await differences()).toEqual([]);
    expect(await database.query(`SELECT * FROM record_counts WHERE list LIKE 'formulas%'`)).toEqual([]);
    await database.query(INSERT, [user.id, null, 0]);
    await database.query('DELETE FROM formulas');
    expect(await database.query(`SELECT * FROM record_counts WHERE list LIKE 'formulas%'`)).toEqual([]);
    expect(
      (await database.query<unknown[]>(`SELECT sum(delta) FROM record_counts WHERE list = 'ingredients'`))[0],
    ).toEqual(ingredients);
  });

  it('leave nothing of a deleted project, however many formulas it had', async () => {
    const project = await createProject(user);
    await database.query(INSERT, [user.id, project.id, 3000]);
    await user.delete(`/api/projects/${project.id}`).expect(204);
    expect(await database.query('SELECT * FROM record_counts WHERE part = $1', [project.id])).toEqual([]);
    expect(await totalOf('/api/formulas')).toBe(3000);
    expect(await differences()).toEqual([]);
  });

  it('follow a change that only a trigger of somebody else makes', async () => {
    const project = await createProject(user);
    await database.query(INSERT, [user.id, null, 2]);
    await database.query(`
      CREATE FUNCTION ext_move() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_TABLE_NAME = 'formulas' THEN NEW.project_id := '${project.id}';
        ELSE NEW.function_category := 'antioxidant'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER ext_move BEFORE UPDATE ON formulas FOR EACH ROW EXECUTE FUNCTION ext_move();
      CREATE TRIGGER ext_move BEFORE UPDATE ON ingredients FOR EACH ROW EXECUTE FUNCTION ext_move()`);
    try {
      await database.query(`UPDATE formulas SET description = 'x'; UPDATE ingredients SET supplier = 'x'`);
    } finally {
      await database.query('DROP FUNCTION ext_move() CASCADE');
    }
    expect(await differences()).toEqual([]);
    expect(await totalOf('/api/ingredients?category=antioxidant')).toBe(await totalOf('/api/ingredients'));
  });

  it('are folded at most once in a transaction: again and again would take time per change before', async () => {
    const runner = database.createQueryRunner();
    try {
      await runner.startTransaction();
      for (let n = 0; n < 500; n++) await runner.query(INSERT, [user.id, null, 1]);
      await runner.commitTransaction();
    } finally {
      await runner.release();
    }
    const rows = async () =>
      (await database.query<unknown[]>(`SELECT FROM record_counts WHERE list = 'formulas'`)).length;
    // The first fold is one of the first sixteen: of the first 240 but in one of a million runs.
    expect(await rows()).toBeGreaterThan(250);
    for (let n = 0; n < 240; n++) await database.query(INSERT, [user.id, null, 1]);
    expect(await rows()).toBeLessThan(240);
    expect(await differences()).toEqual([]);
  }, 60_000);

  it('cannot be left behind by TRUNCATE in an older snapshot', async () => {
    const runner = database.createQueryRunner();
    try {
      await runner.startTransaction('REPEATABLE READ');
      await expect(runner.query('TRUNCATE formulas CASCADE')).rejects.toThrow(
        'TRUNCATE of formulas needs the isolation level READ COMMITTED',
      );
      await runner.rollbackTransaction();
    } finally {
      await runner.release();
    }
  });

  it('stay few rows, however many records come one by one', async () => {
    const project = await createProject(user);
    for (let n = 0; n < 1000; n++) await database.query(INSERT, [user.id, project.id, 1]);
    const rows = await database.query<{ n: string }[]>(
      `SELECT list, count(*)::int AS n FROM record_counts WHERE list LIKE 'formulas%' GROUP BY list, part`,
    );
    expect(rows).toHaveLength(2);
    // Sixteen expected; so many in one of a million runs.
    for (const { n } of rows) expect(n).toBeLessThan(240);
    expect(await differences()).toEqual([]);
  }, 60_000);

  it('leave no row of a part that has become empty', async () => {
    const project = await createProject(user);
    const left = async () =>
      (await database.query<unknown[]>('SELECT FROM record_counts WHERE part = $1', [project.id])).length;
    // One of sixteen folds: not one of so many in one of a million runs.
    for (let n = 0; n < 230; n++) {
      await database.query(INSERT, [user.id, project.id, 1]);
      await database.query('DELETE FROM formulas');
      if ((await left()) === 0) return;
    }
    expect(await left()).toBe(0);
  }, 60_000);

  /** Some changes in a transaction, or in savepoints of it, half of which are taken back. */
  async function write(runner: QueryRunner, random: Random, projects: string[]): Promise<void> {
    const pick = () => (random() < 0.3 ? null : projects[Math.floor(random() * projects.length)]!);
    const change = async () => {
      const kind = random();
      if (kind < 0.5) return runner.query(INSERT, [user.id, pick(), 1 + Math.floor(random() * 3)]);
      // Materialized: as a subquery a plan may run it again for each formula, and change them all.
      const two = `WITH two AS MATERIALIZED (
        SELECT id FROM formulas ORDER BY md5(id::text || $1) LIMIT 2 FOR UPDATE SKIP LOCKED)`;
      const ofTwo = 'formulas.id = two.id';
      if (kind < 0.75) {
        return runner.query(`${two} DELETE FROM formulas USING two WHERE ${ofTwo}`, [String(random())]);
      }
      const move = `${two} UPDATE formulas SET project_id = $2 FROM two WHERE ${ofTwo}`;
      return runner.query(move, [String(random()), pick()]);
    };
    await runner.startTransaction('READ COMMITTED');
    await change();
    await runner.query('SAVEPOINT inner_part');
    await change();
    await runner.query(random() < 0.5 ? 'ROLLBACK TO SAVEPOINT inner_part' : 'RELEASE SAVEPOINT inner_part');
    await change();
    expect(await runner.query(DIFFERENCES)).toEqual([]);
    if (random() < 0.5) await runner.commitTransaction();
    else await runner.rollbackTransaction();
  }

  // On the embedded database, which has one session, the writers come one after the other.
  it('are exact in every snapshot beside writers that commit, roll back and use savepoints', async () => {
    const projects = await Promise.all([1, 2, 3].map(async () => (await createProject(user)).id as string));
    let writing = 4;
    const writer = async (seed: number) => {
      const random = randomNumbers(seed);
      const runner = database.createQueryRunner();
      try {
        for (let n = 0; n < 60; n++) await write(runner, random, projects);
      } finally {
        writing -= 1;
        await runner.release();
      }
    };
    const reader = async () => {
      while (writing > 0) expect(await differences()).toEqual([]);
    };
    await Promise.all([writer(1), writer(2), writer(3), writer(4), reader()]);
    expect(await differences()).toEqual([]);
    const [{ n }] = await database.query<[{ n: number }]>('SELECT count(*)::int AS n FROM formulas');
    expect(n).toBeGreaterThan(20);
    expect(await totalOf('/api/formulas')).toBe(n);
  }, 60_000);

  // The embedded database has one session: there transactions come one after the other.
  describeOnServer?.('beside an open transaction', () => {
    /** So many that one of them folds but in one of a million runs. */
    const insertMany = async (runner: QueryRunner) => {
      for (let n = 0; n < 220; n++) await runner.query(INSERT, [user.id, null, 1]);
    };
    let open: QueryRunner;
    let other: QueryRunner;
    beforeEach(async () => {
      [open, other] = [database.createQueryRunner(), database.createQueryRunner()];
      await database.query(INSERT, [user.id, null, 1]);
    });
    afterEach(() => Promise.all([open.release(), other.release()]));
    afterEach(async () => {
      expect(await totalOf('/api/formulas')).toBe(441);
      expect(await differences()).toEqual([]);
    });

    it('that has folded nobody waits', async () => {
      await open.startTransaction();
      await insertMany(open);
      await other.query(`SET lock_timeout = '1s'`);
      await insertMany(other);
      await other.query('RESET lock_timeout');
      await open.commitTransaction();
    }, 60_000);

    it.each(['REPEATABLE READ', 'SERIALIZABLE'] as const)(
      'of %s, others’ folding does not make it fail',
      async (isolation) => {
        await open.startTransaction(isolation);
        await open.query('SELECT 1 FROM users');
        await insertMany(other);
        await insertMany(open);
        await open.commitTransaction();
      },
      60_000,
    );
  });
});

describe('Pages from either end', () => {
  const all = async (path: string, limit: number) => {
    const ids: string[] = [];
    for (let page = 1; ; page++) {
      const { body } = await user.get(`${path}page=${page}&limit=${limit}`).expect(200);
      const { data, pagination } = body as { data: { id: string }[]; pagination: Record<string, number> };
      expect(pagination).toEqual({
        page,
        limit,
        total: pagination.total,
        totalPages: Math.ceil(pagination.total! / limit),
      });
      if (page > pagination.totalPages!) {
        expect(data).toEqual([]);
        return ids;
      }
      expect(data).toHaveLength(Math.min(limit, pagination.total! - (page - 1) * limit));
      ids.push(...data.map(({ id }) => id));
    }
  };
  const idsOf = async (statement: string) =>
    (await database.query<{ id: string }[]>(statement)).map(({ id }) => id);

  it.each(['name', 'createdAt', 'updatedAt'])(
    'hold every formula once, in order of %s and id',
    async (sortBy) => {
      // Many ties: one statement, one moment.
      await database.query(INSERT, [user.id, null, 23]);
      await database.query(INSERT, [user.id, null, 24]);
      const column = sortBy.replace('A', '_a');
      for (const order of ['asc', 'desc']) {
        const expected = await idsOf(`SELECT id FROM formulas ORDER BY ${column} ${order}, id ${order}`);
        expect(expected).toHaveLength(47);
        for (const limit of [1, 7, 10, 24, 100])
          expect(await all(`/api/formulas?sortBy=${sortBy}&sortOrder=${order}&`, limit)).toEqual(expected);
      }
    },
  );

  describe('far from both ends', () => {
    const FORMULAS = 24_000;
    const fill = async () => {
      // Nothing is searched: words would take most of the time.
      await database.query('ALTER TABLE formulas DISABLE TRIGGER tr_formulas_words');
      await database.query(
        `INSERT INTO formulas (name, created_by, updated_at)
         SELECT 'Deep ' || n, $1, timestamptz '2024-02-01T22:30Z'
           + CASE WHEN n % 3 = 0 THEN interval '20 days' ELSE (n % 60) * interval '1 day' END
           + (n % 7) * interval '1 hour'
         FROM generate_series(1, $2) n`,
        [user.id, FORMULAS],
      );
      await database.query('ALTER TABLE formulas ENABLE TRIGGER tr_formulas_words');
    };
    beforeEach(fill);

    it.each(['name', 'updatedAt'])(
      'are found once where statistics take the table for empty, in order of %s',
      async (sortBy) => {
        await database.query('DELETE FROM formulas; ANALYZE formulas');
        await fill();
        const path = `/api/formulas?sortBy=${sortBy}&sortOrder=desc&page=130&limit=97`;
        expect((await user.get(path).expect(200)).body.data).toHaveLength(97);
      },
      60_000,
    );

    it('are those of the whole order', async () => {
      const limit = 97;
      for (const order of ['asc', 'desc']) {
        const expected = await idsOf(`SELECT id FROM formulas ORDER BY updated_at ${order}, id ${order}`);
        const last = Math.ceil(FORMULAS / limit);
        for (const page of [103, 104, 105, 110, 119, 124, 131, 143, 144, 145, last - 1, last, last + 1]) {
          const path = `/api/formulas?sortBy=updatedAt&sortOrder=${order}&page=${page}&limit=${limit}`;
          const { body } = await user.get(path).expect(200);
          expect((body.data as { id: string }[]).map(({ id }) => id)).toEqual(
            expected.slice((page - 1) * limit, page * limit),
          );
        }
      }
    }, 60_000);
  });

  it('hold every ingredient once, newest first, of one category and of all', async () => {
    await database.query(
      `INSERT INTO ingredients (inci_name, chinese_name, function_category)
       SELECT 'Tied ' || n, '同时', CASE n % 3 WHEN 0 THEN 'thickener' ELSE 'fragrance' END
       FROM generate_series(1, 50) n`,
    );
    for (const [query, where] of [
      ['', ''],
      ['category=fragrance&', `WHERE function_category = 'fragrance'`],
    ]) {
      const expected = await idsOf(`SELECT id FROM ingredients ${where} ORDER BY created_at DESC, id`);
      for (const limit of [3, 17, 20])
        expect(await all(`/api/ingredients?${query}`, limit)).toEqual(expected);
    }
  });
});
