import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { Redis } from '../../src/platform/redis/redis.module';
import { Metrics } from '../../src/platform/observability/metrics';
import { type AiApp, bootAiApp } from '../support/ai-app';
import { answers } from '../support/fake-providers';
import { PREDICTION } from '../support/fake-providers/sample-answers';
import { REDIS, RunningRedis } from '../support/redis';

jest.setTimeout(120_000);

const JWT_SECRET = randomBytes(32).toString('hex');
const PASSWORD = 'redis-password-7';
const LIMIT = 30;

const describeWith = REDIS === undefined ? undefined : describe;
const describeWithout = REDIS === undefined ? describe : undefined;

describeWithout?.('Instances with REDIS_URL', () => {
  it('nothing was tried: it takes an installed Redis, which CI has', () => {
    expect(process.env.CI).toBeUndefined();
  });
});

let prompts = 0;
const newLines = () => ({ ingredients: [{ name: `共享${++prompts}`, percentage: 5, category: 'other' }] });
const predict = ({ user }: AiApp, body: object) => user.post('/api/ai/predict-formula', body).buffer(true);

/** Of so many requests at once, each by the next instance: how many were admitted; none has another fault. */
async function admittedOf(count: number, instances: readonly AiApp[]): Promise<number> {
  const asked = Array.from({ length: count }, (_, at) =>
    instances[at % instances.length]!.app.http.get('/api/health'),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 200).length;
}

