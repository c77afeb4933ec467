import { randomUUID } from 'node:crypto';
import { Logger, Module, type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module';
import { AccountsService } from '../../src/users/accounts.service';
import { ColorImportService } from '../../src/colors/files/color-import.service';
import type { CurrentUser } from '../../src/platform/common/current-user';
import { ConflictError, type FieldFault } from '../../src/platform/common/errors/service-error';
import { currentUser } from '../../src/platform/common/request-context';
import { DatabaseService } from '../../src/platform/database/database.service';
import { TransactionManager } from '../../src/platform/database/transaction-manager';
import { DeliveriesRepository } from '../../src/platform/events/deliveries.repository';
import { DOMAIN_EVENT_TYPES, type DomainEvent } from '../../src/platform/events/domain-event';
import { EventDeliveries } from '../../src/platform/events/event-deliveries';
import { EVENT_HANDLER } from '../../src/platform/events/event-handlers';
import {
  type AskedWrite,
  WRITE_VALIDATOR,
  type WriteValidator,
} from '../../src/platform/events/write-validators';
import { IngredientImportService } from '../../src/ingredients/ingredient-import.service';
import type { CreateIngredientDto } from '../../src/ingredients/ingredient.dto';
import { IngredientsService } from '../../src/ingredients/ingredients.service';
import { type Account, bootApp, type TestApp } from '../support/app';
import {
  createFormula,
  createIngredient,
  createProject,
  ingredientInput,
  wholeOf,
} from '../support/factories';

const ledger = {
  name: 'ledger',
  events: DOMAIN_EVENT_TYPES,
  inTransaction: jest.fn<Promise<void> | void, [DomainEvent]>(),
};
const webhook = {
  name: 'webhook',
  events: DOMAIN_EVENT_TYPES,
  afterCommit: jest.fn<Promise<void> | void, [DomainEvent, AbortSignal]>(),
};
const validator = {
  writes: [
    'formula.created',
    'formula.updated',
    'formula.revised',
    'project.created',
    'project.updated',
    'ingredient.created',
    'ingredient.updated',
    'color.created',
  ] as const,
  faults: jest.fn<readonly FieldFault[] | Promise<readonly FieldFault[]>, [AskedWrite]>(),
} satisfies WriteValidator;

@Module({
  providers: [
    { provide: EVENT_HANDLER, useValue: [ledger, webhook] },
    { provide: WRITE_VALIDATOR, useValue: validator },
  ],
})
class LedgerModule {}

const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();

const withExtensions = (...extensions: Type[]) =>
  bootApp({ module: { imports: [AppModule.register({ extensions })] } });

let service: TestApp;
let user: Account;
let ingredientId: string;
let database: DataSource;

beforeAll(async () => {
  service = await withExtensions(LedgerModule);
  database = service.app.get(DataSource);
});
beforeEach(async () => {
  ledger.inTransaction.mockReset();
  webhook.afterCommit.mockReset();
  validator.faults.mockReset().mockReturnValue([]);
  user = await service.register();
  ({ id: ingredientId } = await createIngredient(user));
  await delivered();
  ledger.inTransaction.mockClear();
  webhook.afterCommit.mockClear();
});
afterAll(async () => {
  await service.close();
  warned.mockRestore();
  logged.mockRestore();
});

const delivered = () => service.app.get(EventDeliveries).delivered();
const waiting = async (where = 'true') =>
  (
    await database.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM event_deliveries WHERE ${where}`)
  )[0]!.n;
/** Deliveries that wait for another try are due. */
const dueNow = () => database.query('UPDATE event_deliveries SET due_at = now()');
const told = (handler: { mock: { calls: [DomainEvent, ...unknown[]][] } }) =>
  handler.mock.calls.map(([{ type, recordId, data }]) => ({ type, recordId, data }));
const formulaOf = (phases: object[]) => ({ name: '乳液', phases });

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown as string;

async function writeEverything() {
  const project = await createProject(user, { name: '系列' });
  await user.put(`/api/projects/${project.id}`, { description: 'x' }).expect(200);
  const formula = await createFormula(user, wholeOf(ingredientId), { name: '乳液', projectId: project.id });
  await user.put(`/api/formulas/${formula.id}`, { name: '面霜' }).expect(200);
  await user.put(`/api/formulas/${formula.id}/composition`, { phases: wholeOf(ingredientId) }).expect(200);
  await user.delete(`/api/formulas/${formula.id}`).expect(204);
  await user.delete(`/api/projects/${project.id}`).expect(204);
  const ingredient = await createIngredient(user, { inciName: 'Squalane' });
  await user.put(`/api/ingredients/${ingredient.id}`, { unitPrice: 3, supplier: 'S' }).expect(200);
  await user.delete(`/api/ingredients/${ingredient.id}`).expect(204);
  const { body } = await user
    .post('/api/color/formulas', { name: '红', targetLab: { L: 50, a: 1, b: 2 } })
    .expect(201);
  const colorId = (body.data as { id: string }).id;
  const accounts = service.app.get(AccountsService);
  await accounts.setRole(user.username, 'admin');
  await accounts.setPassword(user.username, 'secret-2');
  await accounts.disable(user.username);
  await accounts.enable(user.username);
  const of = (recordId: string, type: string, data: object = {}) => ({ type, recordId, data });
  return [
    of(project.id, 'project.created', { name: '系列' }),
    of(project.id, 'project.updated', { changed: ['description'] }),
    of(formula.id, 'formula.created', { name: '乳液', projectId: project.id, versionNumber: 1 }),
    of(formula.id, 'formula.updated', { changed: ['name'] }),
    of(formula.id, 'formula.revised', { versionNumber: 2 }),
    of(formula.id, 'formula.deleted'),
    of(project.id, 'project.deleted'),
    of(ingredient.id, 'ingredient.created', { inciName: 'Squalane' }),
    of(ingredient.id, 'ingredient.updated', { changed: ['supplier', 'unitPrice'] }),
    of(ingredient.id, 'ingredient.deleted'),
    of(colorId, 'color.created', { name: '红' }),
    ...(['role', 'password', 'disabled', 'enabled'] as const).map((change) =>
      of(user.id, 'user.updated', { username: user.username, change }),
    ),
  ];
}

/** A field list is in the order of the class. */
const sorted = (events: { data: object }[]) =>
  events.map(({ data, ...rest }) => ({
    ...rest,
    data: 'changed' in data ? { changed: [...(data.changed as string[])].sort() } : data,
  }));

/** Who calls a service of ours. */
const caller = () => user as unknown as CurrentUser;

describe('Domain events', () => {
  it('tell every kind of write, within its transaction and after the commit', async () => {
    const expected = await writeEverything();
    expect(sorted(told(ledger.inTransaction))).toEqual(expected);
    await delivered();
    expect(sorted(told(webhook.afterCommit))).toEqual(expect.arrayContaining(expected));
    expect(webhook.afterCommit).toHaveBeenCalledTimes(expected.length);
    expect(await waiting()).toBe(0);
    const [first] = ledger.inTransaction.mock.calls[0]!;
    expect(first).toMatchObject({ id: UUID, userId: user.id });
    expect(new Date(first.occurredAt).toISOString()).toBe(first.occurredAt);
    // Both handlers get the same event.
    expect(webhook.afterCommit.mock.calls.map(([{ id }]) => id).sort()).toEqual(
      ledger.inTransaction.mock.calls.map(([{ id }]) => id).sort(),
    );
  });

  it('tell accounts that are registered, with nobody who did it', async () => {
    const { id, username } = await service.register();
    expect(told(ledger.inTransaction)).toEqual([
      { type: 'user.created', recordId: id, data: { username, role: 'engineer' } },
    ]);
    expect(ledger.inTransaction.mock.calls[0]![0].userId).toBeNull();
  });

  it('tell accounts that somebody else vouches for, once', async () => {
    const accounts = service.app.get(AccountsService);
    const username = `oidc-${randomUUID()}`;
    const [made] = await Promise.all([accounts.provision({ username }), accounts.provision({ username })]);
    await accounts.provision({ username });
    expect(told(ledger.inTransaction)).toEqual([
      { type: 'user.created', recordId: made.id, data: { username, role: 'engineer' } },
    ]);
  });

  it('tell nothing of what was refused, is not there or changes nothing', async () => {
    await user.post('/api/formulas', formulaOf(wholeOf(randomUUID()))).expect(400);
    await user.delete(`/api/projects/${randomUUID()}`).expect(404);
    await user.put(`/api/ingredients/${randomUUID()}`, { unitPrice: 1 }).expect(404);
    await user.delete(`/api/ingredients/${randomUUID()}`).expect(404);
    await service.http
      .post('/api/auth/register')
      .send({ username: user.username, password: 'secret' })
      .expect(409);
    await createFormula(user, wholeOf(ingredientId));
    ledger.inTransaction.mockClear();
    await user.delete(`/api/ingredients/${ingredientId}`).expect(409);
    await user.put(`/api/ingredients/${ingredientId}`, {}).expect(200);
    await service.app.get(AccountsService).enable(user.username);
    await service.app.get(AccountsService).setRole(user.username, 'engineer');
    expect(ledger.inTransaction).not.toHaveBeenCalled();
    expect(await waiting(`event ->> 'type' <> 'formula.created'`)).toBe(0);
  });

  it('tell each row of an import', async () => {
    const draft = (line: number, inciName: string, unitPrice: number) => ({
      line,
      inciName,
      functionCategory: 'humectant',
      chineseName: inciName,
      unitPrice,
    });
    const ingredients = service.app.get(IngredientImportService);
    await ingredients.import({ drafts: [draft(2, 'Import A', 1), draft(3, 'Import B', 1)] });
    await ingredients.import({ drafts: [draft(2, 'Import A', 2), draft(3, 'Import B', 1)] });
    const colors = service.app.get(ColorImportService);
    const shade = (L: number) => [{ line: 2, name: '进口', targetLab: { L, a: 0, b: 0 } }];
    await colors.import({ drafts: shade(5), createdBy: user.id });
    await colors.import({ drafts: shade(6), createdBy: user.id });
    const events = told(ledger.inTransaction);
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'ingredient.created', data: { inciName: 'Import A' } },
      { type: 'ingredient.created', data: { inciName: 'Import B' } },
      { type: 'ingredient.updated', data: { changed: ['unitPrice'] } },
      { type: 'color.created', data: { name: '进口' } },
      { type: 'color.updated', data: { changed: expect.arrayContaining(['targetLab']) as unknown } },
    ]);
    expect(events[2]!.recordId).toBe(events[0]!.recordId);
    expect(events[4]!.recordId).toBe(events[3]!.recordId);
    const { body } = await user.get(`/api/ingredients/${events[1]!.recordId}`).expect(200);
    expect(body.data).toMatchObject({ inciName: 'Import B' });
    await delivered();
    expect(webhook.afterCommit).toHaveBeenCalledTimes(5);
  });
});

describe('A handler in the transaction', () => {
  it('refuses the write: its error is the answer, and nothing is written', async () => {
    ledger.inTransaction.mockImplementation(async () => {
      await service.app
        .get(DatabaseService)
        .query({ text: `INSERT INTO projects (name, created_by) SELECT 'audit', id FROM users LIMIT 1` });
      throw new ConflictError('已冻结', { frozen: true });
    });
    const { body } = await user.post('/api/formulas', formulaOf(wholeOf(ingredientId))).expect(409);
    expect(body).toEqual({ error: '已冻结', statusCode: 409, frozen: true });
    expect((await user.get('/api/formulas?search=audit').expect(200)).body.pagination.total).toBe(0);
    expect(await database.query(`SELECT FROM projects WHERE name = 'audit'`)).toEqual([]);
    expect(await database.query('SELECT FROM formulas WHERE created_by = $1', [user.id])).toEqual([]);
    expect(await waiting()).toBe(0);
    await user.put(`/api/ingredients/${ingredientId}`, { unitPrice: 77 }).expect(409);
    const { body: kept } = await user.get(`/api/ingredients/${ingredientId}`).expect(200);
    expect((kept.data as { unitPrice: number }).unitPrice).not.toBe(77);
  });

  it('writes with it, through DatabaseService and TypeORM', async () => {
    ledger.inTransaction.mockImplementation(async ({ recordId }) => {
      await service.app
        .get(DatabaseService)
        .query({ text: 'UPDATE ingredients SET supplier = $2 WHERE id = $1' }, [recordId, 'a']);
      await database.query('UPDATE ingredients SET chinese_name = $2 WHERE id = $1', [recordId, 'b']);
    });
    const { id } = await createIngredient(user);
    const { body } = await user.get(`/api/ingredients/${id}`).expect(200);
    expect(body.data).toMatchObject({ supplier: 'a', chineseName: 'b' });
  });

  it('that asks for another connection is told at once', async () => {
    const refusals: unknown[] = [];
    ledger.inTransaction.mockImplementation(async () => {
      const { master } = database.driver as unknown as { master: { query(text: string): Promise<unknown> } };
      await Promise.resolve()
        .then(() => master.query('SELECT 1'))
        .catch((error: unknown) => refusals.push(error));
    });
    await createIngredient(user);
    expect(refusals).toEqual([
      new Error('Another connection was asked for within a transaction: use DatabaseService'),
    ]);
  });

  it('that never ends is given up: 503, nothing is written, and others go on', async () => {
    ledger.inTransaction.mockReturnValueOnce(new Promise(() => undefined));
    const { body, headers } = await user.post('/api/ingredients', ingredientInput()).expect(503);
    expect(body).toEqual({ error: '数据库繁忙,请重试', statusCode: 503 });
    expect(headers['retry-after']).toBe('1');
    await createIngredient(user);
  }, 20_000);
});

describe('A handler in the transaction that does wrong', () => {
  const onlyLedger = { ...ledger };
  let other: TestApp;
  let account: Account;
  beforeAll(async () => {
    @Module({ providers: [{ provide: EVENT_HANDLER, useValue: onlyLedger }] })
    class OnlyLedgerModule {}
    other = await withExtensions(OnlyLedgerModule);
    account = await other.register();
  });
  afterAll(() => other.close());

  const broken = { text: 'SELECT 1 / 0' };
  const notThere = async (of: TestApp, inciName: string) =>
    expect(
      await of.app.get(DataSource).query('SELECT FROM ingredients WHERE inci_name = $1', [inciName]),
    ).toEqual([]);

  it.each([
    ['with deliveries', () => service, () => user],
    ['without', () => other, () => account],
  ])('and catches an error of the database is named, nothing counts as written (%s)', async (_, of, by) => {
    ledger.inTransaction.mockImplementationOnce(async () => {
      await of()
        .app.get(DatabaseService)
        .query(broken)
        .catch(() => undefined);
    });
    logged.mockClear();
    const input = ingredientInput({ inciName: `Caught ${randomUUID()}` });
    const { body } = await by().post('/api/ingredients', input).expect(500);
    expect(body).toEqual({ error: '服务器内部错误', statusCode: 500 });
    expect(JSON.stringify(logged.mock.calls)).toContain(
      'an error in it was caught, by one of these perhaps: ledger',
    );
    await notThere(of(), input.inciName);
  });

  it('is named in the log with an error of its own that is no answer', async () => {
    ledger.inTransaction.mockImplementationOnce(() => Promise.reject(new Error('printer on fire')));
    logged.mockClear();
    await account.post('/api/ingredients', ingredientInput()).expect(500);
    expect(JSON.stringify(logged.mock.calls)).toMatch(/printer on fire[^}]*EVENT_HANDLER ledger/);
  });

  it('is named where another stumbles over it', async () => {
    const query = () => other.app.get(DatabaseService).query(broken);
    ledger.inTransaction.mockImplementationOnce(async () => {
      await query().catch(() => undefined);
      await query();
    });
    logged.mockClear();
    await account.post('/api/ingredients', ingredientInput()).expect(500);
    expect(JSON.stringify(logged.mock.calls)).toContain('by one of these perhaps: ledger');
  });

  it('and leaves an error of the database uncaught behind: nothing counts as written', async () => {
    ledger.inTransaction.mockImplementationOnce(() => {
      other.app
        .get(DatabaseService)
        .query(broken)
        .catch(() => undefined);
    });
    const input = ingredientInput({ inciName: `Behind ${randomUUID()}` });
    await account.post('/api/ingredients', input).expect(500);
    await notThere(other, input.inciName);
  });

  it('and catches an error of the database within a savepoint, does no harm', async () => {
    ledger.inTransaction.mockImplementationOnce(async ({ recordId }) => {
      const failing = () => other.app.get(DatabaseService).query(broken);
      await other.app
        .get(DataSource)
        .transaction(failing)
        .catch(() => undefined);
      await other.app
        .get(DatabaseService)
        .query({ text: 'UPDATE ingredients SET supplier = $2 WHERE id = $1' }, [recordId, 'a']);
    });
    const { id } = await createIngredient(account);
    const { body } = await account.get(`/api/ingredients/${id}`).expect(200);
    expect(body.data).toMatchObject({ supplier: 'a' });
  });

  const never = new Promise<never>(() => undefined);

  it.each([
    ['never ends', 503, 1, () => never],
    ['vetoes', 409, 2, () => Promise.reject(new ConflictError('x'))],
  ])(
    'and %s with a savepoint open: nothing is written, then or later',
    async (_, status, count, end) => {
      const open = () =>
        new Promise<void>((opened) => {
          void other.app.get(DataSource).transaction(() => {
            opened();
            return never;
          });
        });
      ledger.inTransaction.mockImplementationOnce(async () => {
        await Promise.all(Array.from({ length: count }, open));
        await end();
      });
      const input = ingredientInput({ inciName: `Open ${randomUUID()}` });
      await account.post('/api/ingredients', input).expect(status);
      await notThere(other, input.inciName);
      // On the same connection, where it is the next.
      for (let n = 0; n < 5; n++) await createIngredient(account);
      await notThere(other, input.inciName);
    },
    20_000,
  );

  it('and leaves its manager writing when it vetoes, writes nothing', async () => {
    const name = `left ${randomUUID()}`;
    let left!: Promise<unknown>;
    ledger.inTransaction.mockImplementationOnce(() => {
      left = other.app.get(DatabaseService).orm(async (manager) => {
        await manager.query('SELECT 1');
        await manager.query(`INSERT INTO projects (name, created_by) VALUES ($1, $2)`, [name, account.id]);
      });
      left.catch(() => undefined);
      throw new ConflictError('x');
    });
    await account.post('/api/ingredients', ingredientInput()).expect(409);
    await expect(left).rejects.toThrow('nothing can be asked for in it');
    expect(await other.app.get(DataSource).query('SELECT FROM projects WHERE name = $1', [name])).toEqual([]);
  });

  it('and vetoes while others of a Promise.all are at work, writes nothing', async () => {
    const name = `beside ${randomUUID()}`;
    const insert = `INSERT INTO projects (name, created_by) SELECT '${name}', id FROM users LIMIT 1`;
    let goOn!: () => void;
    const vetoed = new Promise<void>((resolve) => (goOn = resolve));
    const ways = [
      () => service.app.get(DatabaseService).query({ text: insert }),
      () => database.query(insert),
      () => service.app.get(DatabaseService).orm((manager) => manager.query(insert)),
      () => service.app.get(TransactionManager).run(() => database.query(insert)),
    ];
    let left!: Promise<PromiseSettledResult<unknown>[]>;
    ledger.inTransaction.mockImplementationOnce(async () => {
      const writes = ways.map(async (write) => {
        await vetoed;
        // Its transaction is over by then.
        await new Promise((resolve) => setTimeout(resolve, 50));
        await write();
      });
      left = Promise.allSettled(writes);
      await Promise.all([Promise.reject(new ConflictError('x')), ...writes]);
    });
    await user.post('/api/ingredients', ingredientInput()).expect(409);
    goOn();
    for (const one of await left) {
      expect(one).toMatchObject({ reason: { message: expect.stringContaining('nothing can be asked for') } });
    }
    expect(await database.query('SELECT FROM projects WHERE name = $1', [name])).toEqual([]);
    await createIngredient(user);
  });

  it('and writes when it is too late, writes nothing', async () => {
    let goOn!: () => void;
    const refusals: unknown[] = [];
    const name = `late ${randomUUID()}`;
    const insert = `INSERT INTO projects (name, created_by) SELECT '${name}', id FROM users LIMIT 1`;
    let ended!: () => void;
    const end = new Promise<void>((resolve) => (ended = resolve));
    ledger.inTransaction.mockImplementationOnce(async () => {
      await new Promise<void>((resolve) => (goOn = resolve));
      for (const write of [
        () => service.app.get(DatabaseService).query({ text: insert }),
        () => database.query(insert),
        () => service.app.get(TransactionManager).run(() => database.query(insert)),
      ]) {
        await write().catch((error: unknown) => refusals.push(error));
      }
      ended();
    });
    await user.post('/api/ingredients', ingredientInput()).expect(503);
    goOn();
    await end;
    expect(refusals).toHaveLength(3);
    for (const error of refusals) expect(String(error)).toContain('nothing can be asked for in it');
    expect(await database.query('SELECT FROM projects WHERE name = $1', [name])).toEqual([]);
    await createIngredient(user);
  }, 20_000);
});

describe('A handler after the commit', () => {
  it('is called when the outermost transaction is committed, outside of it and of the request', async () => {
    const seen: unknown[] = [];
    webhook.afterCommit.mockImplementation(async ({ recordId }) => {
      const [row] = await database.query<object[]>('SELECT FROM ingredients WHERE id = $1', [recordId]);
      seen.push({ isThere: row !== undefined, user: currentUser() });
    });
    const outer = service.app.get(TransactionManager).run(async () => {
      await service.app.get(IngredientsService).create(caller(), ingredientInput() as CreateIngredientDto);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(seen).toEqual([]);
    });
    await outer;
    await delivered();
    await createIngredient(user);
    await delivered();
    expect(seen).toEqual([
      { isThere: true, user: undefined },
      { isThere: true, user: undefined },
    ]);
    const undone = service.app.get(TransactionManager).run(async () => {
      await service.app.get(IngredientsService).create(caller(), ingredientInput() as CreateIngredientDto);
      throw new Error('after all');
    });
    await expect(undone).rejects.toThrow('after all');
    await delivered();
    expect(seen).toHaveLength(2);
  });

  it('is told of a write before what a handler in the transaction does to the record', async () => {
    ledger.inTransaction.mockImplementationOnce(async ({ recordId }) => {
      await service.app.get(IngredientsService).update(caller(), recordId, { supplier: 'completed' });
    });
    const { id } = await createIngredient(user);
    await delivered();
    expect(told(webhook.afterCommit).map(({ type, recordId }) => [type, recordId])).toEqual([
      ['ingredient.created', id],
      ['ingredient.updated', id],
    ]);
  });

  it('gets the others while one takes long', async () => {
    let end!: () => void;
    webhook.afterCommit.mockReturnValueOnce(new Promise<void>((resolve) => (end = resolve)));
    await createIngredient(user);
    const { id } = await createIngredient(user);
    await user.put(`/api/ingredients/${id}`, { supplier: 'x' }).expect(200);
    for (let look = 0; look < 100 && webhook.afterCommit.mock.calls.length < 3; look++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(webhook.afterCommit).toHaveBeenCalledTimes(3);
    end();
    await delivered();
    expect(await waiting()).toBe(0);
  });

  it('is woken by the write, and by nothing that was undone', async () => {
    const wake = jest.spyOn(service.app.get(EventDeliveries), 'wake');
    await createIngredient(user);
    expect(wake).toHaveBeenCalledTimes(1);
    ledger.inTransaction.mockRejectedValueOnce(new ConflictError('x'));
    await user.post('/api/ingredients', ingredientInput()).expect(409);
    expect(wake).toHaveBeenCalledTimes(1);
    wake.mockRestore();
    await delivered();
    expect(told(webhook.afterCommit)).toHaveLength(1);
  });

  it('that fails is told in the log, without what the event holds', async () => {
    webhook.afterCommit.mockRejectedValueOnce(new Error('hook down'));
    warned.mockClear();
    await createIngredient(user, { inciName: 'Secretum' });
    await delivered();
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({ event: UUID, type: 'ingredient.created', try: 1 }),
      'webhook failed to handle an event',
    );
    expect(JSON.stringify(warned.mock.calls)).not.toContain('Secretum');
    await dueNow();
    await delivered();
  });

  it('gets the events of a record in order, also where one has to be tried again', async () => {
    webhook.afterCommit.mockRejectedValueOnce(new Error('hook down'));
    const formula = await createFormula(user, wholeOf(ingredientId));
    await user.put(`/api/formulas/${formula.id}`, { name: '二' }).expect(200);
    const other = await createFormula(user, wholeOf(ingredientId));
    await delivered();
    // Those of another record do not wait for it.
    expect(told(webhook.afterCommit).map(({ recordId }) => recordId)).toEqual([formula.id, other.id]);
    expect(await waiting()).toBe(2);
    await dueNow();
    await delivered();
    expect(
      told(webhook.afterCommit)
        .slice(2)
        .map(({ type }) => type),
    ).toEqual(['formula.created', 'formula.updated']);
    const ids = webhook.afterCommit.mock.calls.map(([{ id }]) => id);
    expect(ids[2]).toBe(ids[0]);
    expect(await waiting()).toBe(0);
  });

  it('takes no more events than it wants, also where PostgreSQL expects only one', async () => {
    const repository = service.app.get(DeliveriesRepository, { strict: false });
    const add = (count: number) =>
      database.query(`
        INSERT INTO event_deliveries (handler, record_id, event)
        SELECT 'elsewhere', gen_random_uuid(), '{}' FROM generate_series(1, ${count})`);
    await database.query('DELETE FROM event_deliveries');
    await database.query('VACUUM event_deliveries');
    await add(1);
    await database.query('ANALYZE event_deliveries');
    await add(20);
    expect(await repository.take('elsewhere', 2)).toHaveLength(2);
    await database.query('DELETE FROM event_deliveries');
  });

  it('gets one event of each record at a time, however many one has', async () => {
    const repository = service.app.get(DeliveriesRepository, { strict: false });
    const records = Array.from({ length: 3 }, () => randomUUID()).sort();
    const add = (record: string, count: number) =>
      database.query(`
        INSERT INTO event_deliveries (handler, record_id, event)
        SELECT 'elsewhere', '${record}', '{"recordId": "${record}"}' FROM generate_series(1, ${count})`);
    await add(records[1]!, 1100);
    await add(records[0]!, 2);
    await add(records[2]!, 2);
    const take = async (count: number) => {
      const taken = await repository.take('elsewhere', count);
      return taken.map(({ event }) => event.recordId);
    };
    // The oldest first, and no second one of a record before its first is done.
    expect([...(await take(1)), ...(await take(1)), ...(await take(1))]).toEqual([
      records[1],
      records[0],
      records[2],
    ]);
    expect(await take(10)).toEqual([]);
    await database.query('DELETE FROM event_deliveries WHERE tries > 0');
    // All at once, the oldest first.
    expect(await take(10)).toEqual([records[1], records[0], records[2]]);
    await dueNow();
    expect(await take(2)).toEqual([records[1], records[0]]);
    await database.query('DELETE FROM event_deliveries');
  });

  it('gets each event from one instance, however many take at the same moment', async () => {
    await database.query(`
      INSERT INTO event_deliveries (handler, record_id, event)
      SELECT 'elsewhere', gen_random_uuid(), jsonb_build_object('id', n) FROM generate_series(1, 400) n`);
    const takeAll = async () => {
      const repository = new DeliveriesRepository(service.app.get(DatabaseService));
      const ids: unknown[] = [];
      for (let taken; (taken = await repository.take('elsewhere', 10)).length > 0;) {
        ids.push(...taken.map(({ event }) => event.id));
      }
      return ids;
    };
    const ids = (await Promise.all([takeAll(), takeAll(), takeAll()])).flat();
    expect(ids).toHaveLength(400);
    expect(new Set(ids).size).toBe(400);
    await database.query('DELETE FROM event_deliveries');
  });

  it('gets what is due behind a thousand that have to wait', async () => {
    const later = (count: number, due: string) => `
      INSERT INTO event_deliveries (handler, record_id, event, due_at)
      SELECT 'webhook', gen_random_uuid(), '{"type": "formula.created", "id": "${due}"}', now() + interval '${due}'
      FROM generate_series(1, ${count})`;
    await database.query(later(1001, '1 hour'));
    await database.query(later(1, '0 s'));
    await delivered();
    expect(webhook.afterCommit.mock.calls.map(([{ id }]) => id)).toEqual(['0 s']);
    expect(await waiting()).toBe(1001);
    await database.query('DELETE FROM event_deliveries');
  });

  it('waits longer after each failure, 1 to 256 s', async () => {
    webhook.afterCommit.mockRejectedValue(new Error('hook down'));
    await createFormula(user, wholeOf(ingredientId));
    await delivered();
    const waits: number[] = [];
    for (let tries = 1; tries < 10; tries++) {
      const [row] = await database.query<{ tries: number; wait: number }[]>(
        'SELECT tries, extract(epoch FROM due_at - now()) AS wait FROM event_deliveries',
      );
      expect(row!.tries).toBe(tries);
      waits.push(2 ** Math.round(Math.log2(Number(row!.wait))));
      await dueNow();
      await delivered();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
    expect(await waiting('parked AND tries = 10')).toBe(1);
    await database.query('DELETE FROM event_deliveries');
  });

  it('is not asked again after ten tries; health tells it, and later ones of the record go on', async () => {
    const health = async () =>
      (await service.http.get('/api/health').expect(200)).body as { indicators: unknown };
    expect((await health()).indicators).toEqual({ events: 'up' });
    webhook.afterCommit.mockRejectedValue(new Error('hook down'));
    const formula = await createFormula(user, wholeOf(ingredientId));
    await delivered();
    await database.query('UPDATE event_deliveries SET tries = 9, due_at = now()');
    await delivered();
    expect(await waiting('parked')).toBe(1);
    webhook.afterCommit.mockReset();
    await user.put(`/api/formulas/${formula.id}`, { name: '二' }).expect(200);
    await delivered();
    expect(told(webhook.afterCommit).map(({ type }) => type)).toEqual(['formula.updated']);
    expect(await waiting()).toBe(1);
    // An answer of health counts for a second.
    await new Promise((resolve) => {
      setTimeout(resolve, 1100);
    });
    expect((await health()).indicators).toEqual({ events: 'down' });
    await database.query('DELETE FROM event_deliveries');
  });

  it('is not given what another instance is delivering, until its time is over', async () => {
    const formula = await createFormula(user, wholeOf(ingredientId));
    await delivered();
    webhook.afterCommit.mockClear();
    // As another instance leaves it behind that takes it and dies.
    await database.query(
      `INSERT INTO event_deliveries (handler, record_id, event, tries, due_at)
       VALUES ('webhook', $1, $2, 1, now() + interval '60 seconds')`,
      [formula.id, JSON.stringify({ id: 'x', type: 'formula.created', recordId: formula.id, data: {} })],
    );
    await user.put(`/api/formulas/${formula.id}`, { name: '二' }).expect(200);
    await delivered();
    expect(webhook.afterCommit).not.toHaveBeenCalled();
    await dueNow();
    await delivered();
    expect(told(webhook.afterCommit).map(({ type }) => type)).toEqual(['formula.created', 'formula.updated']);
  });

  it('of two instances one gets each event', async () => {
    // Without waking: what two take at the same moment.
    webhook.afterCommit.mockImplementation(() => new Promise((resolve) => setTimeout(resolve, 5)));
    const recordId = randomUUID();
    await database.query(
      `INSERT INTO event_deliveries (handler, record_id, event)
       SELECT 'webhook', CASE WHEN n % 2 = 0 THEN $1::uuid ELSE gen_random_uuid() END,
              jsonb_build_object('id', n::text, 'type', 'formula.updated')
       FROM generate_series(1, 60) n`,
      [recordId],
    );
    const second = new EventDeliveries(
      service.app.get(EventDeliveries)['handlers'],
      service.app.get(EventDeliveries)['deliveries'],
    );
    second.onApplicationBootstrap();
    await Promise.all([delivered(), second.delivered()]);
    for (let look = 0; look < 100 && (await waiting()) > 0; look++) {
      await Promise.all([delivered(), second.delivered()]);
    }
    await second.beforeApplicationShutdown();
    const ids = webhook.afterCommit.mock.calls.map(([{ id }]) => Number(id));
    expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    const ofOne = ids.filter((id) => id % 2 === 0);
    expect(ofOne).toEqual(ofOne.toSorted((a, b) => a - b));
  }, 30_000);
});

describe('A validator', () => {
  it('adds faults in the contract’s format, before anything is written', async () => {
    validator.faults.mockImplementation(() =>
      Promise.resolve([
        { field: 'name', message: '须以项目编号开头' },
        { field: 'phases.0.name', message: '未登记' },
      ]),
    );
    const { body } = await user.post('/api/formulas', formulaOf(wholeOf(ingredientId))).expect(400);
    expect(body).toEqual({ error: 'name: 须以项目编号开头; phases.0.name: 未登记', statusCode: 400 });
    expect(ledger.inTransaction).not.toHaveBeenCalled();
  });

  it('that gives no list, or fails, is named in the log', async () => {
    logged.mockClear();
    validator.faults.mockReturnValueOnce(undefined as never);
    await user.post('/api/projects', { name: 'p' }).expect(500);
    validator.faults.mockImplementationOnce(() => Promise.reject(new Error('list is lost')));
    await user.post('/api/projects', { name: 'p' }).expect(500);
    expect(JSON.stringify(logged.mock.calls)).toMatch(
      /must give a list[^}]*WRITE_VALIDATOR in LedgerModule.*list is lost[^}]*WRITE_VALIDATOR in LedgerModule/,
    );
  });

  it('is asked of every write with an input, with the record and the user', async () => {
    validator.faults.mockReset().mockReturnValue([]);
    await writeEverything();
    const asked = validator.faults.mock.calls.map(([{ type, recordId, user: who }]) => [
      type,
      recordId === undefined ? 'new' : 'there',
      who?.id === user.id,
    ]);
    expect(asked).toEqual([
      ['project.created', 'new', true],
      ['project.updated', 'there', true],
      ['formula.created', 'new', true],
      ['formula.updated', 'there', true],
      ['formula.revised', 'there', true],
      ['ingredient.created', 'new', true],
      ['ingredient.updated', 'there', true],
      ['color.created', 'new', true],
    ]);
    expect(validator.faults.mock.calls[0]![0].input).toMatchObject({ name: '系列' });
  });

  it('refuses each of them', async () => {
    const project = await createProject(user);
    const formula = await createFormula(user, wholeOf(ingredientId));
    validator.faults.mockReturnValue([{ field: 'x', message: 'y' }]);
    const asks = [
      user.post('/api/projects', { name: 'p' }),
      user.put(`/api/projects/${project.id}`, { name: 'p' }),
      user.put(`/api/formulas/${formula.id}`, { name: 'p' }),
      user.put(`/api/formulas/${formula.id}/composition`, { phases: wholeOf(ingredientId) }),
      user.post('/api/ingredients', ingredientInput()),
      user.put(`/api/ingredients/${ingredientId}`, { unitPrice: 1 }),
      user.post('/api/color/formulas', { name: '红', targetLab: { L: 50, a: 1, b: 2 } }),
    ];
    for (const ask of asks) expect((await ask.expect(400)).body).toEqual({ error: 'x: y', statusCode: 400 });
  });
});

describe('Without handlers', () => {
  it('there is no transaction, no delivery and nothing in health', async () => {
    const plain = await bootApp();
    try {
      const query = jest.spyOn(plain.app.get(DatabaseService), 'query');
      const transaction = jest.spyOn(plain.app.get(TransactionManager), 'run');
      const account = await plain.register();
      const { id } = await createIngredient(account);
      await createFormula(account, wholeOf(id));
      expect(transaction).not.toHaveBeenCalled();
      expect(query.mock.calls.filter(([{ name }]) => name?.startsWith('events.'))).toEqual([]);
      expect((await plain.http.get('/api/health').expect(200)).body).not.toHaveProperty('indicators');
    } finally {
      await plain.close();
    }
  });
});
