import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig, type QueryConfig } from 'pg';
import { EmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres';
import { TEST_SERVER, createTestDatabase } from '../../support/databases';

/**
 * Many clients at once over two pools do everything a client may do to a database: transactions that end
 * well, in an error, in a rollback or in silence, single statements, prepared statements, pipelines,
 * savepoints. A model keeps book of what each was told. Nothing acknowledged may be lost, nothing
 * unacknowledged may be seen, nothing may be seen in half, and nobody may get somebody else's answer.
 */
const SEED = Number(process.env.TORTURE_SEED ?? 20_261_120);
const CLIENTS = 16;
const STEPS = 30;
/** Which of the two pools sends queries without waiting for answers. */
const PIPELINED = 1;
const ACCOUNTS = 6;

// Most of the time goes into waiting for turns, which a busy machine makes longer.
jest.setTimeout(120_000);

interface Database {
  pool(config: PoolConfig): Pool;
  close(): Promise<void>;
}

async function embedded(dataDir?: string): Promise<Database> {
  const database = await EmbeddedPostgres.open({ dataDir });
  return {
    pool: (config) => new database.driver.Pool(config),
    close: () => database.close(),
  };
}

const databases: [string, () => Promise<Database>][] = [
  ['the embedded database in memory', () => embedded()],
  [
    'the embedded database on disk',
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'torture-'));
      const database = await embedded(directory);
      const close = async () => {
        await database.close();
        rmSync(directory, { recursive: true, force: true });
      };
      return { ...database, close };
    },
  ],
];

if (TEST_SERVER) {
  databases.push([
    'a PostgreSQL server',
    async () => {
      const database = await createTestDatabase(TEST_SERVER!);
      return {
        pool: (config) => new Pool({ ...config, connectionString: database.url }),
        close: () => database.drop(),
      };
    },
  ]);
}

/** A small seeded generator (mulberry32): the same seed gives every client the same plan. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    between: (low: number, high: number) => low + below(high - low + 1),
    chance: (p: number) => next() < p,
  };
}

type Random = ReturnType<typeof randomOf>;

/**
 * What a client was told about a unit of work. From `committing` on, others may see it; only `committed` must
 * be there; of one whose client went away while committing, nobody knows.
 */
type State = 'open' | 'committing' | 'committed' | 'aborted' | 'unknown';

interface Work {
  id: number;
  rows: number;
  state: State;
  /** An amount moved between two accounts together with the rows. */
  transfer?: { from: number; to: number; amount: number };
}

class Model {
  readonly works = new Map<number, Work>();
  private lastId = 0;

  begin(rows: number, transfer?: Work['transfer']): Work {
    const work: Work = { id: ++this.lastId, rows, state: 'open', transfer };
    this.works.set(work.id, work);
    return work;
  }

  /** Works whose presence a reader that starts now may count on. */
  certain(): Work[] {
    return [...this.works.values()].filter(({ state }) => state === 'committed');
  }
}

interface Counted {
  work: number;
  total: number;
  found: number;
}

const COUNT_WORKS = 'select work, total, count(*)::int as found from ledger group by work, total';

class Torturer {
  private readonly tags = new WeakMap<PoolClient, number>();
  private lastTag = 0;

  constructor(
    private readonly pools: Pool[],
    private readonly model: Model,
    private readonly random: Random,
    private readonly name: number,
  ) {}

  async run(): Promise<void> {
    const deeds = [
      () => this.commit(),
      () => this.commit(),
      () => this.pipeline(),
      () => this.failInside(),
      () => this.commitFailed(),
      () => this.rollBack(),
      () => this.savepoint(),
      () => this.vanishInside(),
      () => this.vanishWhileCommitting(),
      () => this.single(),
      () => this.single(),
      () => this.singleFails(),
      () => this.read(),
      () => this.read(),
      () => this.readSlowly(),
      () => this.prepared(),
      () => this.prepared(),
    ];
    for (let step = 0; step < STEPS; step += 1) await deeds[this.random.below(deeds.length)]!();
  }

  private async connect(): Promise<PoolClient> {
    const client = await this.pools[this.random.below(this.pools.length)]!.connect();
    return client;
  }

  private plan(): Work {
    const from = this.random.below(ACCOUNTS);
    const to = (from + this.random.between(1, ACCOUNTS - 1)) % ACCOUNTS;
    const transfer = this.random.chance(0.6) ? { from, to, amount: this.random.between(1, 50) } : undefined;
    return this.model.begin(this.random.between(2, 5), transfer);
  }

  /** The statements of a work, between its BEGIN and its end, in one of the ways a client may send them. */
  private async write(client: PoolClient, work: Work): Promise<void> {
    for (let row = 0; row < work.rows; row += 1) {
      await this.send(client, this.insert(work, row));
      await this.dawdle();
    }
    if (!work.transfer) return;
    const { from, to, amount } = work.transfer;
    // In the order of ids: a server's clients would lock each other out otherwise.
    const changes = [
      { account: from, change: -amount },
      { account: to, change: amount },
    ].sort((a, b) => a.account - b.account);
    for (const { account, change } of changes) {
      await this.send(client, {
        text: 'update accounts set balance = balance + $2 where id = $1',
        values: [account, change],
      });
      await this.dawdle();
    }
  }

