import { AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RowFilter } from '../../src/platform/access/row-filter';
import { UsersRepository } from '../../src/users/users.repository';
import { DatabaseService } from '../../src/platform/database/database.service';
import { TransactionManager } from '../../src/platform/database/transaction-manager';
import { FormulasRepository } from '../../src/formulas/formulas.repository';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { EmbeddingUpdater } from '../../src/ai/capabilities/embed-texts/embedding-updater';
import { TEST_SERVER } from '../support/databases';
import {
  createFormula,
  createIngredient,
  createIngredients,
  createProject,
  phasesOf,
  wholeOf,
} from '../support/factories';

let service: TestApp;
let user: Account;
let admin: Account;
let database: DataSource;

beforeAll(async () => {
  service = await bootApp();
  [user, admin] = [await service.register(), await service.register()];
  await service.app.get(UsersRepository).setRole(admin.username, 'admin');
  database = service.app.get(DataSource);
});

afterAll(() => service.close());

const times = <T>(count: number, work: (index: number) => PromiseLike<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const countOf = async (table: string, where = 'true'): Promise<number> => {
  const [row] = await database.query<{ count: number }[]>(
    `SELECT count(*) AS count FROM ${table} WHERE ${where}`,
  );
  return Number(row!.count);
};

/** Runs what is made here outside every transaction, wherever it is called. */
const outside = AsyncResource.bind(<T>(work: () => T): T => work());

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();

it('one name registered twenty times at once gives one 201 and nineteen 409', async () => {
  const credentials = { username: 'wanted', password: 'secret' };
  const answers = await times(20, () => service.http.post('/api/auth/register').send(credentials));
  expect(statuses(answers)).toEqual([201, ...Array<number>(19).fill(409)]);
  for (const answer of answers.filter(({ status }) => status === 409)) {
    expectError(answer, 409, '用户名已存在');
  }
  expect(await countOf('users', `username = 'wanted'`)).toBe(1);
});

describe('composition updates of one formula at once', () => {
  const UPDATES = 24;

  it('all succeed, with consecutive numbers and times that never go back', async () => {
    const { id: ingredientId } = await createIngredient(user);
    const { id } = await createFormula(user, wholeOf(ingredientId));
    const answers = await times(UPDATES, (index) =>
      (index % 2 ? user : admin).put(`/api/formulas/${id}/composition`, {
        phases: phasesOf(ingredientId, [50 + index, 50 - index]),
      }),
    );
    expect(statuses(answers)).toEqual(Array<number>(UPDATES).fill(200));
    const seen = answers.map(({ body }) => {
      const [version] = body.data.versions;
      expect(version.versionNumber).toBe(body.data.currentVersion);
      expect(version.createdAt).toBe(body.data.updatedAt);
      return { number: version.versionNumber as number, at: version.createdAt as string };
    });
    seen.sort((x, y) => x.number - y.number);
    expect(seen.map(({ number }) => number)).toEqual(Array.from({ length: UPDATES }, (_, n) => n + 2));
    expect(seen.map(({ at }) => at)).toEqual(seen.map(({ at }) => at).toSorted());

    const { body } = await user.get(`/api/formulas/${id}`).expect(200);
    expect(body.data.currentVersion).toBe(UPDATES + 1);
    const stored = await database.query<{ version_number: number; lines: string }[]>(
      `SELECT v.version_number, count(l.id) AS lines FROM formula_versions v
       JOIN formula_ingredients l ON l.formula_version_id = v.id
       WHERE v.formula_id = $1 GROUP BY 1 ORDER BY 1`,
      [id],
    );
    expect(stored.map(({ version_number }) => version_number)).toEqual(
      Array.from({ length: UPDATES + 1 }, (_, n) => n + 1),
    );
    for (const { lines } of stored.slice(1)) expect(Number(lines)).toBe(2);
  });

  it('readers see whole versions only, and metadata updates lose nothing', async () => {
    const { id: ingredientId } = await createIngredient(user);
    const { id } = await createFormula(user, phasesOf(ingredientId, [1, 99]));
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () =>
        user.put(`/api/formulas/${id}/composition`, { phases: phasesOf(ingredientId, [1, 99]) }),
      ),
      ...Array.from({ length: 10 }, (_, n) => user.put(`/api/formulas/${id}`, { name: `名${n}` })),
      ...Array.from({ length: 20 }, () => user.get(`/api/formulas/${id}`)),
    ]);
    expect(statuses(answers)).toEqual(Array<number>(40).fill(200));
    for (const { body } of answers.slice(20)) {
      const [version] = body.data.versions;
      expect(version.versionNumber).toBe(body.data.currentVersion);
      expect(version.phases[0].ingredients.map((l: { percentage: number }) => l.percentage)).toEqual([1, 99]);
    }
    const { body } = await user.get(`/api/formulas/${id}`).expect(200);
    expect(body.data).toMatchObject({ currentVersion: 11, name: expect.stringMatching(/^名\d$/) });
  });
});

