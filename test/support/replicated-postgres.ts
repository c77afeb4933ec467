import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** Debian's versions, newest first, then where programs are. */
const FOLDERS = [
  ...(existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN, version, 'bin')),
  ...(process.env.PATH ?? '').split(delimiter),
];

/** The folder of PostgreSQL's programs; undefined where they are not installed. */
export const POSTGRES_PROGRAMS = FOLDERS.find((folder) =>
  ['initdb', 'pg_ctl', 'pg_basebackup'].every((program) => existsSync(join(folder, program))),
);

export interface ReplicatedPostgres {
  /** One address of both servers, the primary first. */
  readonly url: string;
  /** The addresses of each. */
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Ends the primary without a word. */
  killPrimary(): void;
  /** Ends the standby without a word. */
  killStandby(): void;
  startStandby(): void;
  /** The standby takes connections and says nothing any more. */
  freezeStandby(): void;
  thawStandby(): void;
  /** Makes the standby the one that takes writes. */
  promoteStandby(): void;
  /** Starts the first server again, as a standby of the second. */
  startFormerPrimary(): void;
  close(): void;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The user that PostgreSQL, which refuses to be root, runs as. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A primary and its streaming standby, of their own, trusting whoever comes; not durable. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'replicated-'));
  const user = serverUser();
  if (user) chownSync(directory, user.uid, user.gid);
  const run = (program: string, ...more: string[]) =>
    execFileSync(join(POSTGRES_PROGRAMS!, program), more, { cwd: directory, stdio: 'ignore', ...user });
  const [first, second] = [join(directory, 'first'), join(directory, 'second')];
  const ports = { [first]: await freePort(), [second]: await freePort() };
  const stop = (data: string) => run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
  const start = (data: string) => {
    const options = [
      `-p ${ports[data]}`,
      '-c listen_addresses=127.0.0.1',
      `-c unix_socket_directories=${directory}`,
      '-c fsync=off',
      '-c wal_keep_size=256MB',
    ];
    run('pg_ctl', '-D', data, '-l', `${data}.log`, '-w', '-o', options.join(' '), 'start');
  };
  const copy = (from: string, to: string) =>
    run(
      'pg_basebackup',
      '-h',
      '127.0.0.1',
      '-p',
      String(ports[from]),
      '-U',
      'postgres',
      '-D',
      to,
      '-R',
      '-c',
      'fast',
    );
  const running = new Set<string>();

  run('initdb', '-D', first, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync');
  start(first);
  running.add(first);
  copy(first, second);
  start(second);
  running.add(second);

  /** The server and all its processes. */
  const signal = (data: string, name: NodeJS.Signals) => {
    const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', pid!], { encoding: 'utf8' });
    for (const one of [pid!, ...children.split('\n')].filter((line) => line.trim()))
      process.kill(Number(one), name);
  };
  const address = (data: string) => `127.0.0.1:${ports[data]}`;
  return {
    url: `postgres://postgres@${address(first)},${address(second)}/postgres?target_session_attrs=read-write`,
    primaryUrl: `postgres://postgres@${address(first)}/postgres`,
    standbyUrl: `postgres://postgres@${address(second)}/postgres`,
    killStandby() {
      stop(second);
      running.delete(second);
    },
    startStandby() {
      start(second);
      running.add(second);
    },
    freezeStandby: () => signal(second, 'SIGSTOP'),
    thawStandby: () => signal(second, 'SIGCONT'),
    killPrimary() {
      stop(first);
      running.delete(first);
    },
    promoteStandby() {
      run('pg_ctl', '-D', second, '-w', 'promote');
    },
    startFormerPrimary() {
      rmSync(first, { recursive: true });
      copy(second, first);
      start(first);
      running.add(first);
    },
    close() {
      for (const data of running) stop(data);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
