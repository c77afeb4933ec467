import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { createClient } from '@redis/client';
import { Clock } from '../../src/platform/common/clock';
import { SharedCounter } from '../../src/platform/redis/shared-counter';
import { SharedState } from '../../src/platform/redis/shared-state';
import { REDIS, RunningRedis } from '../support/redis';

const SECRET = 'secret-of-a-deployment';
const PASSWORD = 'redis-password-8';
const HOUR = 3_600_000;

const describeWith = REDIS === undefined ? undefined : describe;
const describeWithout = REDIS === undefined ? describe : undefined;

describeWithout?.('What is kept in Redis', () => {
  it('nothing was tried: it takes an installed Redis, which CI has', () => {
    expect(process.env.CI).toBeUndefined();
  });
});

describeWith?.('What is kept in Redis', () => {
  let redis: RunningRedis;
  let state: SharedState;
  let client: ReturnType<typeof createClient>;

  beforeAll(async () => {
    redis = await RunningRedis.start(PASSWORD);
    state = new SharedState(redis.url, SECRET, new Clock());
    await state.open();
    client = createClient({ url: redis.url });
    await client.connect();
  });
  beforeEach(() => client.flushDb());
  afterAll(async () => {
    state.close();
    client.destroy();
    await redis.stop();
  });

  const keyOf = async (pattern: string) => {
    const keys = await client.keys(pattern);
    expect(keys).toHaveLength(1);
    return keys[0]!;
  };

  describe('the AI rate', () => {
    const WINDOW = 400;
    let places = 0;
    const take = (place = `place-${(places += 1)}`) => state.aiRate.take(10, WINDOW, place);
    const takeAll = async () => {
      for (let n = 0; n < 10; n += 1) expect(await take()).toBe(0);
    };
    const expectRefused = async () => {
      const left = await take();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(WINDOW);
    };

    it('has ten places, each for a window of its own, and nothing is left behind them', async () => {
      for (let n = 0; n < 5; n += 1) expect(await take()).toBe(0);
      await pause(WINDOW / 2);
      for (let n = 0; n < 5; n += 1) expect(await take()).toBe(0);
      const left = await take();
      await pause(left);
      // The first five are free again, the others not.
      const key = await keyOf('*:ai-rate');
      expect(await take()).toBe(0);
      expect(await client.zCard(key)).toBeGreaterThan(1);
      expect(await client.zCard(key)).toBeLessThanOrEqual(10);
      await pause(WINDOW + 50);
      expect(await client.exists(key)).toBe(0);
    });

    it.each([10, 9])(
      'has its ten places a window after a clock that was set back, %i of them taken in its future',
      async (count) => {
        await take();
        const key = await keyOf('*:ai-rate');
        await client.del(key);
        const score = Date.now() + HOUR;
        await client.zAdd(
          key,
          Array.from({ length: count }, (_, n) => ({ score: score + n, value: `future-${n}` })),
        );
        for (let n = count; n < 10; n += 1) expect(await take()).toBe(0);
        await expectRefused();
        await pause(WINDOW + 5);
        await takeAll();
        await expectRefused();
      },
    );
  });

  describe('the AI rate, while places come and go', () => {
    const WINDOW = 1000;
    let places = 0;
    const take = () => state.aiRate.take(10, WINDOW, `place-${(places += 1)}`);
    const takenOf = async (count: number) => {
      let taken = 0;
      for (let n = 0; n < count; n += 1) if ((await take()) === 0) taken += 1;
      return taken;
    };

    it('what was taken in the future of a clock that was set back does not stay', async () => {
      await take();
      const key = await keyOf('*:ai-rate');
      await client.del(key);
      const score = Date.now() + HOUR;
      await client.zAdd(
        key,
        [1, 2, 3, 4, 5, 6].map((n) => ({ score, value: `future-${n}` })),
      );
      expect(await takenOf(2)).toBe(2);
      await pause(WINDOW / 2);
      expect(await takenOf(3)).toBe(2);
      // Its key lives on for the later two.
      await pause(WINDOW / 2);
      expect(await takenOf(9)).toBe(8);
    });

    it('a place counts from the arrival of its request on, quick or slow', async () => {
      const arrived = (place: string, counted: number) => state.aiRate.arrived(place, WINDOW, counted);
      expect(await takenOf(10)).toBe(10);
      const quick = `place-${places}`;
      const slow = `place-${places - 1}`;
      await arrived(quick, 0);
      expect(await takenOf(2)).toBe(1);
      await pause(WINDOW / 2);
      await arrived(slow, WINDOW);
      await pause(WINDOW / 2);
      expect(await takenOf(10)).toBe(9);
      // One that has been forgotten meanwhile is counted all the same.
      await client.flushDb();
      await arrived('late', WINDOW);
      expect(await takenOf(10)).toBe(9);
    });
  });

  describe('counts', () => {
    const counterOf = (kind: string) => new SharedCounter(kind, new Clock(), state);
    let counter: SharedCounter;
    beforeAll(() => (counter = counterOf('requests')));

    it('are those of all instances, in a window that begins with the first', async () => {
      expect(await counter.add('lin', 2)).toMatchObject({ count: 1 });
      const { count, leftMs } = await counterOf('requests').add('lin', 2);
      expect([count, leftMs > 0, leftMs <= 2000]).toEqual([2, true, true]);
      expect(await counter.get('lin')).toMatchObject({ count: 2 });
      expect(await counter.get('wang')).toEqual({ count: 0, leftMs: 0 });
      expect(await counterOf('logins').add('lin', 2)).toMatchObject({ count: 1 });
      await pause(2100);
      expect(await counter.add('lin', 2)).toMatchObject({ count: 1 });
    });

    it('are taken back, and prolonged', async () => {
      await counter.add('lin', 2);
      await counter.add('lin', 2);
      await counter.takeBack('lin', 2);
      expect(await counter.add('lin', 2)).toMatchObject({ count: 2 });
      expect(await counter.extend('lin', 3, 60)).toEqual({ count: 3, leftMs: 60_000 });
      expect(await counter.add('lin', 2, 60)).toMatchObject({ count: 4 });
      expect(await client.pTTL(await keyOf('*:requests:*'))).toBeGreaterThan(2000);
    });

    it('last no longer than a window after a clock that was set back', async () => {
      await counter.add('late', 2);
      for (const key of await client.keys('*:requests:*')) await client.pExpire(key, 3_600_000);
      const { leftMs } = await counter.add('late', 2);
      expect(leftMs).toBeLessThanOrEqual(2000);
      expect((await counter.get('late')).leftMs).toBeLessThanOrEqual(2000);
    });

    it('are not less than none when they are taken back after their window', async () => {
      for (let n = 0; n < 20; n += 1) await counter.takeBack('nobody', 2);
      expect(await counter.add('nobody', 2)).toMatchObject({ count: 1 });
    });
  });

  describe('AI answers', () => {
    const { answers } = { answers: () => state.answers };

    it('are found by all until their time has come, and their notes with them', async () => {
      await answers().set('a', 'text', 300);
      expect(await answers().get('a')).toBe('text');
      expect(await answers().get('b')).toBeUndefined();
      expect(await client.zCard(await keyOf('*:answers'))).toBe(1);
      // A note lives as long as the longest answer.
      await answers().set('c', 'text', HOUR);
      await answers().set('d', 'text', 300);
      expect(await client.pTTL(await keyOf('*:answers'))).toBeGreaterThan(HOUR - 10_000);
      await pause(350);
      expect(await answers().get('a')).toBeUndefined();
      expect(await answers().get('c')).toBe('text');
    });

    it('are two hundred; whoever is looked for stays', async () => {
      for (let n = 0; n < 200; n += 1) await answers().set(`${n}`, 'text', HOUR);
      expect(await answers().get('0')).toBe('text');
      for (let n = 200; n < 205; n += 1) await answers().set(`${n}`, 'text', HOUR);
      expect(await client.keys('*:answer:*')).toHaveLength(200);
      const found = await Promise.all(['0', '1', '5', '6', '204'].map((key) => answers().get(key)));
      expect(found.map((text) => text !== undefined)).toEqual([true, false, false, true, true]);
    });
  });
});

