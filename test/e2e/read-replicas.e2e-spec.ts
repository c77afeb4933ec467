import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import supertest from 'supertest';
import { DataSource } from 'typeorm';
import { runInRequest, setCurrentUser } from '../../src/common/request-context';
import { Database } from '../../src/database/database';
import { textOf } from '../../src/database/replicas/wal-position';
import { ProjectEntity } from '../../src/projects/project.entity';
import { Redis } from '../../src/redis/redis.module';
import { type Account, bootApp, type TestApp } from '../support/app';
import { TEST_SERVER } from '../support/databases';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';
import { REDIS, RunningRedis } from '../support/redis';
import {
  POSTGRES_PROGRAMS,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '../support/replicated-postgres';

// Servers are started, and what is settled takes seconds.
jest.setTimeout(180_000);

const canRun = TEST_SERVER !== undefined && POSTGRES_PROGRAMS !== undefined && REDIS !== undefined;
const describeWith = canRun ? describe : undefined;
const describeWithout = canRun ? undefined : describe;

describeWithout?.('With read replicas', () => {
  it('nothing was tried: it takes a server, the programs to make others, and Redis, which CI has', () => {
    expect(process.env.CI !== undefined && TEST_SERVER !== undefined).toBe(false);
  });
});

/** Lists, searches and matches: what may lag. */
const LAGGING = [
  '/api/formulas',
  '/api/formulas?search=abc',
  '/api/ingredients',
  '/api/ingredients?search=gly',
  '/api/projects',
  '/api/color/library',
  '/api/color/library?search=red',
  '/api/color/library?L=50&a=10&b=10',
  '/api/color/formulas/match?L=50&a=1&b=2',
  '/api/ai/search?q=cream',
];

const databaseOf = ({ app }: TestApp) => app.get(Database);
const figuresOf = (instance: TestApp) => databaseOf(instance).replicaFigures;
const isRead = (instance: TestApp) => figuresOf(instance)[0]!.isUsable;
const answeredOf = (instance: TestApp) => figuresOf(instance)[0]!.answered;

/** Looks until it is so; the test's own limit ends it. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(50);
}

async function ask<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** For how long an instance has had its connection to Redis, in milliseconds. */
const connectedFor = ({ app }: TestApp) => app.get(Redis).state!.positions.connectedFor;

/** What is done in a request of this account. */
function asUser<T>({ id, username }: Account, work: () => Promise<T>): Promise<T> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  return new Promise((resolve, reject) => {
    runInRequest('r', response, () => {
      setCurrentUser({ id, username, role: 'engineer' });
      work().then(resolve, reject);
    });
  });
}

/** The same account through another instance. */
const through = ({ app }: TestApp, { token }: Account) => ({
  get: (path: string) => supertest(app.getHttpServer()).get(path).set('Authorization', `Bearer ${token}`),
  post: (path: string, body: object) =>
    supertest(app.getHttpServer()).post(path).set('Authorization', `Bearer ${token}`).send(body),
});

