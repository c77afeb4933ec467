import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryLock } from '../../src/platform/database/embedded/directory-lock';
import { createTestDatabase, TEST_SERVER } from '../support/databases';

const ROOT = join(__dirname, '..', '..');
/** A build may come first, and the machine may be busy. */
const PATIENCE = 240_000;

/** A Node process with nothing of this machine's settings: by default what `npm start` runs. */
class Service {
  output = '';
  readonly ended: Promise<number | null>;

  private constructor(private readonly process: ChildProcess) {
    const collect = (text: string) => (this.output += text);
    process.stdout?.setEncoding('utf8').on('data', collect);
    process.stderr?.setEncoding('utf8').on('data', collect);
    this.ended = new Promise((resolve) => process.once('close', resolve));
  }

  static start(settings: Record<string, string>, parameters = [join(ROOT, 'scripts', 'start.mjs')]): Service {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, PORT: '0', HOST: '127.0.0.1', ...settings } as NodeJS.ProcessEnv;
    // Where no `.env` of a developer is.
    const cwd = settings.NODE_ENV === 'test' ? ROOT : tmpdir();
    return new Service(spawn(process.execPath, parameters, { cwd, env }));
  }

  /** The address it says it listens on. */
  async address(): Promise<string> {
    const [, address] = await this.says(/Listening on (\S+)/);
    return address!.replace('localhost', '127.0.0.1');
  }

  async says(words: RegExp): Promise<RegExpExecArray> {
    let ended = false;
    void this.ended.then(() => (ended = true));
    for (;;) {
      const found = words.exec(this.output);
      if (found) return found;
      if (ended) throw new Error(`The service ended:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  stop(signal: NodeJS.Signals): Promise<number | null> {
    this.process.kill(signal);
    return this.ended;
  }
}

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

// Each where its database is: CI runs all of them, once.
const onServer = TEST_SERVER ? it : undefined;
const onEmbedded = TEST_SERVER ? undefined : it;

describe('npm start', () => {
  const account = { username: 'lin', password: 'secret' };
  let folder: string;
  const running: Service[] = [];
  const start = (settings: Record<string, string>) => {
    const service = Service.start({ DATA_DIR: join(folder, 'data'), ...settings });
    running.push(service);
    return service;
  };
  // The build of the sources as they are. This is the one test that builds: two at once would be in each
  // other's way.
  beforeAll(() => {
    const build = "import { ensureBuilt } from './scripts/built.mjs'; ensureBuilt();";
    execFileSync(process.execPath, ['--input-type=module', '-e', build], { cwd: ROOT, stdio: 'pipe' });
  }, PATIENCE);
  // It waits for half a minute, meanwhile the other tests run.
  const taken = mkdtempSync(join(tmpdir(), 'start-'));
  let waiting: Service | undefined;
  let holder: DirectoryLock | undefined;
  beforeAll(() => {
    if (TEST_SERVER) return;
    holder = DirectoryLock.acquire(taken, 'command');
    waiting = Service.start({ DATA_DIR: taken });
  });
  afterAll(async () => {
    await waiting?.stop('SIGKILL');
    holder?.release();
    rmSync(taken, { recursive: true, force: true });
  });
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'start-'))));
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  });

  onEmbedded?.(
    'says what it does, serves, keeps its directory for itself, and stops with code 0',
    async () => {
      const service = start({});
      const address = await service.address();
      expect(service.output).toContain(`Embedded PostgreSQL in ${join(folder, 'data')}`);
      expect(service.output).toContain('Migrating the database');
      expect((await fetch(`${address}/health`)).status).toBe(200);
      expect(service.output).toMatch(/API page: \S+\/api\/docs/);
      // At the address of HOST, and at no other one of this machine.
      await expect(fetch(`${address.replace('127.0.0.1', '127.0.0.2')}/health`)).rejects.toThrow();
      const registered = await post(`${address}/auth/register`, account);
      const { data } = (await registered.json()) as { data: { token: string } };

      // A second one waits: at a restart the first is about to end.
      const restarted = start({});
      await restarted.says(/data directory .* is in use by a service \(process \d+\).*Waiting/);
      expect(await service.stop('SIGINT')).toBe(0);
      await restarted.address();
      expect(await restarted.stop('SIGTERM')).toBe(0);
      expect(service.output).toContain('Stopping');
      expect(service.output).not.toMatch(/ERROR|^ +at /m);

      // What was stored survives, tokens too: their secret is kept in the directory.
      expect(existsSync(join(folder, 'data', 'jwt-secret'))).toBe(true);
      // A command has the directory: the service waits for its end.
      const command = DirectoryLock.acquire(join(folder, 'data'), 'command');
      const again = start({});
      await again.says(/is in use by a command \(process \d+\).*Waiting/);
      command.release();
      const back = await again.address();
      expect((await post(`${back}/auth/login`, account)).status).toBe(200);
      const headers = { Authorization: `Bearer ${data.token}` };
      expect((await fetch(`${back}/auth/me`, { headers })).status).toBe(200);
      expect(await again.stop('SIGTERM')).toBe(0);
    },
    PATIENCE,
  );

  onEmbedded?.(
    'goes on for STOP_DELAY after the signal: unready, alive, and at work',
    async () => {
      const service = start({ STOP_DELAY: '2' });
      const address = await service.address();
      const port = Number(new URL(address).port);
      const kept = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (path: string, agent: Agent) =>
        new Promise<{ status?: number; connection?: string; body: string }>((resolve, reject) => {
          get({ host: '127.0.0.1', port, path: `/api${path}`, agent }, (response) => {
            let body = '';
            response.setEncoding('utf8').on('data', (text: string) => (body += text));
            const { statusCode: status, headers } = response;
            response.on('end', () => resolve({ status, connection: headers.connection, body }));
          }).on('error', reject);
        });
      expect(await ask('/health', kept)).toMatchObject({ status: 200, connection: 'keep-alive' });

      const ended = service.stop('SIGTERM');
      while (!service.output.includes('Stopping in 2 s')) await new Promise((go) => setTimeout(go, 20));
      const unready = await ask('/health', kept);
      expect(unready).toMatchObject({ status: 503, connection: 'close' });
      expect(JSON.parse(unready.body)).toMatchObject({ status: 'error', error: '服务暂时不可用' });
      expect(await ask('/ext/live', new Agent())).toMatchObject({ status: 200 });
      const registered = await post(`${address}/auth/register`, account);
      expect([registered.status, registered.headers.get('connection')]).toEqual([201, 'close']);

      expect(await ended).toBe(0);
      await expect(ask('/ext/live', new Agent())).rejects.toThrow('ECONNREFUSED');
    },
    PATIENCE,
  );

  onEmbedded?.(
    'names every wrong setting at once and nothing else',
    async () => {
      const service = start({
        PORT: 'many',
        THROTTLE_LIMIT: '0',
        AI_MOCK: 'perhaps',
        DATABASE_URL: 'mysql://x',
      });
      expect(await service.ended).toBe(1);
      expect(service.output.match(/^ {2}- \w+/gm)).toEqual([
        '  - PORT',
        '  - DATABASE_URL',
        '  - THROTTLE_LIMIT',
        '  - AI_MOCK',
      ]);
      expect(service.output).not.toMatch(/ERROR|^ +at /m);
    },
    PATIENCE,
  );

  onEmbedded?.(
    'explains a port that is taken and a server that is not there, without a stack',
    async () => {
      const taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
      const { port } = taken.address() as AddressInfo;
      try {
        const service = start({ PORT: String(port) });
        expect(await service.ended).toBe(1);
        expect(service.output).toContain('Another program uses this port');
        expect(service.output).not.toMatch(/ERROR|^ +at /m);
      } finally {
        await new Promise((resolve) => taken.close(resolve));
      }
      // Nobody listens there now.
      const service = start({ DATABASE_URL: `postgres://nobody:hidden@127.0.0.1:${port}/nothing` });
      expect(await service.ended).toBe(1);
      expect(service.output).toContain('Cannot reach the database server of DATABASE_URL');
      expect(service.output).not.toMatch(/ERROR|hidden|^ +at /m);
    },
    PATIENCE,
  );

  onEmbedded?.(
    'refuses the development secret in production',
    async () => {
      const known = start({ NODE_ENV: 'production', JWT_SECRET: 'formula-development-secret' });
      expect(await known.ended).toBe(1);
      expect(known.output).toContain('JWT_SECRET is the development default');
      const none = start({ NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1/nothing' });
      expect(await none.ended).toBe(1);
      expect(none.output).toContain('JWT_SECRET must be set in production');
    },
    PATIENCE,
  );

  onEmbedded?.(
    'is also a module that others boot and close: nothing keeps their process alive',
    async () => {
      const script = `
        require('reflect-metadata');
        const { Test } = require('@nestjs/testing');
        const { AppModule } = require('./dist/index.js');
        (async () => {
          const compiled = await Test.createTestingModule({ imports: [AppModule] }).compile();
          const app = compiled.createNestApplication();
          await app.init();
          await app.close();
          console.log('closed');
        })();
      `;
      const guest = Service.start({ NODE_ENV: 'test' }, ['-e', script]);
      running.push(guest);
      expect(await guest.ended).toBe(0);
      expect(guest.output).toContain('closed');
    },
    PATIENCE,
  );

  /** A module with this provider, in a file for `--app`. */
  const applicationWith = (provider: string) => {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
    const content = `
      const { Module } = require('@nestjs/common');
      const { DataSource } = require('typeorm');
      const { AppModule } = require(${JSON.stringify(join(ROOT, 'dist'))});
      class Team {}
      Module({ providers: [{ provide: 'team', inject: [DataSource], ${provider} }] })(Team);
      const extensions = [Team];
      exports.AppModule = AppModule.register({ extensions });
      exports.extensions = extensions;`;
    const file = join(folder, 'app.js');
    writeFileSync(file, content);
    return file;
  };
  const BROKEN = "useFactory: () => { throw new Error('broken') }";

  onEmbedded?.(
    'ends with code 1 as a command, too, where the port is taken',
    async () => {
      const taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
      const PORT = String((taken.address() as AddressInfo).port);
      const service = Service.start({ PORT, NODE_ENV: 'test' }, [join('dist', 'cli', 'main.js'), 'start']);
      running.push(service);
      expect(await service.ended).toBe(1);
      expect(service.output).toContain('Another program uses this port');
      await new Promise((resolve) => taken.close(resolve));
    },
    PATIENCE,
  );

  onEmbedded?.each([
    ['is broken', BROKEN],
    [
      'is broken and leaves a timer',
      "useFactory: () => { setInterval(() => 0, 1000); throw new Error('broken') }",
    ],
    ['fails to begin', "useFactory: () => ({ onModuleInit() { throw new Error('broken') } })"],
  ])(
    'ends commands with code 1 where a module %s',
    async (_, provider) => {
      const file = applicationWith(provider);
      for (const command of [['start'], ['users', 'list']]) {
        const parameters = [join('dist', 'cli', 'main.js'), ...command, '--app', file];
        const service = Service.start({ NODE_ENV: 'test' }, parameters);
        running.push(service);
        expect(await service.ended).toBe(1);
        expect(service.output).toContain('Error: broken');
      }
    },
    PATIENCE,
  );

  onEmbedded?.each([
    ['a command line', "require('./dist/cli').runCli(undefined, { args: ['users', 'list', '--app', FILE] })"],
    ['a service', "require('./dist').startService(require(FILE).AppModule)"],
    ['an application for tests', "require('./dist/testing').createTestApp(require(FILE))"],
  ])(
    'leaves nothing open of %s of others that cannot start',
    async (_, begin) => {
      const script = `
        const FILE = ${JSON.stringify(applicationWith(BROKEN))};
        ${begin}.then(() => console.log('told'), ({ message }) => console.log('told', message));`;
      const guest = Service.start({ NODE_ENV: 'test' }, ['-e', script]);
      running.push(guest);
      expect(await guest.ended).toBe(0);
      expect(guest.output).toMatch(/broken[^]*told|told broken/);
    },
    PATIENCE,
  );

  onEmbedded?.(
    'runs commands: results on standard output, the rest beside it, and an exit code',
    async () => {
      const { PATH, HOME } = process.env;
      const options = {
        cwd: folder,
        env: { PATH, HOME, DATA_DIR: join(folder, 'data') } as NodeJS.ProcessEnv,
      };
      const cli = (...args: string[]) =>
        spawnSync(process.execPath, [join(ROOT, 'scripts', 'cli.mjs'), ...args], {
          ...options,
          encoding: 'utf8',
        });
      expect(cli('--help')).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^Usage: formula-service /),
        stderr: '',
      });
      expect(cli('users', 'nonsense')).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(/^Error: there is no command "nonsense"/),
      });
      const listed = cli('users', 'list');
      expect(listed).toMatchObject({ status: 0, stdout: 'id\trole\tcreated\tdisabled\tusername\n' });
      expect(listed.stderr).toContain('Embedded PostgreSQL in');

      // `… | head`: nobody reads on.
      const child = spawn(process.execPath, [join(ROOT, 'scripts', 'cli.mjs'), '--help'], options);
      child.stdout.destroy();
      let told = '';
      child.stderr.setEncoding('utf8').on('data', (text) => (told += text));
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect({ code, told }).toEqual({ code: 0, told: '' });
    },
    PATIENCE,
  );

  onEmbedded?.(
    'writes its OpenAPI document, and refuses another one',
    () => {
      for (const name of ['openapi.mjs', 'built.mjs']) {
        mkdirSync(join(folder, 'scripts'), { recursive: true });
        copyFileSync(join(ROOT, 'scripts', name), join(folder, 'scripts', name));
      }
      for (const name of ['dist', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name), 'dir');
      const { PATH, HOME } = process.env;
      const openapi = (...args: string[]) =>
        spawnSync(process.execPath, [join(folder, 'scripts', 'openapi.mjs'), ...args], {
          env: { PATH, HOME, DATABASE_URL: 'postgres://127.0.0.1:1/none' },
          encoding: 'utf8',
        });
      const file = join(folder, 'docs', 'openapi.json');
      expect(openapi('--check')).toMatchObject({
        status: 1,
        stderr: 'docs/openapi.json is not what the code gives: run `npm run openapi` and commit it.\n',
      });
      expect(existsSync(file)).toBe(false);
      expect(openapi()).toMatchObject({ status: 0, stdout: `Wrote ${file}\n` });
      expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(ROOT, 'docs', 'openapi.json'), 'utf8'));
      expect(openapi('--check')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    },
    PATIENCE,
  );

  onEmbedded?.(
    'ends with code 1 where another process keeps the directory',
    async () => {
      await waiting!.says(/is in use by a command \(process \d+\).*Waiting/);
      expect(await waiting!.ended).toBe(1);
      expect(waiting!.output).not.toMatch(/^ +at /m);
    },
    PATIENCE,
  );

  onServer?.(
    'warns of the development secret on a server',
    async () => {
      const database = await createTestDatabase(TEST_SERVER!);
      try {
        const service = start({ DATABASE_URL: database.url });
        await service.address();
        expect(service.output).toMatch(/WARN.*JWT_SECRET is the publicly known development default/);
        expect(await service.stop('SIGTERM')).toBe(0);
        const secret = start({ DATABASE_URL: database.url, JWT_SECRET: 'a secret of our own' });
        await secret.address();
        expect(secret.output).not.toContain('WARN');
        expect(await secret.stop('SIGTERM')).toBe(0);
      } finally {
        await database.drop();
      }
    },
    PATIENCE,
  );
});