// The embedded database has one session: nothing waits for a row there.
const itOnServer = TEST_SERVER ? it : undefined;

itOnServer?.('changes that have waited for another are not dated before it', async () => {
  const { id: ingredientId } = await createIngredient(user);
  const { id } = await createFormula(user, wholeOf(ingredientId));
  const holder = database.createQueryRunner();
  await holder.startTransaction();
  await holder.query("UPDATE formulas SET name = '先前' WHERE id = $1", [id]);
  const changing = Promise.all([
    user.put(`/api/formulas/${id}`, { name: '后来' }).expect(200),
    user.put(`/api/formulas/${id}/composition`, { phases: wholeOf(ingredientId) }).expect(200),
  ]);
  const waiting = () =>
    countOf(
      'pg_stat_activity',
      "datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%embedding%'",
    );
  while ((await waiting()) < 2);
  const [{ now }] = (await holder.query('SELECT clock_timestamp() AS now')) as [{ now: Date }];
  await holder.commitTransaction();
  await holder.release();
  for (const { body } of await changing)
    expect(Date.parse(body.data.updatedAt as string)).toBeGreaterThanOrEqual(now.getTime());
});

it('a change is dated when it is made, not when its transaction began', async () => {
  const { id: ingredientId } = await createIngredient(user);
  const { id } = await createFormula(user, wholeOf(ingredientId));
  const repository = service.app.get(FormulasRepository);
  const database = service.app.get(DatabaseService);
  const changes = [
    () => repository.revise(RowFilter.EVERYTHING, id, user.id, { phases: wholeOf(ingredientId) }),
    () => repository.updateMetadata(RowFilter.EVERYTHING, id, { name: '后来' }),
  ];
  for (const change of changes) {
    const { at, changed } = await service.app.get(TransactionManager).run(async () => {
      // Documents tell no less than a millisecond: waits for the next.
      for (;;) {
        const [{ began, at }] = (await database.query({
          text: 'SELECT now() AS began, clock_timestamp() AS at',
        })) as [{ began: Date; at: Date }];
        if (at.getTime() > began.getTime()) return { at, changed: await change() };
      }
    });
    expect(Date.parse(changed!.parse().updatedAt)).toBeGreaterThanOrEqual(at.getTime());
  }
});

it('deleting an ingredient while formulas take it up leaves no dangling line', async () => {
  const { id: other } = await createIngredient(user);
  for (let round = 0; round < 15; round++) {
    const { id: ingredientId } = await createIngredient(user);
    const revised = await createFormula(user, wholeOf(other));
    const compose = { phases: wholeOf(ingredientId) };
    const [deleted, ...writes] = await Promise.all([
      user.delete(`/api/ingredients/${ingredientId}`),
      user.post('/api/formulas', { name: '竞争', ...compose }),
      user.put(`/api/formulas/${revised.id}/composition`, compose),
      user.post('/api/formulas', { name: '竞争', ...compose }),
    ]);
    const lines = await countOf('formula_ingredients', `ingredient_id = '${ingredientId}'`);
    const taken = writes.filter(({ status }) => status < 300);
    expect(lines).toBe(taken.length);
    if (deleted.status === 204) {
      expect(taken).toEqual([]);
    } else {
      expectError(deleted, 409, '该成分已被配方引用,无法删除', { usageCount: deleted.body.usageCount });
      expect(deleted.body.usageCount).toBeGreaterThan(0);
    }
    for (const { status, body } of taken) {
      expect([200, 201]).toContain(status);
      expect(body.data.versions[0].phases[0].ingredients[0].ingredient.inciName).toEqual(expect.any(String));
      await user.get(`/api/formulas/${body.data.id}`).expect(200);
    }
    for (const refused of writes.filter(({ status }) => status >= 300)) {
      expectError(refused, 400, 'phases.0.ingredients.0.ingredientId: 成分不存在');
    }
  }
  expect(await countOf('formula_ingredients', 'ingredient_id NOT IN (SELECT id FROM ingredients)')).toBe(0);
});

