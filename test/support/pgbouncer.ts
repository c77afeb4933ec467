import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, isOpen, RunningProgram } from './programs';

/** The program; undefined where it is not installed. */
export const PGBOUNCER = findProgram('pgbouncer');

export interface RunningPgBouncer {
  /** The server's address by way of it. */
  url: string;
  /** Ends it without a word, and starts another in its place. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A PgBouncer of its own, in session mode, before a server that trusts whoever comes. */
export async function startPgBouncer(server: string): Promise<RunningPgBouncer> {
  const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const target = new URL(server);
  const settings = join(directory, 'pgbouncer.ini');
  // A server that was away is asked again after a second, not after 15.
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
pool_mode = session
default_pool_size = 150
max_client_conn = 1000
server_login_retry = 1
`,
  );
  // It refuses to be root, and reads its settings as nobody.
  chmodSync(directory, 0o755);
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const start = async () => {
    const program = new RunningProgram('PgBouncer', PGBOUNCER!, ['-q', settings], { cwd: '/', ...user });
    await program.until(() => isOpen(port));
    return program;
  };
  let running = await start();
  const url = new URL(server);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.toString(),
    restart: async () => {
      await running.stop('SIGKILL');
      running = await start();
    },
    close: async () => {
      await running.stop('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
