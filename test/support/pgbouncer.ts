import { spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Debian installs it where only root's PATH leads. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];

/** The program; undefined where it is not installed. */
export const PGBOUNCER = FOLDERS.map((folder) => join(folder, 'pgbouncer')).find((file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

export interface RunningPgBouncer {
  /** The server's address by way of it. */
  url: string;
  close(): Promise<void>;
}

/** One that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

/** A PgBouncer of its own before a server that trusts whoever comes. */
export async function startPgBouncer(
  server: string,
  mode: 'session' | 'transaction' | 'statement',
): Promise<RunningPgBouncer> {
  const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const target = new URL(server);
  const settings = join(directory, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${target.hostname} port=${target.port || '5432'} user=${target.username || 'postgres'}${
      target.password ? ` password=${target.password}` : ''
    }
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 20
`,
  );
  // It refuses to be root.
  chmodSync(directory, 0o755);
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(PGBOUNCER!, ['-q', settings], { stdio: 'ignore', cwd: '/', ...user });
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (child.exitCode === null && !(await answers(port))) await pause(50);
  if (child.exitCode !== null) throw new Error('PgBouncer did not start');
  const url = new URL(server);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.toString(),
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