it('ingredients taken up in any order, repriced and deleted at once: nobody deadlocks', async () => {
  const { id: spare } = await createIngredient(user);
  for (let round = 0; round < 6; round++) {
    const ids = (await createIngredients(user, 4)).map(({ id }) => id);
    const phasesIn = (order: string[]) => [
      {
        name: '相',
        sortOrder: 1,
        ingredients: order.map((ingredientId) => ({ ingredientId, percentage: 25 })),
      },
    ];
    const answers = await Promise.all([
      user.post('/api/formulas', { name: '顺', phases: phasesIn(ids) }),
      user.post('/api/formulas', { name: '逆', phases: phasesIn(ids.toReversed()) }),
      ...ids.map((id) => user.put(`/api/ingredients/${id}`, { unitPrice: round })),
      user.post('/api/formulas', { name: '逆', phases: phasesIn(ids.toReversed()) }),
      ...ids.map((id) => user.delete(`/api/ingredients/${id}`)),
      user.post('/api/formulas', { name: '顺', phases: phasesIn([spare, ...ids.slice(0, 3)]) }),
    ]);
    for (const { status } of answers) expect([200, 201, 204, 400, 404, 409]).toContain(status);
  }
});

it('deleting a project while formulas are created in it leaves whole formulas without a project', async () => {
  const { id: ingredientId } = await createIngredient(user);
  for (let round = 0; round < 10; round++) {
    const { id: projectId } = await createProject(user);
    const body = { name: '项目中', projectId, phases: wholeOf(ingredientId) };
    const [deleted, ...created] = await Promise.all([
      user.delete(`/api/projects/${projectId}`),
      ...Array.from({ length: 4 }, () => user.post('/api/formulas', body)),
    ]);
    expect(deleted.status).toBe(204);
    for (const answer of created) {
      if (answer.status === 201) {
        const { body: now } = await user.get(`/api/formulas/${answer.body.data.id}`).expect(200);
        expect(now.data).toMatchObject({ projectId: null, project: null, currentVersion: 1 });
      } else {
        expectError(answer, 400, 'projectId: 项目不存在');
      }
    }
  }
});

it('deleting a formula while it is revised leaves nothing of it', async () => {
  const { id: ingredientId } = await createIngredient(user);
  for (let round = 0; round < 10; round++) {
    const { id } = await createFormula(user, wholeOf(ingredientId));
    const [deleted, ...revised] = await Promise.all([
      user.delete(`/api/formulas/${id}`),
      ...Array.from({ length: 3 }, () =>
        user.put(`/api/formulas/${id}/composition`, { phases: wholeOf(ingredientId) }),
      ),
      user.put(`/api/formulas/${id}`, { name: '新' }),
    ]);
    expect(deleted.status).toBe(204);
    for (const answer of revised) {
      if (answer.status !== 200) expectError(answer, 404, '配方不存在');
    }
    expect(await countOf('formula_versions', `formula_id = '${id}'`)).toBe(0);
  }
  expect(await countOf('formula_ingredients', `ingredient_id = '${ingredientId}'`)).toBe(0);
  await user.delete(`/api/ingredients/${ingredientId}`).expect(204);
});

