import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, isOpen, RunningProgram } from './programs';

/** The program; undefined where it is not installed. */
export const NGINX = findProgram('nginx');

export interface RunningNginx {
  port: number;
  close(): Promise<void>;
}

const OURS = join(__dirname, '..', '..', 'docker', 'nginx.conf');

/** docker/nginx.conf for instances on this machine: Debian's nginx does not look names up again. */
export function ourSettings(ports: readonly number[], port: number): string {
  return readFileSync(OURS, 'utf8')
    .replace(/server service:3001 resolve([^;]*;)/, (_, how: string) =>
      ports.map((own) => `server 127.0.0.1:${own}${how}`).join('\n  '),
    )
    .replace(/resolver [^;]*;/, '')
    .replace('listen 8080;', `listen 127.0.0.1:${port};`);
}

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
export function startNginx(ports: readonly number[], keptSeconds = 60): Promise<RunningNginx> {
  const upstreams = ports.map((own) => `server 127.0.0.1:${own};`).join(' ');
  return start(
    (port) => `
  upstream service { ${upstreams} keepalive 500; keepalive_timeout ${keptSeconds}s; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }`,
  );
}

/** As in docker/: with the settings of docker/nginx.conf. */
export function startOurNginx(ports: readonly number[], port?: number): Promise<RunningNginx> {
  return start((own) => ourSettings(ports, own), port);
}

async function start(sites: (port: number) => string, chosen?: number): Promise<RunningNginx> {
  const port = chosen ?? (await freePort());
  if (await isOpen(port)) throw new Error(`nginx did not start: somebody listens on port ${port}`);
  const directory = mkdtempSync(join(tmpdir(), 'nginx-'));
  chmodSync(directory, 0o777);
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
  ${sites(port)}
}
`,
  );
  const parameters = ['-p', directory, '-c', settings, '-e', join(directory, 'error.log')];
  const program = new RunningProgram('nginx', NGINX!, parameters);
  try {
    await program.until(() => isOpen(port));
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    close: async () => {
      await program.stop('SIGTERM');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
