import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool, type PoolConfig } from 'pg';
import { DataSource } from 'typeorm';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres';

describe('embedded PostgreSQL', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'embedded-'));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  const poolOn = (embedded: EmbeddedPostgres, config: PoolConfig = {}) =>
    new Pool({ ...config, stream: () => embedded.connect() });

  it('keeps what was written over a close and a new start', async () => {
    let embedded = await EmbeddedPostgres.open({ dataDir: directory });
    let pool = poolOn(embedded);
    await pool.query('create table kept (id int primary key, name text)');
    await pool.query('insert into kept values ($1, $2)', [1, '保湿精华液']);
    await pool.end();
    await embedded.close();

    embedded = await EmbeddedPostgres.open({ dataDir: directory });
    pool = poolOn(embedded);
    expect((await pool.query('select * from kept')).rows).toEqual([{ id: 1, name: '保湿精华液' }]);
    await pool.end();
    await embedded.close();
  });

  it('carries a TypeORM data source: parameters, transactions, errors', async () => {
    const embedded = await EmbeddedPostgres.open();
    const source = new DataSource({
      type: 'postgres',
      extra: { stream: () => embedded.connect(), max: 4 },
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
    await embedded.close();
  });
});
