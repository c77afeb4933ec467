import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get, Logger, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module';
import { EnvironmentError } from '../../src/platform/config/environment';
import { DatabaseService } from '../../src/platform/database/database.service';
import { TransactionManager } from '../../src/platform/database/transaction-manager';
import { Public } from '../../src/index';
import { NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { TEST_SERVER } from '../support/databases';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** What begins and ends while a client goes away. */
class Sleeping {
  begin!: () => void;
  end!: () => void;
  readonly begun = new Promise<void>((resolve) => (this.begin = resolve));
  readonly ended = new Promise<void>((resolve) => (this.end = resolve));
}
const sleeping = new Sleeping();

@Public()
@Controller('ext/sleep')
class SleepController {
  constructor(private readonly database: DatabaseService) {}

  @Get()
  async sleep(): Promise<void> {
    sleeping.begin();
    await this.database.query({ text: 'SELECT pg_sleep(20)' }).finally(sleeping.end);
  }
}

@Module({ controllers: [SleepController] })
class SleepModule {}

describe('Metrics', () => {
  let port: number;
  let service: TestApp;
  let user: Account;

  beforeAll(async () => {
    port = await freePort();
    service = await bootApp({
      settings: { METRICS_PORT: String(port), METRICS_HOST: '127.0.0.1', HOST: '0.0.0.0' },
      module: { imports: [AppModule.register({ extensions: [SleepModule] })] },
    });
    user = await service.register();
  });
  afterAll(() => service.close());

  const ask = (path = '/metrics', init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const text = async () => (await ask()).text();
  /** The value of a series; undefined where there is none. */
  const value = async (series: string) => {
    const line = (await text()).split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  };

  it('are given to GET /metrics and to nothing else', async () => {
    const { status, headers } = await ask();
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    expect((await ask('/')).status).toBe(404);
    expect((await ask('/api/health')).status).toBe(404);
    expect((await ask('/metrics', { method: 'POST', body: 'x' })).status).toBe(405);
    await service.http.get('/metrics').expect(404);
  });

  it('count answers by the pattern of the route, never by the path', async () => {
    await user.get(`/api/formulas/${NOWHERE}?search=secret`).expect(404);
    await service.http.get('/hunter2').expect(404);
    await service.http.get('/hunter3').expect(404);
    const count = (labels: string) => value(`formula_http_request_duration_seconds_count{${labels}}`);
    expect(await count('method="GET",route="/api/formulas/:id",status="404"')).toBe(1);
    expect(await count('method="GET",route="none",status="404"')).toBe(3);
    const all = await text();
    for (const word of ['hunter', 'secret', NOWHERE, user.id]) expect(all).not.toContain(word);
  });

  it('count what Node cannot read', async () => {
    const socket = connect((service.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    socket.write('no HTTP\r\n\r\n');
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    const series =
      'formula_http_request_duration_seconds_count{method="none",route="unreadable",status="400"}';
    expect(await value(series)).toBe(1);
  });

  it('count AI calls with their outcome, and hold queues at nothing while nobody waits', async () => {
    await user
      .post('/api/ai/predict-formula', {
        ingredients: [{ name: 'Aqua', percentage: 100, category: 'other' }],
      })
      .expect(200);
    const all = await text();
    expect(all).toMatch(
      /^formula_ai_calls_total\{capability="[^"]+",provider="mock",outcome="answered"\} 1$/m,
    );
    for (const [, waiting] of all.matchAll(/^formula_queue_length\{.*\} (.*)$/gm)) expect(waiting).toBe('0');
    expect(await value('formula_events{state="dead_lettered"}')).toBe(0);
    expect(await value('formula_database_up')).toBe(1);
    // There is none of what is not used.
    expect(all).not.toContain('formula_redis');
  });

  const onServer = TEST_SERVER ? it : it.skip;
  onServer('count statements that are cut', async () => {
    const database = service.app.get(DatabaseService);
    const cut = service.app.get(TransactionManager).run(async () => {
      await database.query({ text: "SET LOCAL statement_timeout = '20ms'" });
      await database.query({ text: 'SELECT pg_sleep(5)' });
    });
    await expect(cut).rejects.toThrow();
    expect(await value('formula_database_cut_statements_total{reason="timeout"}')).toBe(1);
    expect(await value('formula_database_connections_max')).toBe(20);
  });

  const cuts = (reason: string) => value(`formula_database_cut_statements_total{reason="${reason}"}`);

  onServer('count who waited for a lock for too long, once', async () => {
    const database = service.app.get(DatabaseService);
    const holder = service.app.get(DataSource).createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
    const waiting = service.app.get(TransactionManager).run(async () => {
      await database.query({ text: "SET LOCAL lock_timeout = '50ms'" });
      await database.query({ text: 'SELECT count(*) FROM projects' });
    });
    await expect(waiting).rejects.toThrow();
    await holder.rollbackTransaction();
    await holder.release();
    expect(await cuts('lock')).toBe(1);
  });

  onServer('count the end of a transaction that asked nothing for too long', async () => {
    const database = service.app.get(DatabaseService);
    const idle = service.app.get(TransactionManager).run(async () => {
      await database.query({ text: "SET LOCAL idle_in_transaction_session_timeout = '50ms'" });
      await new Promise((resolve) => setTimeout(resolve, 500));
      await database.query({ text: 'SELECT 1' });
    });
    await expect(idle).rejects.toThrow();
    expect(await cuts('idle')).toBe(1);
  });

  onServer('count a statement that is not answered in its time', async () => {
    const silent = service.app.get(DatabaseService).query({ text: 'SELECT pg_sleep(2)', timeoutMs: 100 });
    await expect(silent).rejects.toThrow();
    expect(await cuts('silent')).toBe(1);
  });

  onServer('count a statement whose client had gone', async () => {
    const slow = connect((service.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    slow.write(`GET /api/ext/sleep HTTP/1.1\r\nHost: x\r\n\r\n`);
    await sleeping.begun;
    // By then the server has begun with it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    slow.destroy();
    await sleeping.ended;
    expect(await cuts('cancelled')).toBe(1);
    expect(await value('formula_http_cut_answers_total{route="/api/ext/sleep"}')).toBe(1);
    const gone =
      'formula_http_request_duration_seconds_count{method="GET",route="/api/ext/sleep",status="499"}';
    expect(await value(gone)).toBe(1);
  });

  it('tell how many requests have no answer yet', async () => {
    const before = await value('formula_http_requests_in_progress');
    const open = connect((service.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    open.write('POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
    open.write('Content-Length: 100\r\n\r\n{');
    while ((await value('formula_http_requests_in_progress')) === before) await pause(10);
    expect(await value('formula_http_requests_in_progress')).toBe(before! + 1);
    open.destroy();
    while ((await value('formula_http_requests_in_progress')) !== before) await pause(10);
  });

  it('refuse a start where their port is taken', async () => {
    const start = bootApp({ settings: { METRICS_PORT: String(port), HOST: '127.0.0.1' } });
    await expect(start).rejects.toThrow(EnvironmentError);
    await expect(start).rejects.toThrow(`METRICS_PORT ${port} cannot be listened on: another program uses`);
  });
});

describe('The access log', () => {
  const lines: Record<string, unknown>[] = [];
  let service: TestApp;

  const boot = async (share: string) => {
    service = await bootApp({ settings: { ACCESS_LOG: share }, module: { imports: [AppModule] } });
    lines.splice(0);
    jest.spyOn(Logger.prototype, 'log').mockImplementation((line: unknown) => {
      if (typeof line === 'object' && line !== null && 'route' in line) lines.push({ ...line });
    });
  };
  const seen = async (count: number) => {
    while (lines.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    return lines;
  };
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  it('has a line for every answer: id, user, route, status, duration, bytes', async () => {
    await boot('on');
    const user = await service.register();
    lines.splice(0);
    await user.get('/api/projects?search=secret').set('X-Request-Id', 'mine').expect(200);
    await service.http.get('/hunter2').expect(404);
    const socket = connect((service.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.write('no HTTP\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    const [listed, unknown, unreadable] = await seen(3);
    const measured = { ms: expect.any(Number), bytes: expect.any(Number) };
    expect(listed).toEqual({
      requestId: 'mine',
      user: user.id,
      method: 'GET',
      route: '/api/projects',
      status: 200,
      ...measured,
    });
    expect(Number(listed!.bytes)).toBeGreaterThan(100);
    expect(unknown).toMatchObject({ user: null, route: 'none', status: 404 });
    expect(unreadable).toMatchObject({ route: 'unreadable', status: 400, bytes: Buffer.byteLength(answer) });
    expect(answer).toContain(`X-Request-Id: ${String(unreadable!.requestId)}`);
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|secret/);
  });

  it('has a line for an answer whose client has gone', async () => {
    await boot('on');
    const socket = connect((service.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 100\r\n\r\n{');
    // By then it waits for the rest of the body.
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.destroy();
    expect((await seen(1))[0]).toMatchObject({ route: '/api/auth/login', status: 499, cut: true });
  });

  it('sampled leaves answers out, errors never', async () => {
    await boot('0.000001');
    await service.http.get('/api/health').expect(200);
    await service.http.get('/api/projects').expect(401);
    expect(await seen(1)).toMatchObject([{ route: '/api/projects', status: 401 }]);
  });

  it('is off unless it is set', async () => {
    await boot('off');
    await service.http.get('/api/projects').expect(401);
    expect(lines).toEqual([]);
  });
});
