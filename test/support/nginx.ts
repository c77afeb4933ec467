import { spawn, spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './pgbouncer';

/** Debian installs it where only root's PATH leads. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];

/** The program; undefined where it is not installed. */
export const NGINX = FOLDERS.map((folder) => join(folder, 'nginx')).find((file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

export interface RunningNginx {
  port: number;
  close(): Promise<void>;
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

/** What nginx says about a file of its conf.d. */
export function checkNginx(file: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'nginx-'));
  try {
    const settings = join(directory, 'nginx.conf');
    writeFileSync(settings, `pid ${directory}/pid; events {} http { access_log off; ${file} }`);
    return spawnSync(NGINX!, ['-t', '-c', settings, '-e', join(directory, 'error.log')], { encoding: 'utf8' })
      .stderr;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * An nginx of its own before services on this machine.
 * @param keptSeconds how long it keeps an idle connection to them; nginx's default is 60
 */
export async function startNginx(ports: readonly number[], keptSeconds = 60): Promise<RunningNginx> {
  const directory = mkdtempSync(join(tmpdir(), 'nginx-'));
  chmodSync(directory, 0o777);
  const port = await freePort();
  const settings = join(directory, 'nginx.conf');
  writeFileSync(
    settings,
    `daemon off; pid ${directory}/pid; error_log ${directory}/error.log;
worker_processes 1;
events { worker_connections 2000; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${directory}/${kind};`)
    .join(' ')}
  upstream service { ${ports.map((own) => `server 127.0.0.1:${own};`).join(' ')} keepalive 500; keepalive_timeout ${keptSeconds}s; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`,
  );
  const child = spawn(NGINX!, ['-p', directory, '-c', settings, '-e', join(directory, 'error.log')], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (child.exitCode === null && !(await answers(port))) await pause(50);
  if (child.exitCode !== null) throw new Error('nginx did not start');
  return {
    port,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
