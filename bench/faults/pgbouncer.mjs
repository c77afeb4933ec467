import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, isOpen } from './ports.mjs';

/** Debian installs it where only root's PATH leads. */
const program = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find(existsSync);

/** A PgBouncer of its own before a server that trusts whoever comes. */
export async function startPgBouncer(target, mode) {
  if (!program) throw new Error('PgBouncer is not installed');
  const directory = mkdtempSync(join(tmpdir(), 'formula-faults-pgbouncer-'));
  const { hostname, port: serverPort, username } = new URL(target);
  const port = await freePort();
  const settings = join(directory, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 20
`,
  );
  // It refuses to be root, and reads its settings as nobody.
  chmodSync(directory, 0o755);
  const user = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(program, ['-q', settings], { stdio: 'ignore', cwd: '/', ...user });
  while (child.exitCode === null && !(await isOpen(port))) await pause(50);
  if (child.exitCode !== null) throw new Error('PgBouncer did not start');
  const url = new URL(target);
  url.port = String(port);
  return {
    url: url.toString(),
    close: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
