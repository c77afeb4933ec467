import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createServer, type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The program; undefined where it is not installed. */
export const REDIS = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'redis-server'))
  .find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

async function freePort(): Promise<number> {
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

/** Files of a certificate that signs itself. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A Redis of the test's own, with a password, which keeps nothing on the disk. */
export class RunningRedis {
  private stopped: (() => Promise<void>) | undefined;
  private signalled: ((signal: NodeJS.Signals) => void) | undefined;

  private constructor(
    private readonly port: number,
    readonly password: string,
    private readonly certificate?: Certificate,
  ) {}

  /** @param certificate where it is to be spoken to by TLS alone */
  static async start(password: string, certificate?: Certificate): Promise<RunningRedis> {
    const redis = new RunningRedis(await freePort(), password, certificate);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `${this.certificate ? 'rediss' : 'redis'}://:${this.password}@127.0.0.1:${this.port}/1`;
  }

  async start(): Promise<void> {
    const { port, certificate } = this;
    const settings = `--bind 127.0.0.1 --appendonly no --requirepass ${this.password}`;
    const listening = certificate
      ? `--port 0 --tls-port ${port} --tls-auth-clients no`.split(' ')
      : ['--port', String(port)];
    const files = certificate && [
      ...['--tls-cert-file', certificate.certificate, '--tls-key-file', certificate.key],
      ...['--tls-ca-cert-file', certificate.certificate],
    ];
    const parameters = [...settings.split(' '), ...listening, ...(files ?? []), '--save', ''];
    const child = spawn(REDIS!, parameters, { stdio: 'ignore', cwd: tmpdir() });
    const ended = new Promise((resolve) => child.once('close', resolve));
    while (child.exitCode === null && !(await answers(this.port))) await pause(20);
    if (child.exitCode !== null) throw new Error('Redis did not start');
    this.signalled = (signal) => child.kill(signal);
    this.stopped = async () => {
      child.kill('SIGKILL');
      await ended;
    };
  }

  async stop(): Promise<void> {
    await this.stopped?.();
    this.stopped = undefined;
  }

  /** Takes connections and says nothing any more. */
  freeze(): void {
    this.signalled?.('SIGSTOP');
  }

  thaw(): void {
    this.signalled?.('SIGCONT');
  }
}
