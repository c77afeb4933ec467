import { randomUUID } from 'node:crypto';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Client, type QueryConfig } from 'pg';
import type supertest from 'supertest';
import { DataSource } from 'typeorm';
import { runInRequest } from '../../src/platform/common/request-context';
import { DatabaseService } from '../../src/platform/database/database.service';
import { TransactionManager } from '../../src/platform/database/transaction-manager';
import { ProjectEntity } from '../../src/projects/project.entity';
import { bootApp, type TestApp } from '../support/app';
import { expectError } from '../support/answers';
import { createMigratedDatabase, TEST_SERVER } from '../support/databases';
import { startTcpProxy } from '../support/tcp-proxy';

const BUSY = '数据库繁忙,请重试';
const OUT_OF_REACH = '数据库不可用';

// Limits of whole seconds are waited for, and the machine may be busy.
jest.setTimeout(120_000);

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(settings: Record<string, string> = {}) {
  const service = await bootApp({ settings: { DATABASE_POOL_SIZE: '4', ...settings } });
  cleanUps.push(() => service.close());
  return {
    service,
    user: await service.register(),
    database: service.app.get(DatabaseService),
    transactions: service.app.get(TransactionManager),
  };
}

describe('A repository of TypeORM inside a transaction', () => {
  const undone = new Error('undone');

  it('belongs to it: what it wrote is undone with it, and other requests go on', async () => {
    const { service, user, database, transactions } = await start();
    const dataSource = service.app.get(DataSource);
    const projects = dataSource.getRepository(ProjectEntity);
    const project = () => ({ name: `p-${randomUUID()}`, createdBy: user.id });

    const work = transactions.run(async () => {
      await projects.save(project());
      await dataSource.transaction((manager) => manager.save(ProjectEntity, project()));
      expect(await projects.count()).toBe(2);
      const [row] = await database.query<{ count: number }>({ text: 'SELECT count(*) FROM projects' });
      expect(row?.count).toBe(2);
      throw undone;
    });
    await expect(work).rejects.toBe(undone);
    expect(await projects.count()).toBe(0);

    await transactions.run(() => projects.save(project()));
    expect(await projects.count()).toBe(1);
    await user.get('/api/projects').expect(200);
  });

  it('asks for itself again when the transaction is over', async () => {
    const { service, user, transactions } = await start();
    const projects = service.app.get(DataSource).getRepository(ProjectEntity);
    let later!: () => void;
    const over = new Promise<void>((resolve) => (later = resolve));
    let leftBehind!: Promise<unknown>;
    await transactions.run(async () => {
      await projects.save({ name: 'inside', createdBy: user.id });
      leftBehind = over.then(() => projects.save({ name: 'after', createdBy: user.id }));
    });
    later();
    await leftBehind;
    expect(await projects.count()).toBe(2);
  });
});

const describeOnServer = TEST_SERVER ? describe : undefined;