describeWith?.('With read replicas', () => {
  let servers: ReplicatedPostgres;
  let redis: RunningRedis;
  let instances: TestApp[];
  let settings: Record<string, string>;
  let writer: Account;
  let other: Account;
  const cleanUps: (() => unknown)[] = [];
  const [first, second] = [() => instances[0]!, () => instances[1]!];

  const onStandby = <Row extends object>(text: string) => ask<Row>(servers.standbyUrl, text);
  const pauseReplay = async () => {
    await onStandby('SELECT pg_wal_replay_pause()');
    await until(
      async () =>
        (await onStandby<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state'))[0]!.state ===
        'paused',
    );
  };
  const resumeReplay = () => onStandby('SELECT pg_wal_replay_resume()');
  const write = async (name: string) => {
    await writer.post('/api/projects', { name }).expect(201);
  };
  const namesFor = async (instance: TestApp, account: Account): Promise<string[]> => {
    const { body } = await through(instance, account).get('/api/projects').expect(200);
    return (body.data as { name: string }[]).map(({ name }) => name);
  };
  /** By a list that a replica answers. */
  const ready = () =>
    until(async () => {
      const before = instances.map(answeredOf);
      for (const instance of instances) await namesFor(instance, other);
      return instances.every((instance, at) => answeredOf(instance) > before[at]!);
    });

  beforeAll(async () => {
    servers = await startReplicatedPostgres();
    cleanUps.push(() => servers.close());
    redis = await RunningRedis.start('redis-password-5');
    cleanUps.push(() => redis.stop());
    settings = {
      DATABASE_URL: servers.url,
      DATABASE_REPLICA_URLS: servers.standbyUrl,
      DATABASE_POOL_SIZE: '5',
      REDIS_URL: redis.url,
      JWT_SECRET: randomBytes(32).toString('hex'),
    };
    instances = [];
    for (let n = 0; n < 2; n++) {
      const instance = await bootApp({ settings });
      cleanUps.push(() => instance.close());
      instances.push(instance);
    }
    writer = await first().register();
    other = await first().register();
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  beforeEach(async () => {
    await ready();
  });

  it.each(LAGGING)('%s is answered there', async (path) => {
    const before = answeredOf(first());
    await through(first(), other).get(path).expect(200);
    expect(answeredOf(first())).toBeGreaterThan(before);
  });

  it('is seen there', async () => {
    await through(first(), other).get('/api/color/formulas/match?L=50&a=1&b=2').expect(200);
    const [found] = await onStandby<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity
        WHERE application_name = 'formula-replica-reads' AND query LIKE '%color_formulas%'`,
    );
    expect(found!.count).toBeGreaterThan(0);
  });

  it('who has written reads that through any instance at once; others when it is there', async () => {
    await pauseReplay();
    try {
      await write('seen by its writer');
      const before = instances.map(answeredOf);
      expect(await namesFor(first(), writer)).toContain('seen by its writer');
      expect(await namesFor(second(), writer)).toContain('seen by its writer');
      expect(instances.map(answeredOf)).toEqual(before);
      expect(await namesFor(second(), other)).not.toContain('seen by its writer');
      expect(answeredOf(second())).toBe(before[1]! + 1);
      // What is read by its id is read where it is written.
      const { body } = await through(first(), writer).get('/api/projects').expect(200);
      const { id } = (body.data as { id: string; name: string }[]).find(({ name }) =>
        name.startsWith('seen by'),
      )!;
      await through(second(), other).get(`/api/projects/${id}`).expect(200);
    } finally {
      await resumeReplay();
    }
    await until(async () => (await namesFor(second(), other)).includes('seen by its writer'));
    await until(async () => {
      const before = answeredOf(second());
      await namesFor(second(), writer);
      return answeredOf(second()) > before;
    });
  });

  /** Each writes and says what of lists shows it: how it is asked for, and whether it is so. */
  const WRITES: Record<string, () => Promise<() => Promise<boolean>>> = {
    'by a request': async () => {
      const { id } = await createProject(writer, { name: 'to be changed' });
      return async () => {
        await writer.put(`/api/projects/${id}`, { name: 'changed' }).expect(200);
        return (await namesFor(second(), writer)).includes('changed');
      };
    },
    'by TypeORM': async () => {
      const { id } = await createIngredient(writer, { inciName: 'Aqua' });
      const formula = await createFormula(writer, wholeOf(id), { name: 'to be deleted' });
      return async () => {
        await writer.delete(`/api/formulas/${formula.id}`).expect(({ status }) => status < 300);
        const { body } = await through(second(), writer).get('/api/formulas').expect(200);
        return !JSON.stringify(body).includes('to be deleted');
      };
    },
    'in a transaction': () =>
      Promise.resolve(async () => {
        const database = first().app.get(Database);
        const work = () =>
          database.query({ text: `INSERT INTO projects (name, created_by) VALUES ('in one', $1)` }, [
            writer.id,
          ]);
        await asUser(writer, () => database.transaction(work));
        return (await namesFor(second(), writer)).includes('in one');
      }),
    'by a statement outside of one': () =>
      Promise.resolve(async () => {
        const text = `INSERT INTO projects (name, created_by) VALUES ('alone', $1)`;
        await asUser(writer, () => first().app.get(Database).query({ text }, [writer.id]));
        return (await namesFor(second(), writer)).includes('alone');
      }),
    'by a repository of an extension': () =>
      Promise.resolve(async () => {
        const projects = first().app.get(DataSource).getRepository(ProjectEntity);
        await asUser(writer, () => projects.save({ name: 'saved', createdBy: writer.id }));
        return (await namesFor(second(), writer)).includes('saved');
      }),
  };

  it.each(Object.keys(WRITES))('what is written %s is read by who wrote it', async (way) => {
    const ask = await WRITES[way]!();
    // The position of what was made for it is replayed by then.
    await until(async () => {
      const before = answeredOf(second());
      await namesFor(second(), writer);
      return answeredOf(second()) > before;
    });
    await pauseReplay();
    try {
      expect(await ask()).toBe(true);
    } finally {
      await resumeReplay();
    }
  });

  it('the later position of a user stays, in whatever order they come', async () => {
    const { positions } = first().app.get(Redis).state!;
    const [earlier, later] = [9, 10].map((lsn) => textOf({ timeline: 1, lsn: BigInt(lsn) }));
    await positions.keep('somebody', later!);
    await positions.keep('somebody', earlier!);
    expect(await positions.find('somebody')).toBe(later);
    expect(await positions.find('nobody')).toBeNull();
  });

  it('one that lags for too long is left out, and comes back', async () => {
    await pauseReplay();
    try {
      await write('after a pause');
      await until(() => instances.every((instance) => !isRead(instance)));
      expect(await namesFor(second(), other)).toContain('after a pause');
      expect(figuresOf(first())[0]!.lagBytes).toBeGreaterThan(0);
    } finally {
      await resumeReplay();
    }
    await until(() => instances.every(isRead));
  });

  /** What may lag, asked by several at once while `work` goes on: the statuses other than 200. */
  async function faultsDuring(work: () => Promise<unknown>): Promise<number[]> {
    const faults: number[] = [];
    let asked = 0;
    let isOver = false;
    const client = async (at: number) => {
      for (let turn = at; !isOver; turn++) {
        const { status } = await through(instances[at % 2]!, other).get(LAGGING[turn % LAGGING.length]!);
        asked += 1;
        if (status !== 200) faults.push(status);
      }
    };
    const clients = Array.from({ length: 6 }, (_, at) => client(at));
    await work();
    isOver = true;
    await Promise.all(clients);
    expect(asked).toBeGreaterThan(6);
    return faults;
  }

  it('one that is killed costs nobody an answer, and comes back', async () => {
    const faults = await faultsDuring(async () => {
      await pause(300);
      await servers.killStandby();
      await until(() => instances.every((instance) => !isRead(instance)));
      await servers.startStandby();
      await until(() => instances.every(isRead));
      await pause(300);
    });
    expect(faults).toEqual([]);
  });

  it('one whose sessions are ended costs nobody an answer', async () => {
    const failedBefore = figuresOf(first())[0]!.failed;
    const faults = await faultsDuring(async () => {
      while (figuresOf(first())[0]!.failed === failedBefore) {
        await onStandby(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = 'formula-replica-reads' AND state = 'active'`,
        );
      }
    });
    expect(faults).toEqual([]);
  });

  it('one that hangs costs nobody an answer, and comes back', async () => {
    const faults = await faultsDuring(async () => {
      await pause(300);
      servers.freezeStandby();
      try {
        await until(() => instances.every((instance) => !isRead(instance)));
        await pause(300);
      } finally {
        servers.thawStandby();
      }
      await until(() => instances.every(isRead));
    });
    expect(faults).toEqual([]);
  });

  it('who writes while Redis is away reads that when it is back, though no position was kept', async () => {
    await pauseReplay();
    try {
      await redis.stop();
      await write('without Redis');
      expect(await namesFor(first(), writer)).toContain('without Redis');
      await redis.start();
      for (const instance of instances) expect(await namesFor(instance, writer)).toContain('without Redis');
    } finally {
      await resumeReplay();
    }
  });

  it('who writes while Redis hangs reads that when it goes on', async () => {
    await pauseReplay();
    try {
      redis.freeze();
      await write('while Redis hung');
      redis.thaw();
      for (const instance of instances)
        expect(await namesFor(instance, writer)).toContain('while Redis hung');
    } finally {
      redis.thaw();
      await resumeReplay();
    }
  });

  it('a Redis that has lost what it kept costs nobody the own writes', async () => {
    await pauseReplay();
    try {
      await write('kept and lost');
      const before = instances.map(connectedFor);
      await redis.stop();
      await redis.start();
      for (const [at, instance] of instances.entries()) {
        // It answers again: that there is no such key.
        await until(() => connectedFor(instance) < before[at]!);
        expect(await namesFor(instance, writer)).toContain('kept and lost');
      }
    } finally {
      await resumeReplay();
    }
  });

  it('a start misses no replica that is away', async () => {
    await servers.killStandby();
    const instance = await bootApp({ settings });
    try {
      expect(await namesFor(instance, other)).toContain('kept and lost');
      await servers.startStandby();
      await until(() => isRead(instance));
    } finally {
      await instance.close();
    }
  });

  it('two are read by turns, and where one of them is killed the other', async () => {
    const another = await servers.addStandby();
    const both = `${servers.standbyUrl},${another.url()}`;
    const instance = await bootApp({ settings: { ...settings, DATABASE_REPLICA_URLS: both } });
    try {
      const states = () => String(figuresOf(instance).map(({ isUsable }) => isUsable));
      const answered = () => figuresOf(instance).map((figures) => figures.answered);
      await until(async () => {
        await namesFor(instance, other);
        return states() === 'true,true' && answered().every((count) => count > 0);
      });
      const before = answered();
      for (let n = 0; n < 4; n++) await namesFor(instance, other);
      expect(answered()).toEqual(before.map((count) => count + 2));
      await another.kill();
      await until(() => states() === 'true,false');
      const [first] = answered();
      for (let n = 0; n < 4; n++) await namesFor(instance, other);
      expect(answered()[0]).toBe(first! + 4);
    } finally {
      await instance.close();
    }
  });

  it('after a failover the promoted one is no replica any more, and the former primary is one', async () => {
    const both = `${servers.primaryUrl},${servers.standbyUrl}`;
    const instance = await bootApp({ settings: { ...settings, DATABASE_REPLICA_URLS: both } });
    try {
      const areRead = () => figuresOf(instance).map(({ isUsable }) => isUsable);
      await until(() => String(areRead()) === 'false,true');
      await servers.killPrimary();
      await servers.promoteStandby();
      await servers.startFormerPrimary();
      await until(() => String(areRead()) === 'true,false');
      // The looks at the servers may be ahead of the connections that write.
      const write = () => through(instance, writer).post('/api/projects', { name: 'first' });
      await until(async () => (await write()).status === 201);
      const account = await instance.register();
      await account.post('/api/projects', { name: 'after the failover' }).expect(201);
      expect(await namesFor(instance, account)).toContain('after the failover');
    } finally {
      await instance.close();
    }
  });
});
