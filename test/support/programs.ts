import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const DEBIANS_POSTGRES = '/usr/lib/postgresql';

/** Where programs are: Debian installs some where only root's PATH leads, and PostgreSQL's by its version. */
const FOLDERS = [
  ...(existsSync(DEBIANS_POSTGRES) ? readdirSync(DEBIANS_POSTGRES) : [])
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIANS_POSTGRES, version, 'bin')),
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
];

const isProgram = (file: string) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The folder that has all of these programs; undefined where they are not installed. */
export const folderOf = (...names: string[]): string | undefined =>
  FOLDERS.find((folder) => names.every((name) => isProgram(join(folder, name))));

/** A program's file; undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  const folder = folderOf(name);
  return folder && join(folder, name);
}

const given = new Set<number>();

/** A port of this machine that nobody listens on at this moment, and that was not given to another. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

/** Whether somebody listens on a port of this machine. */
export const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

/** How long a program may take to end before it is killed, in milliseconds. */
const PATIENCE_MS = 40_000;

/** How long it may take to be ready, in milliseconds; the machine may be busy. */
const START_MS = 120_000;

/** Of its output the end is kept: it says why a program did not start. */
const OUTPUT_KEPT = 20_000;

/** A program that was started, in a group of its own: Ctrl-C is for who has started it. */
export class RunningProgram {
  output = '';
  private readonly child: ChildProcess;
  readonly ended: Promise<void>;

  constructor(
    private readonly name: string,
    file: string,
    parameters: readonly string[],
    options: SpawnOptions = {},
  ) {
    this.child = spawn(file, parameters, {
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...options,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-OUTPUT_KEPT);
      });
    }
    this.ended = new Promise((resolve) => {
      this.child.once('exit', () => resolve()).once('error', () => resolve());
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isRunning(): boolean {
    return this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** @throws where the program has ended, or is not ready after two minutes, with what it said */
  async until(isReady: () => Promise<boolean>): Promise<void> {
    const limit = performance.now() + START_MS;
    while (this.isRunning && performance.now() < limit) {
      if (await isReady()) return;
      await pause(20);
    }
    this.signal('SIGKILL');
    // What it said may arrive after its end.
    await pause(50);
    throw new Error(`${this.name} did not start:\n${this.output}`);
  }

  signal(name: NodeJS.Signals): void {
    if (this.isRunning) this.child.kill(name);
  }

  /** Ends it with a signal; killed where that does not help. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.signal(signal);
    const patience = setTimeout(() => this.signal('SIGKILL'), PATIENCE_MS);
    await this.ended;
    clearTimeout(patience);
  }
}