describeOnServer?.('On a server', () => {
  it('a session neither compiles statements nor has parallel workers, and its isolation is known', async () => {
    const { database } = await start();
    const text = `SELECT current_setting('jit') AS jit, current_setting('max_parallel_workers_per_gather') AS workers,
                         current_setting('default_transaction_isolation') AS isolation`;
    expect(await database.query({ text })).toEqual([
      { jit: 'off', workers: '0', isolation: 'read committed' },
    ]);
  });

  async function nameOf(service: TestApp): Promise<string> {
    const [row] = await service.app
      .get(DataSource)
      .query<{ name: string }[]>('SELECT current_database() AS name');
    return row!.name;
  }

  /** Another session of a database, which may hold locks. */
  async function sessionBeside(database: string): Promise<Client> {
    const url = new URL(TEST_SERVER!);
    url.pathname = `/${database}`;
    const client = new Client({ connectionString: url.toString(), application_name: 'somebody-else' });
    client.on('error', () => undefined);
    await client.connect();
    cleanUps.push(() => client.end());
    return client;
  }

  it('every connection has the limits of the settings', async () => {
    const { database } = await start({ DATABASE_STATEMENT_TIMEOUT: '7', DATABASE_LOCK_TIMEOUT: '2' });
    const names = ['statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout'];
    const text = `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}, pg_sleep(0.1)`;
    const all = await Promise.all([1, 2, 3].map(() => database.query<Record<string, string>>({ text })));
    for (const [row] of all) {
      expect(names.map((name) => row?.[name])).toEqual(['7s', '7s', '2s']);
    }
  });

  it('a locked table stops what needs it with 503, and nothing else', async () => {
    const { service, user } = await start({ DATABASE_POOL_SIZE: '20', DATABASE_LOCK_TIMEOUT: '1' });
    const locker = await sessionBeside(await nameOf(service));
    await locker.query('BEGIN; LOCK TABLE formulas');

    const asked: Promise<void>[] = [];
    const ask = () => asked.push(user.get('/api/formulas').then((answer) => expectError(answer, 503, BUSY)));
    for (let count = 0; count < 20; count += 1) ask();
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 10; count += 1) ask();
      await user.get('/api/auth/me').expect(200);
      await user.get('/api/ingredients').expect(200);
      await service.http.get('/api/health').expect(200);
    }
    await Promise.all(asked);

    await locker.query('ROLLBACK');
    await user.get('/api/formulas').expect(200);
    await Promise.all(Array.from({ length: 20 }, () => user.get('/api/formulas').expect(200)));
  });

  describe('when a client goes away', () => {
    // Lists and searches of the catalogue have connections of their own.
    const PATIENT = {
      DATABASE_POOL_SIZE: '8',
      DATABASE_LOCK_TIMEOUT: '100',
      DATABASE_STATEMENT_TIMEOUT: '100',
    };

    /** Waits until so many statements wait for a lock. */
    async function waitingStatements(watcher: Client, expected: number): Promise<void> {
      const text = `SELECT count(*)::int AS waiting FROM pg_stat_activity
                     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%embedding%'`;
      for (;;) {
        const { rows } = await watcher.query<{ waiting: number }>(text);
        if (rows[0]?.waiting === expected) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }

    /** Sends a request whose client may leave. */
    function sent(request: supertest.Test) {
      const answer = request.then(
        ({ status }) => status,
        () => undefined,
      );
      return { answer, leave: () => request.abort() };
    }

    /** Work of a request whose client may leave. */
    function asked<T>(work: () => Promise<T>) {
      const response = new ServerResponse({ socket: new Socket() } as IncomingMessage);
      response.assignSocket(new Socket());
      let answer!: Promise<T>;
      runInRequest('request', response, () => void (answer = work()));
      return { answer, leave: () => void response.emit('close') };
    }

    async function lockedService(settings = {}) {
      const { service, user } = await start({ ...PATIENT, ...settings });
      const [locker, watcher] = [
        await sessionBeside(await nameOf(service)),
        await sessionBeside(await nameOf(service)),
      ];
      await locker.query('BEGIN; LOCK TABLE ingredients');
      return { service, user, locker, watcher };
    }

    it('what it reads is cancelled, and its connections serve others', async () => {
      const { user, locker, watcher } = await lockedService();
      const paths = ['/api/ingredients', '/api/ingredients?search=aqua'];
      const requests = paths.map((path) => sent(user.get(path)));
      await waitingStatements(watcher, 2);
      for (const request of requests) request.leave();
      await waitingStatements(watcher, 0);
      await locker.query('ROLLBACK');
      await Promise.all(Array.from({ length: 8 }, () => user.get(paths[0]!).expect(200)));
    });

    it('what has no connection yet is not asked any more', async () => {
      const { user, locker, watcher } = await lockedService({ DATABASE_POOL_SIZE: '1' });
      const first = sent(user.get('/api/ingredients'));
      await waitingStatements(watcher, 1);
      const others = Array.from({ length: 3 }, () => sent(user.get('/api/ingredients')));
      await new Promise((resolve) => setTimeout(resolve, 300));
      for (const other of others) other.leave();
      await new Promise((resolve) => setTimeout(resolve, 300));
      const run = jest.spyOn(Client.prototype, 'query');
      await locker.query('ROLLBACK');
      expect(await first.answer).toBe(200);
      await user.get('/api/auth/me').expect(200);
      const names = run.mock.calls.map(([query]) => (query as unknown as QueryConfig).name);
      run.mockRestore();
      expect(names.filter((name) => name !== undefined)).toEqual(['users.current']);
    });

    it('what it writes is not', async () => {
      const { user, locker, watcher } = await lockedService();
      const creation = sent(
        user.post('/api/ingredients', {
          inciName: 'Aqua',
          chineseName: '水',
          functionCategory: 'other',
          unit: 'g',
        }),
      );
      await waitingStatements(watcher, 1);
      creation.leave();
      // Longer than what reads is given to end by itself.
      await new Promise((resolve) => setTimeout(resolve, 500));
      await locker.query('ROLLBACK');
      // It has its lock a moment before it is committed.
      let created: number;
      do {
        const { body } = await user.get('/api/ingredients?search=Aqua').expect(200);
        created = (body as { pagination: { total: number } }).pagination.total;
      } while (created === 0);
      expect(created).toBe(1);
    });

    it('nor what others wait for, too', async () => {
      const { service, locker, watcher } = await lockedService();
      const database = service.app.get(DatabaseService);
      const read = {
        name: 'ingredients.any',
        text: 'SELECT id FROM ingredients WHERE id = ANY ($1::uuid[])',
      };
      const requests = [1, 2].map(() => asked(() => database.findById(read, randomUUID())));
      await waitingStatements(watcher, 1);
      for (const { leave } of requests) leave();
      await new Promise((resolve) => setTimeout(resolve, 500));
      await locker.query('ROLLBACK');
      expect(await Promise.all(requests.map(({ answer }) => answer))).toEqual([undefined, undefined]);
    });
  });

  it('a statement that runs for too long is cut: 503, and the connection is good for the next', async () => {
    const { database, user } = await start({ DATABASE_STATEMENT_TIMEOUT: '1', DATABASE_POOL_SIZE: '1' });
    await expect(database.query({ text: 'SELECT pg_sleep(60)' })).rejects.toMatchObject({
      status: 503,
      message: BUSY,
    });
    await user.get('/api/projects').expect(200);
  });

  it('a transaction that is idle for too long is ended: 503 for what comes after in it', async () => {
    const { database, transactions, user } = await start({ DATABASE_STATEMENT_TIMEOUT: '1' });
    for (const next of [
      () => database.query({ text: 'SELECT 1' }),
      () => database.orm((manager) => manager.query('SELECT 1')),
    ]) {
      const work = transactions.run(async () => {
        await database.query({ text: 'SELECT 1' });
        await new Promise((resolve) => setTimeout(resolve, 1500));
        await next();
      });
      await expect(work).rejects.toMatchObject({ status: 503 });
    }
    await user.get('/api/projects').expect(200);
  });

  it('connections whose other side has fallen silent are given up, and new ones serve', async () => {
    const database = await createMigratedDatabase(TEST_SERVER!);
    cleanUps.push(() => database.drop());
    const proxy = await startTcpProxy(database.url);
    cleanUps.push(() => proxy.close());
    const { user } = await start({
      DATABASE_URL: proxy.url,
      DATABASE_POOL_SIZE: '10',
      DATABASE_STATEMENT_TIMEOUT: '1',
    });
    const ask = () => Promise.all(Array.from({ length: 10 }, () => user.get('/api/projects')));
    for (const answer of await ask()) expect(answer.status).toBe(200);

    proxy.silence();
    // The user of each is read first, those of one turn in one statement: not every request meets a silence.
    const cut = await ask();
    expect(cut.map(({ body }) => body.error)).toContain(OUT_OF_REACH);
    // Those that waited for their turn too long are told so.
    for (const answer of cut.filter(({ status, body }) => status !== 200 && body.error !== BUSY)) {
      expectError(answer, 503, OUT_OF_REACH);
    }
    // Each connection that was open is given up once.
    for (let round = 0; round < 3; round += 1) await ask();
    for (const answer of await ask()) expect(answer.status).toBe(200);
  });

  it('a request waits for a connection for so long and no longer', async () => {
    const { database, user } = await start({ DATABASE_POOL_SIZE: '1' });
    const holding = database.query({ text: 'SELECT pg_sleep(8)' });
    expectError(await user.get('/api/projects'), 503, OUT_OF_REACH);
    await holding;
    await user.get('/api/projects').expect(200);
  });

  it('an import takes its time, and its limits are gone with it', async () => {
    const { database, transactions } = await start({
      DATABASE_STATEMENT_TIMEOUT: '1',
      DATABASE_POOL_SIZE: '1',
    });
    const long = transactions.runLong(async () => {
      // Beyond the server's limit, and ours.
      await database.query({ text: 'SELECT pg_sleep(5)' });
      return database.query({ text: `SELECT current_setting('lock_timeout') AS lock` });
    });
    expect(await long).toEqual([{ lock: '1min' }]);
    await expect(database.query({ text: 'SELECT pg_sleep(60)' })).rejects.toMatchObject({ message: BUSY });
    expect(await database.query({ text: `SELECT current_setting('lock_timeout') AS lock` })).toEqual([
      { lock: '3s' },
    ]);
  });

  it('the application’s own connections are none of the set-up’s', async () => {
    const { service } = await start();
    const rows = await service.app
      .get(DataSource)
      .query<{ name: string }[]>(
        `SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database()`,
      );
    // The one that polls the configuration may be there already.
    const others = (rows as { name: string }[]).filter(({ name }) => name !== 'formula-configuration');
    expect(others).toEqual([{ name: 'formula-development-service' }]);
  });
});
