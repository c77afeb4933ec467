import { findProgram, freePort, isOpen, RunningProgram } from './programs';

/** The program; undefined where it is not installed. */
export const REDIS = findProgram('redis-server');

/** Files of a certificate that signs itself. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A Redis of the test's own, with a password, which keeps nothing on the disk. */
export class RunningRedis {
  private program: RunningProgram | undefined;

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
    const program = new RunningProgram('Redis', REDIS!, parameters);
    await program.until(() => isOpen(port));
    this.program = program;
  }

  async stop(): Promise<void> {
    await this.program?.stop('SIGKILL');
    this.program = undefined;
  }

  /** Takes connections and says nothing any more. */
  freeze(): void {
    this.program?.signal('SIGSTOP');
  }

  thaw(): void {
    this.program?.signal('SIGCONT');
  }
}
