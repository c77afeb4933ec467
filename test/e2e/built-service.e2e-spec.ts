import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';

const ROOT = join(__dirname, '..', '..');

/** A process of the built service, and what it wrote. */
class Service {
  readonly child: ChildProcess;
  output = '';
  private readonly exit: Promise<{ code: number | null; signal: string | null }>;

  constructor(parameters: string[], variables: Record<string, string>) {
    // Nothing of this machine's settings: the service is to run with its defaults.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...variables };
    this.child = spawn(process.execPath, parameters, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.exit = new Promise((resolve) =>
      this.child.once('exit', (code, signal) => resolve({ code, signal })),
    );
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  /** Where it listens, as soon as its log says so. */
  address(): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const url = /Listening on (http:\S+)\/api/.exec(this.output)?.[1];
        if (url) resolve(url);
      };
      this.child.stdout!.on('data', look);
      void this.ended().then(() => reject(new Error(`It ended before it listened:\n${this.output}`)));
      look();
    });
  }

  ended() {
    return this.exit;
  }
}

describe('The built service', () => {
  let dataDir: string;
  let service: Service | undefined;

  beforeAll(() => {
    // Builds where there is no build or an old one; the entry is the same as `npm start`'s.
    execFileSync(
      process.execPath,
      ['--input-type=module', '-e', `import { ensureBuilt } from './scripts/built.mjs'; ensureBuilt();`],
      { cwd: ROOT, stdio: 'pipe' },
    );
  }, 300_000);
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'service-'));
    service = undefined;
  });
  afterEach(async () => {
    service?.child.kill('SIGKILL');
    await service?.ended();
    rmSync(dataDir, { recursive: true });
  });

  const start = (variables: Record<string, string> = {}) =>
    (service = new Service([join('dist', 'main.js')], { PORT: '0', DATA_DIR: dataDir, ...variables }));

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'starts on an empty directory, keeps what it stored, and stops cleanly on %s',
    async (signal) => {
      const first = start();
      const http = supertest(await first.address());
      await http.get('/api/health').expect(200);
      const account = { username: 'lin', password: 'secret' };
      await http.post('/api/auth/register').send(account).expect(201);
      first.child.kill(signal);
      expect(await first.ended()).toEqual({ code: 0, signal: null });
      expect(existsSync(join(dataDir, 'jwt-secret'))).toBe(true);

      const second = start();
      await supertest(await second.address())
        .post('/api/auth/login')
        .send(account)
        .expect(200);
      second.child.kill(signal);
      expect(await second.ended()).toEqual({ code: 0, signal: null });
    },
    300_000,
  );

  it('says what is wrong with its settings, all at once, and ends', async () => {
    const refused = start({ PORT: 'abc', AI_MOCK: 'maybe' });
    expect((await refused.ended()).code).toBe(1);
    expect(refused.output).toContain('PORT must be a whole number from 0 to 65535');
    expect(refused.output).toContain('AI_MOCK must be true or false');
    expect(refused.output).not.toContain('    at ');
  }, 300_000);

  it('is a module that others boot and close: nothing keeps their process alive', async () => {
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
    const guest = (service = new Service(['-e', script], { NODE_ENV: 'test' }));
    expect(await guest.ended()).toEqual({ code: 0, signal: null });
    expect(guest.output).toContain('closed');
  }, 300_000);
});