it('of several deletions at once one is told it deleted', async () => {
  const { id: ingredientId } = await createIngredient(user);
  const { id: formulaId } = await createFormula(user, wholeOf(ingredientId));
  const { id: projectId } = await createProject(user);
  for (const path of [`formulas/${formulaId}`, `ingredients/${ingredientId}`, `projects/${projectId}`]) {
    const answers = await times(6, () => user.delete(`/api/${path}`));
    expect(statuses(answers)).toEqual([204, 404, 404, 404, 404, 404]);
  }
});

it('sixteen users at once are each answered as who they are, and one who is deleted is nobody at once', async () => {
  const users = await times(16, () => service.register());
  const ask = () => times(16, (index) => users[index]!.get('/api/auth/me'));

  const names = (await ask()).map(({ body }) => (body as { data: { username: string } }).data.username);
  expect(names).toEqual(users.map(({ username }) => username));

  await database.query('DELETE FROM users WHERE username = $1', [users[3]!.username]);
  expect(statuses(await ask())).toEqual([...Array<number>(15).fill(200), 401]);
});

it('owners of several formulas asked for in one turn are each told right', async () => {
  const { id: ingredientId } = await createIngredient(user);
  const owners = [user, admin, user];
  const formulas = await Promise.all(owners.map((owner) => createFormula(owner, wholeOf(ingredientId))));
  const repository = service.app.get(FormulasRepository);
  const found = await Promise.all(formulas.map(({ id }) => repository.findOwner(RowFilter.EVERYTHING, id)));
  expect(found).toEqual(owners.map(({ id }) => id));
});

it('a read by id inside a transaction sees what that has written, one beside it in the same turn does not', async () => {
  const database = service.app.get(DatabaseService);
  const users = service.app.get(UsersRepository);
  const role = async () => (await users.findCurrent(user.id))!.role;
  const seen: { inside?: string; outside?: Promise<string> } = {};
  const work = service.app.get(TransactionManager).run(async () => {
    await database.query({ text: `UPDATE users SET role = 'admin' WHERE id = $1` }, [user.id]);
    seen.outside = outside(role);
    seen.inside = await role();
    throw new Error('and back');
  });
  await expect(work).rejects.toThrow('and back');
  expect([seen.inside, await seen.outside]).toEqual(['admin', 'engineer']);
});

it('a statement with a timeout is given up when that is over, and the next one is answered', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const database = service.app.get(DatabaseService);
  const statement = { text: 'SELECT count(*) FROM users', timeoutMs: 100 };
  await service.app.get(TransactionManager).run(async () => {
    await database.query({ text: 'LOCK TABLE users IN ACCESS EXCLUSIVE MODE' });
    // From another connection; within the transaction it would be let through.
    await expect(outside(() => database.query(statement))).rejects.toMatchObject({ status: 503 });
  });
  expect(await database.query(statement)).toEqual([{ count: expect.any(Number) }]);
  logged.mockRestore();
});

it('an id that is none spoils no read that goes out with it', async () => {
  const users = service.app.get(UsersRepository);
  const found = await Promise.all(['no uuid', user.id.toUpperCase()].map((id) => users.findCurrent(id)));
  expect(found.map((one) => one?.id)).toEqual([undefined, user.id]);
});

// The embedded database lets a transaction run alone.
(TEST_SERVER ? it : () => undefined)(
  'embeddings do not wait for a formula that is being changed',
  async () => {
    const updater = service.app.get(EmbeddingUpdater);
    const { id: ingredientId } = await createIngredient(user);
    const ids = await times(2, async () => (await createFormula(user, wholeOf(ingredientId))).id);
    const stale = () =>
      countOf('formulas', `embedding_stamp IS DISTINCT FROM updated_at AND id IN ('${ids.join("','")}')`);
    while ((await updater.catchUp()) === 32);
    await database.query('UPDATE formulas SET updated_at = now() WHERE id = ANY ($1)', [ids]);
    await service.app.get(TransactionManager).run(async () => {
      await service.app
        .get(DatabaseService)
        .query({ text: 'SELECT id FROM formulas WHERE id = $1 FOR UPDATE' }, [ids[0]]);
      await outside(() => updater.catchUp());
      expect(await outside(stale)).toBe(1);
    });
    await updater.catchUp();
    expect(await stale()).toBe(0);
  },
);