  private insert(work: Work, row: number): QueryConfig {
    const values = [work.id, row, work.rows, this.name];
    const text = 'insert into ledger (work, row, total, client) values ($1, $2, $3, $4)';
    switch (this.random.below(3)) {
      case 0:
        return { text, values };
      case 1:
        return { name: 'insert-ledger', text, values };
      default:
        return { text: `insert into ledger (work, row, total, client) values (${values.join(', ')})` };
    }
  }

  private async send(client: PoolClient, query: QueryConfig): Promise<void> {
    const { rowCount } = await client.query(query);
    expect(rowCount).toBe(1);
  }

  /** Leaves room for others to come in between. */
  private async dawdle(): Promise<void> {
    if (this.random.chance(0.5)) await turn();
    else if (this.random.chance(0.1)) await pause(this.random.below(4));
  }

  private async commit(): Promise<void> {
    const client = await this.connect();
    const work = this.plan();
    await client.query('begin');
    await this.write(client, work);
    const { rows } = await client.query<Counted>(`${COUNT_WORKS} having work = $1`, [work.id]);
    expect(rows).toEqual([{ work: work.id, total: work.rows, found: work.rows }]);
    work.state = 'committing';
    await client.query('commit');
    work.state = 'committed';
    client.release();
  }

  /** All of it sent at once, without waiting for any answer. */
  private async pipeline(): Promise<void> {
    const client = await this.pools[PIPELINED]!.connect();
    const work = this.plan();
    work.transfer = undefined;
    work.state = 'committing';
    const rows = Array.from({ length: work.rows }, (_, row) => this.insert(work, row));
    await Promise.all(['begin', ...rows, 'commit'].map((query) => client.query(query as QueryConfig)));
    work.state = 'committed';
    client.release();
  }

  private async failInside(): Promise<void> {
    const client = await this.connect();
    const work = this.plan();
    await client.query('begin');
    await this.write(client, work);
    await expect(this.send(client, this.insert(work, 0))).rejects.toMatchObject({ code: '23505' });
    await this.dawdle();
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' });
    work.state = 'aborted';
    await client.query('rollback');
    client.release();
  }

  private async commitFailed(): Promise<void> {
    const client = await this.connect();
    const work = this.plan();
    await client.query('begin');
    await this.write(client, work);
    await expect(client.query('select 1 / (select 0)')).rejects.toMatchObject({ code: '22012' });
    work.state = 'aborted';
    expect((await client.query('commit')).command).toBe('ROLLBACK');
    client.release();
  }

  private async rollBack(): Promise<void> {
    const client = await this.connect();
    const work = this.plan();
    await client.query('begin');
    await this.write(client, work);
    work.state = 'aborted';
    await client.query('rollback');
    client.release();
  }

