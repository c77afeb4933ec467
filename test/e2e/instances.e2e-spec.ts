import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Client, type Pool, type PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src';
import { type InstanceConnection } from '../../src/database/instance-connection';
import { Instances } from '../../src/database/instances';
import { RuntimeConfiguration } from '../../src/runtime-config/runtime-configuration';
import { type AiApp, bootAiApp, SECRET_KEY } from '../support/ai-app';
import { cli } from '../support/cli';
import { createMigratedDatabase, onServer, TEST_SERVER, type TestDatabase } from '../support/databases';
import { answers } from '../support/fake-providers';
import { PREDICTION } from '../support/fake-providers/sample-answers';
import { startTcpProxy } from '../support/tcp-proxy';

jest.setTimeout(120_000);

const describeOnServer = TEST_SERVER === undefined ? undefined : describe;
const describeWithout = TEST_SERVER === undefined ? describe : undefined;

describeWithout?.('Instances on one database', () => {
  it('nothing was tried: it takes a server, TEST_DATABASE_URL', () => {
    expect(TEST_SERVER).toBeUndefined();
  });
});

/** Those that have been told that they listen ask whether they still do, or who else is there. */
const LISTENERS = `
  SELECT count(*)::int AS count FROM pg_stat_activity
   WHERE datname = $1 AND application_name = 'formula-instance' AND query LIKE '%SELECT%'`;

const SECOND = /^Another instance serves this database \(1 besides this one\): without REDIS_URL/;