describeWith?.('Instances with REDIS_URL', () => {
  let redis: RunningRedis;
  let instances: AiApp[];
  let client: ReturnType<typeof createClient>;
  const [first, second] = [() => instances[0]!, () => instances[1]!];

  async function start(settings: Record<string, string> = {}): Promise<void> {
    const shared = {
      JWT_SECRET,
      REDIS_URL: redis.url,
      TRUST_PROXY: 'loopback',
      METRICS_PORT: '0',
      ...settings,
    };
    const one = await bootAiApp('alpha', { realTime: true, settings: shared });
    const more = { ...shared, ALPHA_BASE_URL: one.fake.baseUrl };
    instances = [one, await bootAiApp('alpha', { realTime: true, settings: more })];
    one.fake.reset(answers(PREDICTION));
  }
  // What is logged in this process goes to the last.
  const logged = (text: RegExp) => second().logged.filter((line) => text.test(line.text)).length;

  beforeEach(async () => {
    redis = await RunningRedis.start(PASSWORD);
    instances = [];
    client = createClient({ url: redis.url });
    client.on('error', () => undefined);
    await client.connect();
  });
  afterEach(async () => {
    client.destroy();
    for (const instance of instances.reverse()) await instance.close();
    await redis.stop();
  });

  it('share the request limit, by keys that show nobody and end', async () => {
    await start({ THROTTLE_LIMIT: String(LIMIT) });
    const before = await first().app.http.get('/api/health').set('X-Forwarded-For', '192.0.2.7').expect(200);
    expect(before.headers['x-ratelimit-remaining']).toBe(String(LIMIT - 1));
    const other = await second().app.http.get('/api/health').set('X-Forwarded-For', '192.0.2.7').expect(200);
    expect(other.headers['x-ratelimit-remaining']).toBe(String(LIMIT - 2));
    // What each has spent to make its account is the same client's.
    expect(await admittedOf(3 * LIMIT, instances)).toBe(LIMIT - 2);
    const keys = await client.keys('*');
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key).toMatch(/^formula:[0-9a-f]{16}:requests:[0-9a-f]{64}$/);
      expect(await client.pTTL(key)).toBeGreaterThan(0);
    }
  });

  it('share the failed logins of an account from one address', async () => {
    await start();
    const guess = (at: number) =>
      instances[at % 2]!.app.http.post('/api/auth/login').send({
        username: 'nobody',
        password: `guess-${at}`,
      });
    const statuses: number[] = [];
    // Few at once: the delays of an account that is guessed at are each instance's own.
    for (let at = 0; at < 12; at += 4) {
      const answered = await Promise.all([0, 1, 2, 3].map((more) => guess(at + more)));
      statuses.push(...answered.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  it('ask providers ten times in any sliding second, together', async () => {
    await start();
    const [{ fake }] = instances as [AiApp];
    // What is made once, clients and connections, takes longer than a trip.
    for (const instance of instances) await predict(instance, newLines()).expect(200);
    await pause(1400);
    fake.reset(answers(PREDICTION));
    await Promise.all(
      Array.from({ length: 24 }, (_, at) => predict(instances[at % 2]!, newLines()).expect(200)),
    );
    const times = fake.received.map(({ at }) => at).sort((a, b) => a - b);
    expect(times).toHaveLength(24);
    for (const [index, at] of times.entries()) {
      const eleventh = times[index + 10];
      if (eleventh !== undefined) expect(eleventh - at).toBeGreaterThanOrEqual(1000);
    }
  });

  it('keep AI answers together, of which there are 200 at most, the least recently used one gone first', async () => {
    await start({ AI_CACHE_TTL: '600' });
    const [{ fake }] = instances as [AiApp];
    const [oldest, used, newest] = [newLines(), newLines(), newLines()];
    await predict(first(), oldest).expect(200);
    await predict(first(), used).expect(200);
    await predict(second(), used).expect(200);
    expect(fake.received).toHaveLength(2);
    const [list] = await client.keys('*:answers');
    const kept = await client.keys('*:answer:*');
    expect(kept).toHaveLength(2);
    // 198 of others, between the two by their last use.
    const [low, high] = (await client.zRangeWithScores(list!, 0, -1)).map(({ score }) => score);
    for (let at = 0; at < 198; at += 1) {
      const value = list!.replace(/answers$/, `answer:other-${at}`);
      await client.set(value, 'x', { expiration: { type: 'EX', value: 600 } });
      await client.zAdd(list!, { score: low! + ((high! - low!) * (at + 1)) / 200, value });
    }
    await predict(second(), newest).expect(200);
    expect(await client.keys('*:answer:*')).toHaveLength(200);
    expect(fake.received).toHaveLength(3);
    await predict(first(), used).expect(200);
    expect(fake.received).toHaveLength(3);
    await predict(second(), oldest).expect(200);
    expect(fake.received).toHaveLength(4);
    expect(await client.keys('*:answer:*')).toHaveLength(200);
  });

  /** What an instance tells whoever measures. */
  async function measured({ app }: AiApp) {
    const text = await app.app.get(Metrics).registry!.metrics();
    const value = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    return { up: value('formula_redis_up'), failures: value('formula_redis_failures_total') };
  }

  it('stay up when Redis goes away, with their own limits and one warning, and come back', async () => {
    await start({ THROTTLE_LIMIT: String(LIMIT) });
    expect(await measured(first())).toEqual({ up: 1, failures: 0 });
    await redis.stop();
    // Known before anybody asks.
    while ((await measured(first())).up === 1) await pause(10);
    expect(await measured(first())).toEqual({ up: 0, failures: 0 });
    // Each instance has counted the registration of its account as well.
    expect(await admittedOf(3 * LIMIT, instances)).toBe(2 * (LIMIT - 1));
    const mine = newLines();
    await predict(first(), mine);
    const warned = /^Redis fails \(no connection: \w+\): each instance keeps its own limits/;
    // One of each.
    expect(logged(warned)).toBe(2);
    const before = await measured(first());
    expect(before.up).toBe(0);
    expect(before.failures).toBeGreaterThan(0);
    await redis.start();
    const isBack = async () => {
      const [a, b] = [first(), second()].map(({ app }) =>
        app.http.get('/api/health').set('X-Forwarded-For', '192.0.2.9'),
      );
      await a;
      await b;
      return client.isReady && (await client.keys('*:requests:*')).length > 0;
    };
    while (!(await isBack())) await pause(50);
    expect(logged(warned)).toBe(2);
    // Counted together again: Redis knows nothing of before.
    await pause(1500);
    await client.flushDb();
    expect(await admittedOf(3 * LIMIT, instances)).toBe(LIMIT);
    expect(JSON.stringify(second().logged)).not.toContain(PASSWORD);
    while ((await measured(first())).up === 0) {
      await first().app.http.get('/api/health');
      await pause(100);
    }
    expect((await measured(first())).failures).toBeGreaterThanOrEqual(before.failures);
  });

  it('stay up before a Redis that hangs, and come back', async () => {
    await start({ THROTTLE_LIMIT: String(LIMIT) });
    redis.freeze();
    expect(await admittedOf(3 * LIMIT, instances)).toBe(2 * (LIMIT - 1));
    expect(logged(/^Redis fails \(/)).toBe(2);
    expect((await measured(first())).up).toBe(0);
    redis.thaw();
    // Each is tried by a request.
    const keysOf = () => client.keys('*:requests:*');
    while ((await keysOf()).length > 0) await client.flushDb();
    for (const instance of instances) {
      do {
        await client.flushDb();
        await instance.app.http.get('/api/health').set('X-Forwarded-For', '192.0.2.9');
        await pause(50);
      } while ((await keysOf()).length === 0);
    }
    await pause(500);
    await client.flushDb();
    expect(await admittedOf(3 * LIMIT, instances)).toBe(LIMIT);
  });

  it('know whether it is there, and believe what hangs only when it answers again', async () => {
    await start();
    const { state } = first().app.app.get(Redis);
    const ask = () => first().app.http.get('/api/health').expect(200);
    await ask();
    expect(state!.figures.works).toBe(true);
    await redis.stop();
    while (state!.figures.works) await pause(20);
    await redis.start();
    while (!state!.figures.works) await pause(20);

    redis.freeze();
    await ask();
    expect(state!.figures.works).toBe(false);
    redis.thaw();
    while (!state!.figures.works) {
      await pause(200);
      await ask();
    }
  });

  it('start without it, and use it when it has come', async () => {
    await redis.stop();
    await start({ THROTTLE_LIMIT: String(LIMIT) });
    await first().app.http.get('/api/health').expect(200);
    expect(logged(/^Redis fails \(no connection: ECONNREFUSED\)/)).toBeGreaterThan(0);
    await redis.start();
    do {
      await first().app.http.get('/api/health');
      await pause(50);
    } while (!client.isReady || (await client.keys('*:requests:*')).length === 0);
  });
});
