import { createServer, type Server } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, isOpen, RunningProgram } from './programs';
import type { PostgresServer } from './postgres-server';

/** The program; undefined where it is not installed. */
export const HAPROXY = findProgram('haproxy');

const OURS = join(__dirname, '..', '..', 'docker', 'haproxy.cfg');

/** A PostgreSQL server, and the port at which clients reach it: its own, or that of a PgBouncer. */
export interface ProxiedNode {
  readonly server: PostgresServer;
  readonly port: number;
}

export interface RunningHaproxy {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers HAProxy's checks as Patroni's REST API answers `GET /primary`. */
class PrimaryCheck {
  requests = 0;
  readonly api: Server;

  constructor(server: PostgresServer) {
    this.api = createServer((_, response) => {
      this.requests++;
      server.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby').then(
        ([row]) => response.writeHead(row!.standby ? 503 : 200).end(),
        () => response.writeHead(503).end(),
      );
    });
  }

  get port(): number {
    return (this.api.address() as AddressInfo).port;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.api.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.api.closeAllConnections();
    this.api.close();
  }
}

/**
 * HAProxy takes every node for a primary until two checks have failed. The third request says that it has read
 * the answers of the first two.
 */
const SETTLED_AFTER_CHECKS = 3;

/** docker/haproxy.cfg for nodes on this machine. */
function settingsFor(nodes: readonly ProxiedNode[], checks: readonly PrimaryCheck[], port: number): string {
  const servers = nodes.map((node, index) => {
    return `  server node${index + 1} 127.0.0.1:${node.port} check port ${checks[index]!.port}\n`;
  });
  return readFileSync(OURS, 'utf8')
    .replace('bind :5432', `bind 127.0.0.1:${port}`)
    .replace(/( {2}server .*\n)+/, servers.join(''));
}

/** An HAProxy with the settings of docker/haproxy.cfg, which leads to the primary. */
export async function startHaproxy(nodes: readonly ProxiedNode[]): Promise<RunningHaproxy> {
  const checks = nodes.map(({ server }) => new PrimaryCheck(server));
  await Promise.all(checks.map((check) => check.start()));
  const directory = mkdtempSync(join(tmpdir(), 'haproxy-'));
  const port = await freePort();
  const settings = join(directory, 'haproxy.cfg');
  writeFileSync(settings, settingsFor(nodes, checks, port));
  const program = new RunningProgram('HAProxy', HAPROXY!, ['-db', '-f', settings]);
  const close = async () => {
    await program.stop('SIGKILL');
    for (const check of checks) check.close();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await program.until(() => isOpen(port));
    await program.until(() =>
      Promise.resolve(checks.every(({ requests }) => requests >= SETTLED_AFTER_CHECKS)),
    );
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}