describeOnServer?.('Instances on one database', () => {
  const cleanUps: (() => unknown)[] = [];
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createMigratedDatabase(TEST_SERVER!);
    cleanUps.push(() => database.drop());
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
    jest.restoreAllMocks();
  });

  const JWT_SECRET = randomBytes(32).toString('hex');
  async function instance(settings: Record<string, string> = {}): Promise<AiApp> {
    const started = await bootAiApp('alpha', {
      realTime: true,
      settings: { JWT_SECRET, DATABASE_URL: database.url, ...settings },
    });
    cleanUps.push(() => started.close());
    return started;
  }
  async function listeners(): Promise<number> {
    const client = new Client(TEST_SERVER);
    await client.connect();
    try {
      const { rows } = await client.query<{ count: number }>(LISTENERS, [database.name]);
      return rows[0]!.count;
    } finally {
      await client.end();
    }
  }
  const listening = async (count: number) => {
    while ((await listeners()) !== count) await pause(20);
  };
  const keyOf = async ({ app }: AiApp) =>
    (await app.app.get(RuntimeConfiguration).current()).provider('alpha').key;
  const until = async (one: AiApp, key: string) => {
    const begun = performance.now();
    while ((await keyOf(one)) !== key) await pause(5);
    return performance.now() - begun;
  };

  it('a key that one has revoked is not used by the other, whose answers are forgotten', async () => {
    const one = await instance();
    const other = await instance({ ALPHA_BASE_URL: one.fake.baseUrl });
    one.fake.reset(answers(PREDICTION));
    await listening(2);
    await one.configure({ key: 'sk-first' });
    await until(other, 'sk-first');
    const body = { ingredients: [{ name: '甘油', percentage: 5, category: 'other' }] };
    const predict = () => other.user.post('/api/ai/predict-formula', body).buffer(true).expect(200);
    await predict();
    await predict();
    expect(one.fake.received).toHaveLength(1);
    await one.configure({ key: 'sk-second' });
    await until(other, 'sk-second');
    await predict();
    expect(one.fake.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-first',
      'Bearer sk-second',
    ]);
  });

  it('what was changed while it could not listen is found, and it listens again', async () => {
    const proxy = await startTcpProxy(database.url);
    cleanUps.push(() => proxy.close());
    const one = await instance();
    const other = await instance({ DATABASE_URL: proxy.url });
    await listening(2);
    await onServer(
      TEST_SERVER!,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = '${database.name}' AND application_name = 'formula-instance'`,
    );
    await one.configure({ key: 'sk-missed' });
    await until(other, 'sk-missed');
    await listening(2);
    // Frozen, not closed: only its heartbeat can find that out.
    proxy.silence();
    await one.configure({ key: 'sk-frozen' });
    await until(other, 'sk-frozen');
    await one.configure({ key: 'sk-heard' });
    await until(other, 'sk-heard');
  });

  it('connections of the pool that have fallen silent hold up no change', async () => {
    const proxy = await startTcpProxy(database.url);
    cleanUps.push(() => proxy.close());
    const one = await instance();
    const other = await instance({ DATABASE_URL: proxy.url });
    await listening(2);
    const { master: pool } = other.app.app.get(DataSource).driver as unknown as {
      master: Pool & { _clients: PoolClient[] };
    };
    // Each look takes one of them, and a second to find out.
    const taken = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
    for (const client of taken) client.release();
    const silent = [...pool._clients];
    proxy.silence();
    await one.configure({ key: 'sk-silent' });
    await until(other, 'sk-silent');
    await one.configure({ key: 'sk-heard' });
    await until(other, 'sk-heard');
    // Some are tried while nothing is heard, the others not before they are needed.
    expect(pool._clients.filter((client) => silent.includes(client))).not.toEqual([]);
    proxy.sever();
  });

  it('what is changed while it stops is heard until its last request is answered', async () => {
    const one = await instance();
    const other = await instance();
    await listening(2);
    const { port } = other.app.app.getHttpServer().address() as AddressInfo;
    const request = connect(port, '127.0.0.1');
    cleanUps.push(() => request.destroy());
    // Its body never comes.
    request.write('POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
    await other.app.http.get('/api/ext/live').expect(200);
    const closing = other.app.app.close();
    while (other.app.app.getHttpServer().listening) await pause(5);
    await one.configure({ key: 'sk-late' });
    await until(other, 'sk-late');
    request.destroy();
    await closing;
  });

  it('looks itself while an answer is late, and keeps the connection: the server may be busy', async () => {
    const proxy = await startTcpProxy(database.url);
    cleanUps.push(() => proxy.close());
    const { app } = await instance({ DATABASE_URL: proxy.url });
    await listening(1);
    const connection = app.app.get<{ connection: InstanceConnection }>(Instances).connection;
    while (!connection.isListening) await pause(5);
    const clientOf = (one: InstanceConnection) => (one as unknown as { client: unknown }).client;
    const client = clientOf(connection);
    proxy.silence();
    while (connection.isListening) await pause(5);
    expect(client).toBeDefined();
    expect(clientOf(connection)).toBe(client);
    // Another one is made beside it, and takes its place.
    while (clientOf(connection) === client || !connection.isListening) await pause(5);
  });

  it('a connection that hangs while it is made holds up no other, and all but one end', async () => {
    const proxy = await startTcpProxy(database.url);
    cleanUps.push(() => proxy.close());
    const one = await instance();
    const other = await instance({ DATABASE_URL: proxy.url });
    await listening(2);
    const { connection } = other.app.app.get<{
      connection: { attempts: ReadonlySet<unknown>; isListening: boolean };
    }>(Instances);
    proxy.cut();
    await one.configure({ key: 'sk-cut' });
    while (connection.attempts.size < 2) await pause(5);
    proxy.heal();
    await until(other, 'sk-cut');
    while (!connection.isListening) await pause(5);
    expect(connection.attempts.size).toBe(0);
    proxy.sever();
  });

  it('config reseal is heard: none goes on with a key that it can no longer open', async () => {
    const present = randomBytes(32).toString('hex');
    const before = await instance();
    const both = await instance({ JWT_SECRET_PREVIOUS: present });
    await listening(2);
    await before.configure({ key: 'sk-stored' });
    await until(both, 'sk-stored');
    const variables = { ...process.env };
    const secrets = { JWT_SECRET: present, JWT_SECRET_PREVIOUS: JWT_SECRET };
    Object.assign(process.env, { NODE_ENV: 'test', DATABASE_URL: database.url, ...secrets });
    try {
      expect((await cli(['config', 'reseal'])).stdout).toContain('1 sealed anew (alphaKey)');
    } finally {
      process.env = variables;
    }
    await until(before, SECRET_KEY);
    expect(await keyOf(both)).toBe('sk-stored');
  });

  it('the second one says so, the first one and a command do not', async () => {
    const warned = (one: AiApp) => one.logged.filter(({ text }) => SECOND.test(text)).length;
    const one = await instance();
    await listening(1);
    await pause(200);
    expect(warned(one)).toBe(0);
    // What is logged in this process goes to the last.
    const other = await instance();
    while (warned(other) === 0) await pause(20);
    await pause(200);
    expect(warned(other)).toBe(1);
    expect(warned(one)).toBe(0);
  });

  it('a command is no instance', async () => {
    const before = { ...process.env };
    Object.assign(process.env, { NODE_ENV: 'test', JWT_SECRET, DATABASE_URL: database.url });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    let command: INestApplicationContext | undefined;
    try {
      command = await NestFactory.createApplicationContext(AppModule, { logger: false });
      await pause(500);
      expect(await listeners()).toBe(0);
      expect(warn.mock.calls.filter(([text]) => SECOND.test(String(text)))).toEqual([]);
    } finally {
      await command?.close();
      process.env = before;
    }
  });
});
