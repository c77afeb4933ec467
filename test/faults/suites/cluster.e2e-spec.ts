import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPrograms } from '../../cluster/cluster';
import { TEST_SERVER } from '../../support/databases';
import { isOpen, RunningProgram } from '../../support/programs';

// Many programs are started, and the machine may be busy.
jest.setTimeout(180_000);

const COMMAND = join(__dirname, '..', '..', '..', 'scripts', 'cluster.mjs');

// Where the rest runs on a server: once is enough.
const canRun = TEST_SERVER !== undefined && missingPrograms().length === 0;
const describeWith = canRun ? describe : undefined;
const describeWithout = canRun ? undefined : describe;

describeWithout?.('npm run cluster', () => {
  it('nothing was tried: it takes nginx, PostgreSQL, PgBouncer and Redis, which CI has', () => {
    expect(process.env.CI !== undefined && TEST_SERVER !== undefined).toBe(false);
  });
});

describeWith?.('npm run cluster', () => {
  let directory: string;
  let command: RunningProgram | undefined;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'cluster-'));
    // PostgreSQL is not root.
    chmodSync(directory, 0o755);
  });
  afterEach(async () => {
    await command?.stop('SIGTERM');
    rmSync(directory, { recursive: true, force: true });
  });

  function start(...parameters: string[]): RunningProgram {
    const { PATH, HOME } = process.env;
    command = new RunningProgram('The cluster', process.execPath, [COMMAND, ...parameters], {
      env: { PATH, HOME, TMPDIR: directory },
    });
    return command;
  }

  /** Files and processes that are its own. */
  function leftBehind(): string[] {
    const commandOf = (pid: string) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    };
    const processes = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid));
    return [
      ...readdirSync(directory),
      ...processes.map(commandOf).filter((text) => text.includes(directory)),
    ];
  }

  it('serves behind nginx until it is told to end, and leaves nothing', async () => {
    const cluster = start('--instances', '2');
    await cluster.until(() => Promise.resolve(/nginx {7}\S+/.test(cluster.output)));
    const [, url] = /nginx {7}(\S+)/.exec(cluster.output)!;
    const answer = await fetch(`${url}/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password: 'secret' }),
    });
    expect(answer.status).toBe(201);
    const ports = [...cluster.output.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port));
    // Two servers, HAProxy, Redis, two instances, nginx.
    expect(ports).toHaveLength(7);
    await cluster.stop('SIGTERM');
    expect(leftBehind()).toEqual([]);
    expect(await Promise.all(ports.map(isOpen))).toEqual(ports.map(() => false));
  });

  it('leaves nothing where one of its programs does not start, and says which', async () => {
    const taken: Server = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const cluster = start('--instances', '1', '--port', String(port));
    await cluster.ended;
    await new Promise((resolve) => taken.close(resolve));
    expect(cluster.output).toMatch(/^nginx did not start:/m);
    expect(leftBehind()).toEqual([]);
  });
});
