import { EventEmitter } from 'node:events';
import { type DataSource, QueryFailedError } from 'typeorm';
import { prepareDatabase, setUpDatabase } from './database-setup';
import { DatabaseSetupError } from './database-errors';

interface Server {
  version?: string;
  encoding?: string;
  folds?: boolean;
  /** Names of extensions that are installed, and that the role may not create. */
  installed?: string[];
  forbidden?: string[];
}

/** A new database on a server without one; keeps the extensions that it was told to create. */
function start({ version = '150020', encoding = 'UTF8', folds = true, ...server }: Server = {}) {
  const { installed = [], forbidden = [] } = server;
  const created: string[] = [];
  const query = (text: string): Promise<unknown[]> => {
    if (text.includes('server_version_num')) return Promise.resolve([{ version, encoding, folds }]);
    if (text.includes('FROM pg_extension')) {
      return Promise.resolve(installed.includes('pg_trgm') ? [{}] : []);
    }
    const name = /^CREATE EXTENSION IF NOT EXISTS (\w+)$/.exec(text)?.[1];
    if (!name) return Promise.resolve([]);
    if (forbidden.includes(name)) return Promise.reject(new Error(`permission denied to create "${name}"`));
    created.push(name);
    return Promise.resolve([]);
  };
  const warnings: string[] = [];
  const dataSource = { query, migrations: [] } as unknown as DataSource;
  const prepare = () =>
    prepareDatabase(dataSource, { log: () => undefined, warn: (message) => warnings.push(message) });
  return { dataSource, prepare, created, warnings };
}

describe('prepareDatabase', () => {
  it('creates the extension that the schema needs, and that one only', async () => {
    const { prepare, created, warnings } = start();
    await prepare();
    expect(created).toEqual(['pg_trgm']);
    expect(warnings).toEqual([]);
  });

  it('creates nothing that is there', async () => {
    const { prepare, created } = start({ installed: ['pg_trgm'] });
    await prepare();
    expect(created).toEqual([]);
  });

  it('names the right that is missing for a needed extension, with what the server said', async () => {
    const { prepare } = start({ forbidden: ['pg_trgm'] });
    const error: unknown = await prepare().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseSetupError);
    const { message, cause } = error as Error;
    expect(message).toBe(
      'The extension pg_trgm is needed and could not be created (permission denied to create "pg_trgm"). Install ' +
        "PostgreSQL's contrib package on the server, and either give this role the right CREATE on the database or " +
        'let a superuser run: CREATE EXTENSION pg_trgm;',
    );
    expect(cause).toMatchObject({ message: 'permission denied to create "pg_trgm"' });
  });

  it('refuses a server before version 15, and takes 15', async () => {
    await expect(start({ version: '140013' }).prepare()).rejects.toThrow(
      'PostgreSQL 15 or later is required',
    );
    await expect(start({ version: '149999' }).prepare()).rejects.toThrow(DatabaseSetupError);
    await expect(start({ version: '150000' }).prepare()).resolves.toBeUndefined();
  });

  it('refuses an encoding other than UTF-8, and creates nothing then', async () => {
    const { prepare, created } = start({ encoding: 'LATIN1' });
    await expect(prepare()).rejects.toThrow(
      new DatabaseSetupError(
        "The database's encoding is LATIN1: create it with ENCODING 'UTF8' (and a UTF-8 LC_CTYPE)",
      ),
    );
    expect(created).toEqual([]);
  });

  it('warns of an LC_CTYPE that does not fold letters, and goes on', async () => {
    const { prepare, created, warnings } = start({ folds: false });
    await prepare();
    expect(warnings).toEqual([
      "The database's LC_CTYPE knows no letters beyond ASCII: searches stay correct for Chinese but are slower, and " +
        "other scripts are not matched regardless of case. Create the database with a UTF-8 LC_CTYPE such as 'C.UTF-8'.",
    ]);
    expect(created).toEqual(['pg_trgm']);
  });
});

describe('setUpDatabase', () => {
  const run = async (missing: boolean) => {
    const { dataSource, created } = start();
    const told: string[] = [];
    const runMigrations = jest.fn(async () => {
      await Promise.resolve();
      // Those need the extension.
      told.push(`migrated with ${created.join()}`);
    });
    Object.assign(dataSource, { runMigrations, showMigrations: () => Promise.resolve(missing) });
    const notices = {
      log: (message: string) => told.push(message),
      warn: (message: string) => told.push(message),
    };
    const result = await setUpDatabase(dataSource, { ...notices, isServer: false });
    return { result, told };
  };

  it('runs migrations that are missing, says so, and takes no turns where there is one process', async () => {
    expect(await run(true)).toEqual({
      result: true,
      told: ['Migrating the database', 'migrated with pg_trgm'],
    });
  });

  it('runs nothing where nothing is missing', async () => {
    expect(await run(false)).toEqual({ result: false, told: [] });
  });
});

describe('setUpDatabase on a server', () => {
  /** @param work what the set-up does when it has its turn */
  function onServer(work: () => Promise<boolean>) {
    const said: string[] = [];
    const client = Object.assign(new EventEmitter(), {
      processID: 7,
      query: (text: string, values?: unknown[]) => {
        said.push(values ? `${text} ${values.join()}` : text);
        return Promise.resolve({ rows: [{ pid: 7 }] });
      },
      release: (destroy: boolean) => void said.push(destroy ? 'session ended' : 'session kept'),
    });
    const { dataSource } = start();
    Object.assign(dataSource, {
      driver: { master: { connect: () => Promise.resolve(client) } },
      showMigrations: () => {
        said.push('set up');
        return work();
      },
    });
    const silent = { log: () => undefined, warn: () => undefined };
    return { said, client, setUp: () => setUpDatabase(dataSource, { ...silent, isServer: true }) };
  }

  it('waits for its turn longer than for any other lock, and gives it back with the session', async () => {
    const { said, setUp } = onServer(() => Promise.resolve(false));
    expect(await setUp()).toBe(false);
    expect(said).toEqual([
      "SET lock_timeout = '10min'",
      'SELECT pg_advisory_lock($1) 7305802113',
      'set up',
      'session ended',
    ]);
  });

  it('is not ended by a connection that is lost while it works', async () => {
    const { client, setUp } = onServer(() => {
      expect(client.listenerCount('error')).toBe(1);
      return Promise.resolve(false);
    });
    await setUp();
  });

  it('says what to do when others hold a lock for too long, and passes other errors on', async () => {
    const failed = (code: string) =>
      new QueryFailedError('ALTER TABLE', [], Object.assign(new Error('no'), { code }));
    const locked = failed('55P03');
    await expect(onServer(() => Promise.reject(locked)).setUp()).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message:
        'Other sessions hold locks that the set-up of the database needs: find them in pg_stat_activity (pg_blocking_pids), end them, and start again',
      cause: locked,
    });
    const other = failed('42P07');
    await expect(onServer(() => Promise.reject(other)).setUp()).rejects.toBe(other);
  });
});