  private async savepoint(): Promise<void> {
    const client = await this.connect();
    const work = this.plan();
    const undone = this.plan();
    undone.transfer = undefined;
    await client.query('begin');
    await client.query('savepoint here');
    await this.write(client, undone);
    await expect(client.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
    await client.query('rollback to savepoint here');
    undone.state = 'aborted';
    await this.write(client, work);
    work.state = 'committing';
    await client.query('commit');
    work.state = 'committed';
    client.release();
  }

  private async vanishInside(): Promise<void> {
    const client = await this.connect();
    const work = this.plan();
    await client.query('begin');
    await this.write(client, work);
    work.state = 'aborted';
    if (this.random.chance(0.5)) client.query('select count(*) from ledger').catch(() => undefined);
    this.cut(client);
  }

  private async vanishWhileCommitting(): Promise<void> {
    const client = await this.connect();
    const work = this.plan();
    await client.query('begin');
    await this.write(client, work);
    work.state = 'committing';
    const committed = client.query('commit').then(
      () => 'committed' as const,
      () => 'unknown' as const,
    );
    if (this.random.chance(0.5)) await turn();
    this.cut(client);
    work.state = await committed;
  }

  /** Ends the connection as a lost network would. */
  private cut(client: PoolClient): void {
    client.on('error', () => undefined);
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    client.release(true);
  }

  /** One statement that writes several rows: all or none. */
  private async single(): Promise<void> {
    const work = this.plan();
    work.transfer = undefined;
    work.state = 'committing';
    const { rowCount } = await this.pools[this.random.below(this.pools.length)]!.query(
      'insert into ledger (work, row, total, client) select $1, row, $2, $3 from generate_series(0, $2 - 1) as row',
      [work.id, work.rows, this.name],
    );
    expect(rowCount).toBe(work.rows);
    work.state = 'committed';
  }

  private async singleFails(): Promise<void> {
    const work = this.plan();
    const insert = this.pools[this.random.below(this.pools.length)]!.query(
      'insert into ledger (work, row, total, client) select $1, row / 2, $2, $3 from generate_series(0, $2) as row',
      [work.id, work.rows, this.name],
    );
    await expect(insert).rejects.toMatchObject({ code: '23505' });
    work.state = 'aborted';
  }

  private async read(): Promise<void> {
    const pool = this.pools[this.random.below(this.pools.length)]!;
    if (this.random.chance(0.3)) {
      const { rows } = await pool.query('select sum(balance)::int as total from accounts');
      expect(rows).toEqual([{ total: 0 }]);
      return;
    }
    const certain = this.model.certain();
    const { rows } = await pool.query<Counted>(COUNT_WORKS);
    this.check(rows, certain);
  }

  /**
   * The same through a cursor of the protocol's own (Execute with a row limit and Flush, without a Sync
   * between).
   */
  private async readSlowly(): Promise<void> {
    const client = await this.connect();
    // A pipelined connection cannot keep a portal open.
    const limit = (client as unknown as { pipeline: boolean }).pipeline
      ? {}
      : { rows: this.random.between(1, 20) };
    const certain = this.model.certain();
    const query = { text: `${COUNT_WORKS} order by work`, values: [], ...limit } as QueryConfig;
    const { rows } = await client.query<Counted>(query);
    this.check(rows, certain);
    client.release();
  }

  private check(rows: Counted[], certain: Work[]): void {
    const seen = new Set<number>();
    for (const { work: id, total, found } of rows) {
      const { rows: expected, state } = this.model.works.get(id)!;
      if (state === 'open' || state === 'aborted') throw new Error(`dirty read: work ${id} is ${state}`);
      if (found !== expected || total !== expected)
        throw new Error(`half of work ${id}: ${found} of ${expected} rows`);
      seen.add(id);
    }
    for (const { id } of certain) if (!seen.has(id)) throw new Error(`acknowledged work ${id} is not seen`);
  }

  /** One name, another statement on every connection: each must get its own. */
  private async prepared(): Promise<void> {
    const client = await this.connect();
    let tag = this.tags.get(client);
    if (tag === undefined) this.tags.set(client, (tag = this.name * 1000 + ++this.lastTag));
    const value = this.random.below(1000);
    const { rows } = await client.query({
      name: `own-${this.name}`,
      text: `select $1::int + ${tag} as sum`,
      values: [value],
    });
    expect(rows).toEqual([{ sum: value + tag }]);
    const shared = await client.query({
      name: 'shared',
      text: 'select $1::text as echo',
      values: [`${tag}`],
    });
    expect(shared.rows).toEqual([{ echo: `${tag}` }]);
    client.release();
  }
}

/** What may be in the database of a work, by what its client was told: numbers of rows. */
function allowedRows({ rows, state }: Work): number[] {
  switch (state) {
    case 'committed':
      return [rows];
    case 'unknown':
      return [0, rows];
    case 'aborted':
      return [0];
    case 'open':
    case 'committing':
      throw new Error('a client stopped in the middle');
  }
}

describe.each(databases)('torture: %s', (_name, open) => {
  let database: Database;
  let pools: Pool[];

  beforeEach(async () => {
    database = await open();
    pools = [database.pool({ max: 5 }), database.pool({ max: 3, pipeline: true })];
    for (const pool of pools) pool.on('error', () => undefined);
  });

  afterEach(async () => {
    // Not waited for: after a failure clients are left in the middle of something. Closing the database ends
    // them.
    for (const pool of pools) void pool.end();
    await database.close();
  });

  it(`keeps every promise to ${CLIENTS} clients at once (seed ${SEED})`, async () => {
    const first = pools[0]!;
    await first.query(`
      create table ledger (work int, row int, total int not null, client int not null, primary key (work, row));
      create table accounts (id int primary key, balance int not null)`);
    await first.query('insert into accounts select id, 0 from generate_series(0, $1) as id', [ACCOUNTS - 1]);

    const model = new Model();
    const clients = Array.from({ length: CLIENTS }, (_, index) =>
      new Torturer(pools, model, randomOf(SEED + index), index + 1).run(),
    );
    await Promise.all(clients);

    // One snapshot: a server may still be about to commit for a client that vanished.
    const final = await first.connect();
    await final.query('begin isolation level repeatable read');
    const { rows: works } = await final.query<Counted>(COUNT_WORKS);
    const { rows: accounts } = await final.query<{ balance: number }>(
      'select balance from accounts order by id',
    );
    await final.query('commit');
    final.release();

    const found = new Map(works.map((counted) => [counted.work, counted.found]));
    const balances = Array.from({ length: ACCOUNTS }, () => 0);
    const broken = [];
    for (const work of model.works.values()) {
      const present = found.get(work.id) ?? 0;
      if (!allowedRows(work).includes(present)) broken.push({ ...work, present });
      if (!work.transfer || present === 0) continue;
      balances[work.transfer.from]! -= work.transfer.amount;
      balances[work.transfer.to]! += work.transfer.amount;
    }
    expect(broken).toEqual([]);
    expect(accounts.map(({ balance }) => balance)).toEqual(balances);

    const count = (state: State) => [...model.works.values()].filter((work) => work.state === state).length;
    expect(count('committed')).toBeGreaterThan(100);
    expect(count('aborted')).toBeGreaterThan(50);
  });
});
