import { closeSync, cpSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { openDataSource } from '../../../src/platform/database/open-data-source';

// Databases are started one after the other, on a machine that may be busy.
jest.setTimeout(240_000);

const PROJECTS = 80;

/** A place in PostgreSQL's write-ahead log. */
interface Place {
  file: string;
  offset: number;
}

describe('The embedded database after an end that was not clean', () => {
  const home = mkdtempSync(join(tmpdir(), 'log-damage-'));
  const killed = join(home, 'killed');
  let begin: Place;
  let end: Place;

  let opened: DataSource | undefined;
  const close = async () => {
    await opened?.destroy();
    opened = undefined;
  };

  const open = async (dataDir: string) => {
    opened = await openDataSource({
      location: { kind: 'directory', dataDir },
      poolSize: 1,
      log: () => undefined,
      warn: () => undefined,
    });
    return opened;
  };

  async function placeIn(dataSource: DataSource): Promise<Place> {
    const [row] = await dataSource.query<{ file_name: string; file_offset: number }[]>(
      'SELECT (pg_walfile_name_offset(pg_current_wal_lsn())).*',
    );
    return { file: row!.file_name, offset: row!.file_offset };
  }

  /** What a kill leaves: the files as they are while nothing runs, without a clean end. */
  beforeAll(async () => {
    const dataDir = join(home, 'data');
    await open(dataDir);
    await close();
    const dataSource = await open(dataDir);
    const [user] = await dataSource.query<{ id: string }[]>(
      `INSERT INTO users (username, password_hash) VALUES ('ada', 'x') RETURNING id`,
    );
    await dataSource.query('CHECKPOINT');
    begin = await placeIn(dataSource);
    for (let n = 1; n <= PROJECTS; n += 1) {
      await dataSource.query('INSERT INTO projects (name, created_by) VALUES ($1, $2)', [n, user!.id]);
    }
    end = await placeIn(dataSource);
    cpSync(dataDir, killed, { recursive: true });
    await close();
  });

  afterEach(close);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** A copy of what the kill has left, with other bytes in its log. */
  function damaged(name: string, from: Place, bytes: number, value: number): string {
    const copy = join(home, name);
    cpSync(killed, copy, { recursive: true });
    const descriptor = openSync(join(copy, 'pgdata', 'pg_wal', from.file), 'r+');
    writeSync(descriptor, Buffer.alloc(bytes, value), 0, bytes, from.offset);
    closeSync(descriptor);
    return copy;
  }

  async function found(dataSource: DataSource): Promise<{ users: number; projects: number[] }> {
    const [row] = await dataSource.query<{ users: number; projects: number[] }[]>(
      `SELECT (SELECT count(*)::int FROM users) AS users,
              ARRAY(SELECT name::int FROM projects ORDER BY name::int) AS projects`,
    );
    return row!;
  }
  const firstOf = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it('has everything', async () => {
    const dataSource = await open(damaged('whole', end, 0, 0));
    expect(await found(dataSource)).toEqual({ users: 1, projects: firstOf(PROJECTS) });
  });

  it('with a log damaged near its end has what came before', async () => {
    const dataSource = await open(damaged('tail', { ...end, offset: end.offset - 4096 }, 64, 0xa5));
    const { users, projects } = await found(dataSource);
    expect(users).toBe(1);
    expect(projects.length).toBeGreaterThan(0);
    expect(projects.length).toBeLessThan(PROJECTS);
    expect(projects).toEqual(firstOf(projects.length));
  });

  it('with all of the log behind the last checkpoint damaged has what the checkpoint had', async () => {
    const dataSource = await open(damaged('all', begin, end.offset - begin.offset, 0xa5));
    expect(await found(dataSource)).toEqual({ users: 1, projects: [] });
  });

  it('with the last checkpoint gone does not start, and says what to do', async () => {
    const { size } = statSync(join(killed, 'pgdata', 'pg_wal', begin.file));
    const copy = damaged('gone', { ...begin, offset: 0 }, size, 0);
    await expect(open(copy)).rejects.toMatchObject({
      name: 'EmbeddedDatabaseStartError',
      message: expect.stringContaining(
        'its write-ahead log is damaged; restore the data directory from a copy',
      ),
    });
  });
});
