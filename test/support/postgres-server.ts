import { execFile, execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { folderOf, freePort, RunningProgram } from './programs';

/** The folder of PostgreSQL's programs; undefined where they are not installed. */
export const POSTGRES_PROGRAMS = folderOf('initdb', 'pg_ctl', 'pg_basebackup', 'postgres');

/** The user that PostgreSQL, which refuses to be root, runs as. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** What the system knows of a process; undefined: there is none (Linux). */
function statusOf(pid: number): { state: string; parent: number } | undefined {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return { state: state!, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

/** One that has ended may be there as long as nobody has asked how. */
const isAlive = (pid: number) => !['Z', 'X', undefined].includes(statusOf(pid)?.state);

/**
 * A PostgreSQL server in a temporary directory, which trusts whoever comes. It can be stopped, killed and
 * started again; it does not outlive the machine (no fsync).
 */
export class PostgresServer {
  private program: RunningProgram | undefined;
  private readonly user = serverUser();

  private constructor(
    private readonly home: string,
    readonly port: number,
  ) {}

  /** With a first database `postgres`, and nobody to copy it. */
  static async create(): Promise<PostgresServer> {
    const server = await PostgresServer.at();
    const { data } = server;
    const locale = ['-E', 'UTF8', '--locale=C.UTF-8'];
    return server.orRemoved(async () => {
      await server.run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', ...locale, '--no-sync');
      await server.start();
    });
  }

  private static async at(): Promise<PostgresServer> {
    const server = new PostgresServer(mkdtempSync(join(tmpdir(), 'postgres-')), await freePort());
    if (server.user) chownSync(server.home, server.user.uid, server.user.gid);
    return server;
  }

  private get data(): string {
    return join(this.home, 'data');
  }

  url(database = 'postgres', user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** A streaming standby of this server. */
  async createStandby(): Promise<PostgresServer> {
    const standby = await PostgresServer.at();
    return standby.orRemoved(() => standby.follow(this));
  }

  /** Starts anew as a streaming standby of another server; what it had is gone. */
  async follow(primary: PostgresServer): Promise<void> {
    rmSync(this.data, { recursive: true, force: true });
    const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
    await this.run('pg_basebackup', ...from, '-D', this.data, '-R', '-c', 'fast', '--no-sync');
    await this.start();
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const settings = {
      port: this.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      max_connections: 300,
      wal_keep_size: '256MB',
      wal_retrieve_retry_interval: '200ms',
    };
    const parameters = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const file = join(POSTGRES_PROGRAMS!, 'postgres');
    const program = new RunningProgram('PostgreSQL', file, ['-D', this.data, ...parameters], {
      cwd: this.home,
      ...this.user,
    });
    this.program = program;
    await program.until(() => this.answers());
  }

  /** Once those who are connected have been sent away; what they had under way is undone. */
  stop(): Promise<void> {
    return this.program?.stop('SIGINT') ?? Promise.resolve();
  }

  /** Without a word: it and all that it has started. */
  async kill(): Promise<void> {
    const killed = this.signal('SIGKILL');
    await this.program?.ended;
    // None can be started as long as one of them holds its memory.
    while (killed.some(isAlive)) await pause(10);
  }

  /** From now on it takes writes. */
  async promote(): Promise<void> {
    await this.run('pg_ctl', '-D', this.data, '-w', 'promote');
  }

  async query<Row extends object = Record<string, unknown>>(text: string, database?: string): Promise<Row[]> {
    const client = new Client(this.url(database));
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /**
   * To the server and all that it has started, which have groups of their own (Linux).
   * @returns their numbers
   */
  signal(name: NodeJS.Signals): number[] {
    if (!this.program?.isRunning) return [];
    const { pid } = this.program;
    const numbers = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
    const all = [pid, ...numbers.map(Number).filter((other) => statusOf(other)?.parent === pid)];
    for (const each of all) {
      try {
        process.kill(each, name);
      } catch {
        // It has ended meanwhile.
      }
    }
    return all;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10 });
  }

  private async answers(): Promise<boolean> {
    try {
      await this.query('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  private async orRemoved(work: () => Promise<void>): Promise<this> {
    try {
      await work();
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  private async run(program: string, ...parameters: string[]): Promise<void> {
    await promisify(execFile)(join(POSTGRES_PROGRAMS!, program), parameters, {
      cwd: this.home,
      ...this.user,
    });
  }
}
