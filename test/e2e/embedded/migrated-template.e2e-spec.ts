import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { openDataSource } from '../../../src/platform/database/open-data-source';

let mockFile: string;
jest.mock('../../../src/platform/database/migrated-template', () => ({
  migratedTemplateFile: () => mockFile,
}));

// Databases are initialised and migrated, on a machine that may be busy.
jest.setTimeout(120_000);

class AddNotes1999999999999 implements MigrationInterface {
  name = 'AddNotes1999999999999';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE notes (id integer PRIMARY KEY)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes');
  }
}

/** Opens a database in memory: whether it was migrated now, its tables, and how many named colours it has. */
async function open(extraMigrations?: (new () => object)[]) {
  const said: string[] = [];
  const dataSource = await openDataSource({
    location: { kind: 'memory' },
    poolSize: 1,
    extraMigrations,
    log: (message) => said.push(message),
    warn: (message) => said.push(message),
  });
  try {
    const tables = await dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
    );
    const [colors] = await dataSource.query<{ count: number }[]>('SELECT count(*) FROM reference_colors');
    return {
      hasMigrated: said.includes('Migrating the database'),
      tables: tables.map(({ name }) => name),
      colors: colors!.count,
    };
  } finally {
    await dataSource.destroy();
  }
}

describe('A database in memory', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'template-'));
    mockFile = join(folder, 'migrated.tar.gz');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('migrates by itself where no migrated one is kept, and keeps itself for the next', async () => {
    const first = await open();
    expect(first.hasMigrated).toBe(true);
    expect(first.tables).toContain('formulas');
    expect(first.colors).toBeGreaterThan(100);
    expect(await open()).toEqual({ ...first, hasMigrated: false });
  });

  it('replaces a kept one that is broken', async () => {
    writeFileSync(mockFile, 'no archive');
    const first = await open();
    expect(first.hasMigrated).toBe(true);
    expect(await open()).toEqual({ ...first, hasMigrated: false });
  });

  it('with migrations of an extension begins with ours, adds them, and is not kept', async () => {
    expect((await open([AddNotes1999999999999])).hasMigrated).toBe(true);
    expect(existsSync(mockFile)).toBe(false);
    const ours = await open();
    const extended = await open([AddNotes1999999999999]);
    expect(extended.tables).toEqual([...ours.tables, 'notes'].sort());
    expect((await open()).tables).toEqual(ours.tables);
  });
});