describeWith?.('A Redis that answers no questions', () => {
  const servers: RunningRedis[] = [];
  let state: SharedState;
  let proxy: Server;
  /** Where connections to the one name lead. */
  let target: RunningRedis;
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();

  beforeEach(async () => {
    logged.mockClear();
    for (const _ of [1, 2]) servers.push(await RunningRedis.start(PASSWORD));
    target = servers[0]!;
    proxy = createServer((near) => {
      const far = connect(Number(new URL(target.url).port), '127.0.0.1');
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    state = new SharedState(`redis://:${PASSWORD}@127.0.0.1:${port}/1`, SECRET, new Clock());
    await state.open();
  });
  afterEach(async () => {
    state.close();
    proxy.close();
    for (const server of servers.splice(0)) await server.stop();
  });
  afterAll(() => jest.restoreAllMocks());

  const command = async (...words: string[]) => {
    const client = createClient({ url: target.url });
    await client.connect();
    await client.sendCommand(words);
    client.destroy();
  };
  const ask = () =>
    state.circuit.execute(
      () => state.counter.penalty('lin').then(() => 'counted'),
      () => 'instead',
    );

  it('is told by its own word, and by nothing of a question', async () => {
    await command('CONFIG', 'SET', 'maxmemory', '1');
    expect(await ask()).toBe('instead');
    expect(await ask()).toBe('instead');
    expect(logged.mock.calls).toEqual([[expect.stringMatching(/^Redis fails \(OOM\): each instance keeps/)]]);
    expect(state.figures).toEqual({ works: false, failed: 2 });
    await command('CONFIG', 'SET', 'maxmemory', '0');
    expect(await ask()).toBe('counted');
  });

  it('because it is a replica now is looked for anew by its name', async () => {
    expect(await ask()).toBe('counted');
    await command('REPLICAOF', '127.0.0.1', '1');
    target = servers[1]!;
    expect(await ask()).toBe('instead');
    expect(logged.mock.calls[0]![0]).toContain('(READONLY)');
    while ((await ask()) !== 'counted') await pause(50);
  });
});

const canSpeakTls = REDIS !== undefined && spawnSync('openssl', ['version']).status === 0;
const describeTls = canSpeakTls ? describe : undefined;
const describeWithoutTls = canSpeakTls ? undefined : describe;

describeWithoutTls?.('Redis by TLS', () => {
  it('nothing was tried: it takes an installed Redis and openssl, which CI has', () => {
    expect(process.env.CI).toBeUndefined();
  });
});

/** `rediss://` of a Redis whose certificate no authority has signed that Node knows. */
describeTls?.('Redis by TLS', () => {
  const FILE = join(__dirname, '../../src/platform/redis/redis-connection.ts');
  // What is trusted besides is read once, when a process starts.
  const PROGRAM = `
    const options = { module: { type: 'commonjs' }, jsc: { parser: { syntax: 'typescript' } } };
    const { code } = require('@swc/core').transformFileSync(${JSON.stringify(FILE)}, options);
    const module = { exports: {} };
    new Function('exports', 'require', code)(module.exports, require);
    const connection = new module.exports.RedisConnection(process.env.REDIS_URL, () => undefined);
    connection.open().then(() => {
      process.stdout.write(connection.fault ?? 'works');
      connection.close();
    });`;
  let folder: string;
  let redis: RunningRedis | undefined;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'redis-tls-'))));
  afterEach(async () => {
    await redis?.stop();
    rmSync(folder, { recursive: true });
  });

  async function start(names: string): Promise<string> {
    const files = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
    const asked = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=redis -addext subjectAltName=${names}`;
    const made = [...asked.split(' '), '-keyout', files.key, '-out', files.certificate];
    execFileSync('openssl', made, { stdio: 'ignore' });
    redis = await RunningRedis.start(PASSWORD, files);
    return files.certificate;
  }
  const faultWith = (trusted: Record<string, string>) => {
    const { PATH } = process.env;
    const env = { PATH, REDIS_URL: redis!.url, ...trusted } as NodeJS.ProcessEnv;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', PROGRAM], { env, encoding: 'utf8' });
    return stdout + stderr.replace(/^.*(?:Warning|node --trace-warnings).*$\n?/gm, '');
  };

  it('works with a certificate that NODE_EXTRA_CA_CERTS names, and not without', async () => {
    const certificate = await start('IP:127.0.0.1');
    expect(faultWith({})).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(faultWith({ NODE_EXTRA_CA_CERTS: certificate })).toBe('works');
  });

  it('is refused with a certificate of another host', async () => {
    const certificate = await start('DNS:redis.example');
    expect(faultWith({ NODE_EXTRA_CA_CERTS: certificate })).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  });
});
