import { execFileSync } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { ClientBase, PoolConfig, QueryConfig } from 'pg';
import { DataSource } from 'typeorm';
import {
  EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '../../../src/platform/database/embedded/embedded-postgres';
import {
  EmbeddedDatabaseClosedError,
  EmbeddedDatabaseCrashedError,
  EmbeddedDatabaseInUseError,
  EmbeddedDatabaseStartError,
} from '../../../src/platform/database/embedded/errors';
import { TYPESCRIPT } from '../../support/typescript';

/** Runs a shell command from SQL: what PGlite cannot do and dies of. */
const DEADLY = "copy (select 1) to program 'true'";

// Several of these tests initialise a database from nothing, which takes its time on a busy machine.
jest.setTimeout(120_000);

describe('embedded PostgreSQL', () => {
  let directory: string;
  const opened: EmbeddedPostgres[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'embedded-'));
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((embedded) => embedded.close()));
    rmSync(directory, { recursive: true, force: true });
  });

  const open = async (options?: EmbeddedPostgresOptions) => {
    const embedded = await EmbeddedPostgres.open(options);
    opened.push(embedded);
    return embedded;
  };

  const poolOn = (embedded: EmbeddedPostgres, config: PoolConfig = {}) => {
    const pool = new embedded.driver.Pool(config);
    pool.on('error', () => undefined);
    return pool;
  };

  /** Ends the connection as a lost network would. */
  const cut = (client: ClientBase) =>
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();

  const clientOn = async (embedded: EmbeddedPostgres) => {
    const client = new embedded.driver.Client();
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };

  it('keeps what was written over a close and a new start', async () => {
    const first = await open({ dataDir: directory });
    await poolOn(first).query('create table kept (id int primary key, name text)');
    await poolOn(first).query('insert into kept values ($1, $2)', [1, '保湿精华液']);
    await first.close();
    await first.close();
    expect(readdirSync(directory).sort()).toEqual(['lock', 'pgdata']);

    const second = await open({ dataDir: directory });
    expect((await poolOn(second).query('select * from kept')).rows).toEqual([{ id: 1, name: '保湿精华液' }]);
  });

  it('on disk forces its log there by a call that arrives; in memory it spares that', async () => {
    const text = `select string_agg(name || ' ' || setting, ', ' order by name) as settings from pg_settings
                  where name in ('fsync', 'shared_buffers', 'wal_sync_method')`;
    const settings = async (options?: EmbeddedPostgresOptions) =>
      (await poolOn(await open(options)).query<{ settings: string }>(text)).rows[0]!.settings;
    expect(await settings({ dataDir: directory })).toBe(
      'fsync on, shared_buffers 8192, wal_sync_method fsync',
    );
    expect(await settings()).toMatch(/^fsync off, shared_buffers 2048, /);
  });

  it('is made anew where an earlier start was cut off while it made it', async () => {
    const unfinished = join(directory, 'pgdata.new');
    mkdirSync(unfinished);
    writeFileSync(join(unfinished, 'PG_VERSION'), '');
    writeFileSync(join(directory, 'notes.new'), '');
    const client = await clientOn(await open({ dataDir: directory }));
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    // What is not its own stays.
    expect(readdirSync(directory).sort()).toEqual(['lock', 'notes.new', 'pgdata']);
  });

  it('carries a TypeORM data source: parameters, transactions, errors', async () => {
    const embedded = await open();
    const source = new DataSource({
      type: 'postgres',
      driver: embedded.driver,
      poolSize: 4,
      uuidExtension: 'pgcrypto',
      installExtensions: false,
    });
    await source.initialize();
    await source.query(
      'create table things (id uuid primary key default gen_random_uuid(), name text not null)',
    );
    await source.transaction((manager) => manager.query('insert into things (name) values ($1)', ['a']));
    await expect(
      source.transaction(async (manager) => {
        await manager.query('insert into things (name) values ($1)', ['b']);
        await manager.query('insert into things (name) values (null)');
      }),
    ).rejects.toMatchObject({ driverError: { code: '23502', column: 'name' } });
    expect(await source.query('select name from things')).toEqual([{ name: 'a' }]);
    await source.destroy();
  });

  it('folds case beyond ASCII and finds Chinese by trigrams', async () => {
    const pool = poolOn(await open());
    await pool.query('create extension pg_trgm; create extension cube');
    const { rows } = await pool.query(`
      select lower('ÄÉÑ ЖΩ') as lower, 'Crème' ilike '%CRÈME%' as ilike,
             similarity('保湿精华', '保湿精华液') > 0.5 as similar, cube(array[1, 2]) <-> cube(array[4, 6]) as distance,
             array_length(show_trgm('保湿精华液'), 1) as trigrams`);
    expect(rows).toEqual([{ lower: 'äéñ жω', ilike: true, similar: true, distance: 5, trigrams: 6 }]);
    await pool.query('create table names (name text); create index on names using gin (name gin_trgm_ops)');
    await pool.query(
      "insert into names select '成分' || i from generate_series(1, 2000) as i union select '透明质酸钠'",
    );
    await pool.query('analyze names; set enable_seqscan = off');
    const plan = await pool.query("explain select * from names where name like '%透明质酸%'");
    expect(JSON.stringify(plan.rows)).toContain('Bitmap Index Scan');
    const found = await pool.query("select name from names where name like '%透明质酸%'");
    expect(found.rows).toEqual([{ name: '透明质酸钠' }]);
  });

  it('refuses statements that it cannot run for one client, and goes on', async () => {
    const client = await clientOn(await open());
    await client.query('create table copied (i int)');
    const refused: [string, string | QueryConfig][] = [
      ['COPY FROM STDIN', 'copy copied from stdin'],
      ['COPY FROM STDIN', 'select 1; copy copied from stdin'],
      ['COPY FROM STDIN', { name: 'copy', text: 'copy copied from stdin' }],
      ['LISTEN', 'listen news'],
      ['UNLISTEN', ' UNLISTEN *'],
      ['LISTEN', { name: 'listen', text: 'listen news' }],
      ['DISCARD', 'discard all'],
      ['DEALLOCATE ALL', 'select 1; deallocate all'],
    ];
    for (const [what, statement] of refused) {
      await expect(client.query(statement)).rejects.toMatchObject({
        code: '0A000',
        message: `the embedded database does not support ${what}`,
      });
    }
    await client.query('begin; insert into copied values (1)');
    await expect(client.query('listen news')).rejects.toThrow('LISTEN');
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' });
    await client.query('rollback');
    const text = "select 'copy from stdin; listen' as text";
    expect((await client.query(text)).rows).toEqual([{ text: 'copy from stdin; listen' }]);
  });

  it('takes and gives values as pg does on a server', async () => {
    const client = await clientOn(await open());
    const values = [1, '9007199254740993', 'é\u{1f9ea}', true, null, new Date('2026-11-21T19:00:00.123Z')];
    const more = [Buffer.from([0, 255, 10]), { a: [1, 'b'] }, ['x', null, 'y,"z'], 1.5];
    const { rows, fields, rowCount, command } = await client.query(
      `select $1::int as i, $2::int8 as big, $3::text as t, $4::bool as b, $5::text as n, $6::timestamptz as at,
              $7::bytea as raw, $8::jsonb as doc, $9::text[] as list, $10::numeric as price`,
      [...values, ...more],
    );
    const [i, big, t, b, n, at] = values;
    const [raw, doc, list] = more;
    expect(rows).toEqual([{ i, big, t, b, n, at, raw, doc, list, price: '1.5' }]);
    expect(fields.map(({ dataTypeID }) => dataTypeID)).toEqual([
      23, 20, 25, 16, 25, 1184, 17, 3802, 1009, 1700,
    ]);
    expect([rowCount, command]).toEqual([1, 'SELECT']);
  });

  it('answers several statements at once, notices, and errors with what they are about', async () => {
    const client = await clientOn(await open());
    const notices: unknown[] = [];
    client.on('notice', ({ message }) => notices.push(message));
    const answers = await client.query(
      'create table if not exists t (i int primary key); create table if not exists t (); insert into t values (1)',
    );
    expect((answers as unknown as { command: string }[]).map(({ command }) => command)).toEqual([
      'CREATE',
      'CREATE',
      'INSERT',
    ]);
    expect(notices).toEqual(['relation "t" already exists, skipping']);
    await expect(client.query('insert into t values ($1)', [1])).rejects.toMatchObject({
      name: 'error',
      code: '23505',
      table: 't',
      constraint: 't_pkey',
      detail: 'Key (i)=(1) already exists.',
    });
    await expect(client.query('select nothing')).rejects.toMatchObject({ code: '42703', position: '8' });
    await expect(client.query('insert into t values (2); select nothing')).rejects.toThrow('nothing');
    expect((await client.query('select * from t')).rows).toEqual([{ i: 1 }]);
  });

  it('keeps the prepared statements of its clients apart, and over errors, as a server does', async () => {
    const embedded = await open();
    const [one, other] = [await clientOn(embedded), await clientOn(embedded)];
    await one.query('create table t as select 1 as i');
    const all = { name: 'all', text: 'select * from t' };
    expect((await one.query(all)).rows).toEqual([{ i: 1 }]);
    expect((await other.query({ name: 'all', text: 'select 2 as two' })).rows).toEqual([{ two: 2 }]);

    await one.query('alter table t add column j int default 2');
    await expect(one.query(all)).rejects.toMatchObject({
      message: 'cached plan must not change result type',
    });
    await one.query('alter table t drop column j');
    expect((await one.query(all)).rows).toEqual([{ i: 1 }]);

    const late = { name: 'late', text: 'select * from made_later' };
    await expect(one.query(late)).rejects.toMatchObject({ code: '42P01' });
    await one.query('create table made_later as select 3 as k');
    expect((await one.query(late)).rows).toEqual([{ k: 3 }]);
    expect((await one.query(late)).rows).toEqual([{ k: 3 }]);
  });

  it('drops the statements of a client that has left', async () => {
    const embedded = await open();
    const [leaving, staying] = [await clientOn(embedded), await clientOn(embedded)];
    const count = 'select count(*)::int as n from pg_prepared_statements';
    await leaving.query({ name: 'left', text: 'select 1' });
    expect((await staying.query(count)).rows).toEqual([{ n: 1 }]);
    await leaving.end();
    expect((await staying.query(count)).rows).toEqual([{ n: 0 }]);
  });

  it('undoes what a client has left in the middle of a query, at once', async () => {
    const warnings: string[] = [];
    const embedded = await open({ onWarning: (text) => warnings.push(text) });
    const [leaving, staying] = [await clientOn(embedded), await clientOn(embedded)];
    await staying.query('create table t (i int)');
    const text = 'with new as (insert into t select generate_series(1, 9) returning i) select * from new';
    const pages = (leaving as unknown as { connection: EventEmitter }).connection;
    pages.once('portalSuspended', () => cut(leaving));
    await expect(leaving.query({ text, rows: 2 } as QueryConfig)).rejects.toThrow('Connection terminated');
    expect((await staying.query('select * from t')).rows).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('gives large answers whole, also to a reader who takes his time', async () => {
    const client = await clientOn(await open());
    const { rows } = await client.query("select repeat('x', 100000) as text from generate_series(1, 300)");
    expect(rows).toHaveLength(300);
    expect(rows.every(({ text }) => text.length === 100_000)).toBe(true);
    // Parts of an answer come out of the same memory: one that is overwritten before it is sent shows here.
    const { rows: numbered } = await client.query('select i from generate_series(1, 20000) as i');
    expect(numbered.map(({ i }) => i)).toEqual(Array.from({ length: 20_000 }, (_, index) => index + 1));
    const { rows: echoed } = await client.query('select length($1::text) as length', ['é'.repeat(3_000_000)]);
    expect(echoed).toEqual([{ length: 3_000_000 }]);
  });

  it('ends a transaction that sits idle while others wait, and serves them', async () => {
    const warnings: string[] = [];
    const embedded = await open({ idleInTransactionMs: 100, onWarning: (text) => warnings.push(text) });
    const [sitting, waiting] = [await clientOn(embedded), await clientOn(embedded)];
    await sitting.query('create table t (i int)');
    await sitting.query('begin');
    await sitting.query('insert into t values (1)');
    const goodbye = once(sitting, 'error');
    expect((await waiting.query('select count(*)::int as n from t')).rows).toEqual([{ n: 0 }]);
    expect(await goodbye).toMatchObject([
      { code: '25P03', severity: 'FATAL', hint: expect.stringContaining('must not wait for another') },
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /idle in a transaction for 0 s .*\(1 waiting\).*must not wait for another connection/,
      ),
    ]);
  });

  it('looks after its tables as a server would: statistics and clean pages', async () => {
    const warnings: string[] = [];
    const onWarning = (text: string) => void warnings.push(text);
    const pool = poolOn(await open({ idleMs: 100, onWarning }));
    await pool.query(
      "create table t as select i, repeat('x', 100) as text from generate_series(1, 5000) as i",
    );
    await pool.query('delete from t where i > 1000');
    const look = () =>
      pool.query<{ rows: number; pages: number }>(
        "select reltuples::int as rows, relallvisible as pages from pg_class where relname = 't'",
      );
    let seen = (await look()).rows[0]!;
    while (seen.rows !== 1000 || seen.pages === 0) {
      await pause(500);
      seen = (await look()).rows[0]!;
    }
    expect(warnings).toEqual([]);
  });

  it('leaves nothing for later when it closes: its counts of changes end with it', async () => {
    const first = await open({ dataDir: directory });
    await poolOn(first).query('create table t as select i from generate_series(1, 60) as i');
    await first.close();
    const second = poolOn(await open({ dataDir: directory }));
    const look = "select reltuples::int as rows, relallvisible as pages from pg_class where relname = 't'";
    expect((await second.query(look)).rows).toEqual([{ rows: 60, pages: 1 }]);
  });

  describe('when it dies', () => {
    it('leaves nobody waiting, says so, and serves the next connection with all that was acknowledged', async () => {
      const crashes: Error[] = [];
      const embedded = await open({ dataDir: directory, onCrash: (error) => crashes.push(error) });
      const [writer, victim, bystander] = [
        await clientOn(embedded),
        await clientOn(embedded),
        await clientOn(embedded),
      ];
      await writer.query('create table t (i int)');
      await writer.query('insert into t values (1)');
      await writer.query('begin');
      await writer.query('insert into t values (2)');
      const outcomes = await Promise.allSettled([
        writer.query(DEADLY),
        victim.query('select 1'),
        bystander.end(),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
      expect(crashes).toEqual([expect.any(EmbeddedDatabaseCrashedError)]);

      expect((await poolOn(embedded).query('select * from t')).rows).toEqual([{ i: 1 }]);
    });

    it('in memory, says that it is gone', async () => {
      const embedded = await open();
      await expect((await clientOn(embedded)).query(DEADLY)).rejects.toThrow();
      await expect(clientOn(embedded)).rejects.toThrow(EmbeddedDatabaseCrashedError);
    });

    it('says why, and does not quote what it was asked before', async () => {
      const crashes: Error[] = [];
      const embedded = await open({ onCrash: (error) => crashes.push(error) });
      const client = await clientOn(embedded);
      await expect(client.query("select 'secret'::int")).rejects.toThrow();
      await expect(client.query(DEADLY)).rejects.toThrow();
      expect(crashes).toHaveLength(1);
      expect(crashes[0]!.message).toMatch(/has crashed: /);
      expect(crashes[0]!.message).not.toMatch(/its thread ended|secret/);
    });

    it('leaves nobody waiting for a template', async () => {
      const embedded = await open();
      const client = await clientOn(embedded);
      await client.query('begin');
      const saved = expect(embedded.saveTemplate(join(directory, 'template.tar.gz'))).rejects.toThrow(
        EmbeddedDatabaseCrashedError,
      );
      await expect(client.query(DEADLY)).rejects.toThrow();
      await saved;
    });
  });

  it('tells users of a closed database that it is closed, and calls it no crash', async () => {
    const crashes: Error[] = [];
    const embedded = await open({ onCrash: (error) => crashes.push(error) });
    const client = await clientOn(embedded);
    const goodbye = once(client, 'error');
    const ended = new Promise((resolve) => client.once('end', resolve));
    const [started, cleared] = [jest.spyOn(global, 'setTimeout'), jest.spyOn(global, 'clearTimeout')];
    const killed = jest.spyOn(Worker.prototype, 'terminate');
    await embedded.close();
    // Nothing keeps the thread, not even upkeep that is due some day.
    expect(killed).not.toHaveBeenCalled();
    await ended;
    // The clock that would have ended its thread does not keep the process.
    const patience = started.mock.calls.findIndex(([, ms]) => ms === 10_000);
    expect(cleared).toHaveBeenCalledWith(started.mock.results[patience]!.value);
    jest.restoreAllMocks();
    expect(await goodbye).toMatchObject([{ code: '57P01', severity: 'FATAL' }]);
    await expect(clientOn(embedded)).rejects.toThrow(EmbeddedDatabaseClosedError);
    expect(crashes).toEqual([]);
  });

  it('forces every commit to the disk before it is acknowledged', () => {
    const support = join(__dirname, '..', '..', 'support');
    const program = `
      const { writeSync } = require('node:fs');
      const { EmbeddedPostgres } = require('./src/platform/database/embedded/embedded-postgres');
      (async () => {
        const embedded = await EmbeddedPostgres.open({ dataDir: ${JSON.stringify(directory)} });
        const client = new embedded.driver.Client();
        await client.connect();
        const run = async (sql) => {
          await client.query(sql);
          writeSync(1, sql + '\\n');
        };
        await run('create table t (i int)');
        await run('insert into t values (1)');
        await run('select 1');
        await run('begin');
        await run('insert into t values (2)');
        await run('commit');
        await client.end();
        await embedded.close();
      })();`;
    const preloads = ['-r', TYPESCRIPT, '-r', join(support, 'count-fsync.cjs')];
    const output = execFileSync(process.execPath, [...preloads, '-e', program], {
      cwd: join(__dirname, '..', '..', '..'),
      encoding: 'utf8',
    });
    const events = output.trim().split('\n');
    expect(events.slice(events.indexOf('create table t (i int)') - 1, events.indexOf('commit') + 1)).toEqual([
      'fsync',
      'create table t (i int)',
      'fsync',
      'insert into t values (1)',
      'select 1',
      'begin',
      'insert into t values (2)',
      'fsync',
      'commit',
    ]);
  });

  describe('refuses a directory it cannot use, and says why:', () => {
    const refusal = (dataDir: string) =>
      EmbeddedPostgres.open({ dataDir }).then(
        () => 'opened',
        (error: Error) => (error instanceof EmbeddedDatabaseStartError ? error.message : `${error.name}`),
      );

    it('one that is open already', async () => {
      await open({ dataDir: directory });
      await expect(EmbeddedPostgres.open({ dataDir: directory })).rejects.toThrow(EmbeddedDatabaseInUseError);
    });

    it('a file', async () => {
      const file = join(directory, 'file');
      writeFileSync(file, '');
      expect(await refusal(file)).toContain('is a file');
    });

    it('one that cannot be made', async () => {
      const file = join(directory, 'file');
      writeFileSync(file, '');
      expect(await refusal(join(file, 'below'))).toMatch(/cannot be made.*DATA_DIR/);
    });

    it('the directory of a PostgreSQL server', async () => {
      writeFileSync(join(directory, 'PG_VERSION'), '15\n');
      expect(await refusal(directory)).toMatch(/directory of a PostgreSQL server.*DATABASE_URL/);
    });

    it('one where something else has our name', async () => {
      mkdirSync(join(directory, 'pgdata'));
      writeFileSync(join(directory, 'pgdata', 'diary.txt'), 'dear diary');
      expect(await refusal(directory)).toContain('something else than a database of this service');
      expect(readFileSync(join(directory, 'pgdata', 'diary.txt'), 'utf8')).toBe('dear diary');
    });

    it('one of another version of PostgreSQL, which it leaves alone', async () => {
      await (await EmbeddedPostgres.open({ dataDir: directory })).close();
      writeFileSync(join(directory, 'pgdata', 'PG_VERSION'), '15\n');
      expect(await refusal(directory)).toContain('initialized by PostgreSQL version 15');
      writeFileSync(join(directory, 'pgdata', 'PG_VERSION'), '18\n');
      await open({ dataDir: directory });
    });
  });

  describe('the template of a fresh database', () => {
    const told: string[] = [];
    const INITIALISING = 'initialising the embedded database (first start, a few seconds)';
    beforeEach(() => (told.length = 0));

    const works = async (templateFile: string) => {
      const embedded = await EmbeddedPostgres.open({ templateFile, onProgress: (text) => told.push(text) });
      const { rows } = await poolOn(embedded).query('select 1 as one');
      await embedded.close();
      return rows;
    };

    it('is made once, also by two at a time, and again when it is damaged', async () => {
      const templates = join(directory, 'templates');
      const file = join(templates, 'template.tar.gz');
      expect(await Promise.all([works(file), works(file)])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
      expect(readdirSync(templates)).toEqual(['template.tar.gz']);
      expect(told.splice(0)).toEqual([INITIALISING, INITIALISING]);
      const whole = readFileSync(file).byteLength;
      await works(file);
      expect(told).toEqual([]);

      truncateSync(file, Math.floor(whole / 2));
      expect(await works(file)).toEqual([{ one: 1 }]);
      expect(told.splice(0)).toEqual([INITIALISING]);
      expect(readFileSync(file).byteLength).toBeGreaterThan(whole / 2);
    });

    it('may be what another database held at that moment, without what was open in it', async () => {
      const file = join(directory, 'saved', 'template.tar.gz');
      const source = await open();
      await poolOn(source).query(
        'create table saved (i int); insert into saved select generate_series(1, 5000)',
      );
      const client = await clientOn(source);
      await client.query('begin; insert into saved values (0)');
      const { rows: before } = await client.query('select pg_current_wal_lsn()::text as position');
      const saved = source.saveTemplate(file);
      await client.query('rollback');
      await saved;
      // Nothing before has to be recovered by those who start from it.
      const { rows: after } = await poolOn(source).query(
        'select redo_lsn >= $1::pg_lsn as fresh from pg_control_checkpoint()',
        [before[0].position],
      );
      expect(after).toEqual([{ fresh: true }]);
      await poolOn(source).query('insert into saved values (5001)');

      const count = 'select count(*)::int as n, min(i), max(i) from saved';
      const copies = [{ templateFile: file }, { templateFile: file, dataDir: join(directory, 'copy') }];
      for (const options of copies) {
        const { rows } = await poolOn(await open(options)).query(count);
        expect(rows).toEqual([{ n: 5000, min: 1, max: 5000 }]);
      }
      expect(readdirSync(join(directory, 'saved'))).toEqual(['template.tar.gz']);
      writeFileSync(join(directory, 'file'), '');
      await expect(source.saveTemplate(join(directory, 'file', 'template.tar.gz'))).rejects.toThrow('EEXIST');
    });

    it('is done without where it cannot be kept', async () => {
      writeFileSync(join(directory, 'file'), '');
      expect(await works(join(directory, 'file', 'template.tar.gz'))).toEqual([{ one: 1 }]);
    });
  });
});
