import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Client, type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src';
import { RuntimeConfiguration } from '../../src/platform/runtime-config/runtime-configuration';
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

/** Instances that poll the configuration. */
const POLLING = `
  SELECT count(*)::int AS count FROM pg_stat_activity
   WHERE datname = $1 AND application_name = 'formula-configuration' AND query LIKE '%runtime_settings%'`;

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
  async function pollers(): Promise<number> {
    const client = new Client(TEST_SERVER);
    await client.connect();
    try {
      const { rows } = await client.query<{ count: number }>(POLLING, [database.name]);
      return rows[0]!.count;
    } finally {
      await client.end();
    }
  }
  const polling = async (count: number) => {
    while ((await pollers()) !== count) await pause(20);
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
    await polling(2);
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

  it('what was changed while its connection was cut or silent is found', async () => {
    const proxy = await startTcpProxy(database.url);
    cleanUps.push(() => proxy.close());
    const one = await instance();
    const other = await instance({ DATABASE_URL: proxy.url });
    await polling(2);
    await onServer(
      TEST_SERVER!,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = '${database.name}' AND application_name = 'formula-configuration'`,
    );
    await one.configure({ key: 'sk-missed' });
    await until(other, 'sk-missed');
    await polling(2);
    // Frozen, not closed: only a timeout can find that out.
    proxy.silence();
    await one.configure({ key: 'sk-frozen' });
    await until(other, 'sk-frozen');
    proxy.cut();
    await one.configure({ key: 'sk-cut' });
    await pause(1500);
    proxy.heal();
    await until(other, 'sk-cut');
    proxy.sever();
  });

  it('connections of the pool that have fallen silent hold up no change', async () => {
    const proxy = await startTcpProxy(database.url);
    cleanUps.push(() => proxy.close());
    const one = await instance();
    const other = await instance({ DATABASE_URL: proxy.url });
    await polling(2);
    const { master: pool } = other.app.app.get(DataSource).driver as unknown as {
      master: Pool;
    };
    const taken = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
    for (const client of taken) client.release();
    proxy.silence();
    await one.configure({ key: 'sk-silent' });
    await until(other, 'sk-silent');
    await one.configure({ key: 'sk-heard' });
    await until(other, 'sk-heard');
    proxy.sever();
  });

  it('what is changed while it stops is heard until its last request is answered', async () => {
    const one = await instance();
    const other = await instance();
    await polling(2);
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

  it('config reseal is heard: none goes on with a key that it can no longer open', async () => {
    const present = randomBytes(32).toString('hex');
    const before = await instance();
    const both = await instance({ JWT_SECRET_PREVIOUS: present });
    await polling(2);
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

  it('a command does not poll', async () => {
    const before = { ...process.env };
    Object.assign(process.env, { NODE_ENV: 'test', JWT_SECRET, DATABASE_URL: database.url });
    let command: INestApplicationContext | undefined;
    try {
      command = await NestFactory.createApplicationContext(AppModule, { logger: false });
      await pause(500);
      expect(await pollers()).toBe(0);
    } finally {
      await command?.close();
      process.env = before;
    }
  });
});
