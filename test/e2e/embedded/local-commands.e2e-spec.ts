import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../src/app.module';
import { Database } from '../../../src/database/database';
import { startOrClose } from '../../../src/database/start-or-close';
import { RuntimeConfiguration } from '../../../src/runtime-config/runtime-configuration';
import { type Account, bootApp, type TestApp } from '../../support/app';
import { cli } from '../../support/cli';
import { TYPESCRIPT } from '../../support/typescript';

jest.setTimeout(240_000);

const ROOT = join(__dirname, '..', '..', '..');
const HEAD = 'inciName,chineseName,functionCategory\n';

/** Windows has no such socket. */
(process.platform === 'win32' ? describe.skip : describe)(
  'Commands beside a running embedded service',
  () => {
    const saved = { ...process.env };
    const KEY = 'a secret of at least thirty-two bytes!';
    let folder: string;
    let service: TestApp;
    let lin: Account;
    const killed: ChildProcess[] = [];
    const at = (name: string) => join(folder, name);
    const settings = () => ({ DATA_DIR: at('data'), CONFIG_ENCRYPTION_KEY: KEY });
    const use = (more: Record<string, string> = {}) => {
      process.env = { ...saved, NODE_ENV: 'test', ...settings(), ...more };
      delete process.env.DATABASE_URL;
      delete process.env.TEST_DATABASE_URL;
    };
    const copies = async () =>
      (await readdir(at('data'))).filter((name) => name.startsWith('.command-copy-'));
    const names = async (search: string) => {
      const { body } = await lin.get(`/api/ingredients?search=${search}`).expect(200);
      return (body.data as { inciName: string }[]).map(({ inciName }) => inciName);
    };

    /** A command in a process of its own, killed when it has said something on its way. */
    const killWhenItSays = async (words: RegExp, args: string[]) => {
      const child = spawn(
        process.execPath,
        ['-r', TYPESCRIPT, join(ROOT, 'src', 'cli', 'main.ts'), ...args],
        {
          cwd: ROOT,
          env: { ...process.env },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      killed.push(child);
      let output = '';
      const ended = once(child, 'close');
      await new Promise<void>((resolve, reject) => {
        child.stderr.on('data', (bytes: Buffer) => {
          output += bytes.toString();
          if (!words.test(output)) return;
          child.kill('SIGKILL');
          resolve();
        });
        void ended.then(() => reject(new Error(`ended: ${output}`)));
      });
      await ended;
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'local-commands-'));
      service = await bootApp({ settings: settings() });
      lin = await service.register('lin', 'secret');
    });
    beforeEach(() => use());
    afterEach(() => {
      process.env = { ...saved };
      for (const child of killed.splice(0)) child.kill('SIGKILL');
    });
    afterAll(async () => {
      await service.close();
      await rm(folder, { recursive: true });
    });

    it('imports, makes administrators, seals and exports while requests go on', async () => {
      const statuses = new Set<number>();
      let isDone = false;
      const requests = (async () => {
        while (!isDone) statuses.add((await lin.get('/api/ingredients')).status);
      })();
      await writeFile(at('a.csv'), `${HEAD}Glycerin,甘油,humectant\n`);
      const imported = await cli(['ingredients', 'import', at('a.csv')]);
      expect(imported).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('of the service that runs'),
      });
      expect(await cli(['users', 'create-admin', 'root'], { stdin: 'secret' })).toMatchObject({ code: 0 });
      expect(await cli(['config', 'reseal'])).toMatchObject({ code: 0 });
      const exported = await cli(['ingredients', 'export']);
      expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining('Glycerin,甘油,humectant') });
      isDone = true;
      await requests;
      expect([...statuses]).toEqual([200]);
      expect(await names('glycerin')).toEqual(['Glycerin']);
      const login = { username: 'root', password: 'secret' };
      await service.http.post('/api/auth/login').send(login).expect(200);
    });

    it('what a command changes of the configuration is in force without a restart', async () => {
      const configuration = service.app.get(RuntimeConfiguration);
      const before = (await configuration.current()).revision;
      const context = await startOrClose(
        () => NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false }),
        () => Promise.resolve(),
        true,
      );
      await context.get(Database, { strict: false }).query({
        text: `INSERT INTO runtime_settings (name, value) VALUES ('aiMock', 'true')
             ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      });
      await context.close();
      while ((await configuration.current()).revision === before) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect((await configuration.current()).aiMock).toBe(true);
    });

    it('a command with other secrets is told', async () => {
      use({ CONFIG_ENCRYPTION_KEY: 'another secret of at least thirty-two bytes' });
      const refused = await cli(['users', 'list']);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('refuses the command: the secrets of its settings');
      expect(refused.stderr).not.toContain('    at ');
    });

    it('an import that is killed in the midst has written whole parts, holds nobody up, and is completed', async () => {
      const ROWS = 8000;
      const rows = Array.from({ length: ROWS }, (_, n) => `Killed ${n},名,humectant\n`);
      await writeFile(at('killed.csv'), HEAD + rows.join(''));
      const count = async () => {
        const text = `SELECT count(*)::int AS count FROM ingredients WHERE inci_name LIKE 'Killed %'`;
        return (await service.app.get(Database).query<{ count: number }>({ text }))[0]!.count;
      };
      await killWhenItSays(/^Writing/m, ['ingredients', 'import', at('killed.csv')]);
      await lin
        .post('/api/ingredients', { inciName: 'After', chineseName: '后', functionCategory: 'humectant' })
        .expect(201);
      const written = await count();
      expect(written % 2000).toBe(0);
      expect(written).toBeLessThan(ROWS);
      const again = await cli(['ingredients', 'import', at('killed.csv')]);
      expect(again).toMatchObject({ code: 0 });
      expect(await count()).toBe(ROWS);
    });

    it('a refused row keeps the whole file out here, too', async () => {
      const rows = Array.from({ length: 600 }, (_, n) => `Refused ${n},名,humectant\n`);
      await writeFile(at('refused.csv'), `${HEAD}${rows.join('')}Bad,,\n`);
      expect(await cli(['ingredients', 'import', at('refused.csv')])).toMatchObject({ code: 1 });
      expect(await names('refused')).toEqual([]);
    });

    it('a backup is of one moment, is restored elsewhere, and leaves no copy', async () => {
      let written = 0;
      let isDone = false;
      const writing = (async () => {
        while (!isDone) {
          written += 1;
          await lin.post('/api/projects', { name: `P${written}` }).expect(201);
        }
      })();
      const backup = await cli(['db', 'backup', at('a.backup')]);
      isDone = true;
      await writing;
      expect(backup).toMatchObject({ code: 0, stderr: expect.stringMatching(/a\.backup: [\d,]+ bytes/) });
      expect(await copies()).toEqual([]);

      use({ DATA_DIR: at('restored') });
      expect(await cli(['db', 'restore', at('a.backup')])).toMatchObject({ code: 0 });
      const restored = await bootApp({ settings: { ...settings(), DATA_DIR: at('restored') } });
      try {
        const query = async (of: TestApp, text: string) => of.app.get(Database).query({ text });
        for (const text of [
          'SELECT * FROM ingredients ORDER BY id',
          'SELECT * FROM users ORDER BY id',
          'SELECT * FROM runtime_settings ORDER BY name',
        ]) {
          expect(await query(restored, text)).toEqual(await query(service, text));
        }
        // The first so many, none left out.
        const projects = await query(restored, 'SELECT name FROM projects ORDER BY substr(name, 2)::int');
        expect(projects).toEqual(projects.map((_, n) => ({ name: `P${n + 1}` })));
        expect(projects.length).toBeLessThanOrEqual(written);
      } finally {
        await restored.close();
      }
    });

    it('a backup that is killed in the midst leaves no copy and no file, and the next one is let', async () => {
      await killWhenItSays(/^\w+ \.\.\./m, ['db', 'backup', at('killed.backup')]);
      while ((await copies()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await readdir(folder)).not.toContain('killed.backup');
      expect(await cli(['db', 'backup', at('next.backup')])).toMatchObject({ code: 0 });
    });
  },
);
