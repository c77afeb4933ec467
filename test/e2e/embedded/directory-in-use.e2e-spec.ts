import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootApp, type TestApp } from '../../support/app';
import { cli } from '../../support/cli';

jest.setTimeout(120_000);

describe('A command on the data directory of a running service', () => {
  const saved = { ...process.env };
  let folder: string;
  let service: TestApp;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'in-use-'));
    await writeFile(
      join(folder, 'a.csv'),
      'inciName,chineseName,functionCategory\nGlycerin,甘油,humectant\n',
    );
    service = await bootApp({ settings: { DATA_DIR: join(folder, 'data') } });
    process.env = { ...saved, NODE_ENV: 'test', DATA_DIR: join(folder, 'data') };
    delete process.env.DATABASE_URL;
    delete process.env.TEST_DATABASE_URL;
  });
  afterAll(async () => {
    process.env = { ...saved };
    await service.close();
    await rm(folder, { recursive: true });
  });

  it.each([
    [['users', 'list']],
    [['users', 'create-admin', 'root']],
    [['ingredients', 'import', 'a.csv']],
    [['ingredients', 'export', 'b.csv']],
    [['config', 'reseal']],
    [['db', 'backup', 'a.backup']],
    [['demo']],
  ])('says which process to stop, ends with code 3, and disturbs nobody: %j', async (args) => {
    const paths = args.map((arg) => (/\.(csv|backup)$/.test(arg) ? join(folder, arg) : arg));
    const { code, stdout, stderr } = await cli(paths, { stdin: 'secret' });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(
      new RegExp(
        `^Error: The data directory .* is in use by a service \\(process ${process.pid}\\)\\. Stop it first \\(kill ${process.pid}, `,
      ),
    );
    expect(stderr).not.toContain('    at ');
    await service.http.get('/api/health').expect(200);
  });
});
