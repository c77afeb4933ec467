import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres';
import { cli } from '../support/cli';

describe('the command line', () => {
  const saved = { ...process.env };
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-'));
  });
  afterEach(async () => {
    process.env = { ...saved };
    await rm(folder, { recursive: true });
  });

  it.each([
    [['--help'], /ingredients [\s\S]*users /],
    [['ingredients', '--help'], /import .*\n.*\n? *export /],
    [['ingredients', 'import', '--help'], /--dry-run[\s\S]*--map <column=field>/],
    [['users', 'create-admin', '--help'], /--password-file/],
  ])('explains itself: %p', async (args, help) => {
    // Settings with which the service could not start: help needs no service.
    process.env.DATABASE_URL = 'postgres://127.0.0.1:1/none';
    const outcome = await cli(args);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(help);
  });

  it.each([
    [[], /Usage/],
    [['nonsense'], /unknown command 'nonsense'/],
    [['ingredients'], /a command is missing; ingredients has: import, export/],
    [['ingredients', 'nonsense'], /there is no command "nonsense"/],
    [['ingredients', 'import'], /missing required argument 'file'/],
    [['ingredients', 'import', 'a', 'b'], /too many arguments/],
    [['ingredients', 'import', 'a', '--nonsense'], /unknown option '--nonsense'/],
    [['ingredients', 'import', 'a', '--map', 'x'], /--map: "x" is not of the form column=field/],
  ])('answers a wrong command line with exit code 2: %p', async (args, message) => {
    process.env.DATABASE_URL = 'postgres://127.0.0.1:1/none';
    const outcome = await cli(args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(message);
  });

  it('names an unknown field', async () => {
    delete process.env.DATABASE_URL;
    process.env.DATA_DIR = join(folder, 'unknown-field');
    const path = join(folder, 'a.csv');
    await writeFile(path, 'inciName,x\n');
    const outcome = await cli(['ingredients', 'import', path, '--map', 'x=colour']);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toMatch(/no field "colour"; the fields are inciName, chineseName/);
  });

  it('says which database cannot be reached', async () => {
    process.env.DATABASE_URL = 'postgres://127.0.0.1:1/none';
    const outcome = await cli(['ingredients', 'export']);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toContain('Cannot reach the database server of DATABASE_URL (ECONNREFUSED).');
    expect(outcome.stderr).not.toContain('    at ');
  });

  it('opens the embedded database itself, says when another process has it, and what it changed', async () => {
    delete process.env.DATABASE_URL;
    process.env.DATA_DIR = join(folder, 'data');
    const path = join(folder, 'a.csv');
    await writeFile(path, 'inciName,chineseName,functionCategory\nGlycerin,甘油,humectant\n');

    const imported = await cli(['ingredients', 'import', path]);
    expect(imported.code).toBe(0);
    expect(imported.stderr).toContain(`Embedded PostgreSQL in ${process.env.DATA_DIR}`);
    // Of the framework's own start nobody at a terminal wants to read.
    expect(imported.stderr).not.toMatch(/initialized/);

    const other = await EmbeddedPostgres.open({ dataDir: process.env.DATA_DIR });
    try {
      const refused = await cli(['ingredients', 'export']);
      expect(refused.code).toBe(3);
      expect(refused.stderr).toContain(`process ${process.pid}`);
      expect(refused.stderr).not.toContain('    at ');
    } finally {
      await other.close();
    }

    const exported = await cli(['ingredients', 'export']);
    expect(exported.code).toBe(0);
    expect(exported.stdout).toContain('Glycerin,甘油,humectant,,kg,,');

    const created = await cli(['users', 'create-admin', 'lin'], { stdin: 'secret' });
    expect(created.code).toBe(0);
    expect(created.stdout).toMatch(/^Created admin "lin" .*\n$/);
    const recorded = created.stderr.split('\n').find((line) => line.startsWith('{')) ?? '{}';
    expect(JSON.parse(recorded)).toMatchObject({ event: 'user.changed', user: null, change: 'created' });
  });
});
