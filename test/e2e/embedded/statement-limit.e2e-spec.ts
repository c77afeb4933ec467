import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { EmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres';
import { EmbeddedDatabaseStartError } from '../../../src/platform/database/embedded/errors';
import { translatePgError } from '../../../src/platform/database/pg-errors';
import { unhurried } from '../../../src/platform/database/connections';

// The database is started again, on a machine that may be busy.
jest.setTimeout(120_000);

const ENDLESS = 'SELECT count(*) FROM generate_series(1, 1000000000000) AS n';
/** Longer than the limit of these tests, but not for ever. */
const LONG = `SELECT count(*)::int AS count FROM generate_series(1, 4000000) AS n, LATERAL (SELECT md5(n::text)) AS m`;

describe('A statement on the embedded database', () => {
  let directory: string;
  let embedded: EmbeddedPostgres;
  let pool: Pool;
  const warnings: string[] = [];

  const open = async (dataDir?: string) => {
    warnings.length = 0;
    embedded = await EmbeddedPostgres.open({ dataDir, onWarning: (text) => warnings.push(text) });
    pool = new embedded.driver.Pool({ max: 4 });
    pool.on('error', () => undefined);
    await pool.query('CREATE TABLE written (n int)');
  };

  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'limit-'))));
  afterEach(async () => {
    await pool.end();
    await embedded.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('that runs for too long is ended with the thread: nothing acknowledged is lost, and all goes on', async () => {
    await open(join(directory, 'data'));
    embedded.limitStatements(2000);
    for (let n = 1; n <= 50; n += 1) await pool.query('INSERT INTO written VALUES ($1)', [n]);

    const waiting = ['SELECT 1', 'SELECT 2'];
    const answers = await Promise.allSettled([ENDLESS, ...waiting].map((text) => pool.query(text)));
    const reasons = answers.map((answer) => (answer as PromiseRejectedResult).reason as unknown);
    for (const reason of reasons) {
      expect(translatePgError(reason)).toMatchObject({ status: 503, message: '数据库不可用' });
    }
    expect(warnings).toEqual(['A statement has run for 2 s: the embedded database is started again']);

    const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM written');
    expect(Number(rows[0]?.count)).toBe(50);
    await pool.query('INSERT INTO written VALUES (51)');
  });

  it('of an import may take its time', async () => {
    await open(join(directory, 'data'));
    embedded.limitStatements(1000);
    const client = await pool.connect();
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
    unhurried.add(connection);
    expect((await client.query(LONG)).rows).toEqual([{ count: 4_000_000 }]);
    client.release();
    expect(warnings).toEqual([]);
  });

  it('is not ended where the database lives in memory: it would be lost', async () => {
    await open();
    embedded.limitStatements(1000);
    expect((await pool.query(LONG)).rows).toEqual([{ count: 4_000_000 }]);
  });
});

describe('An embedded database that does not start again', () => {
  it('is a database out of reach, and a full disk is named', () => {
    const error = new EmbeddedDatabaseStartError('its thread ended with code 1', [
      'PANIC:  could not write to file "pg_wal/xlogtemp.42": No space left on device',
    ]);
    expect(translatePgError(error)).toMatchObject({ status: 503, message: '数据库不可用' });
    expect(error.message).toContain('did not start: the disk is full (its thread ended with code 1)');
    expect(new EmbeddedDatabaseStartError('bad', ['PANIC']).message).not.toContain('full');
  });
});
