import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningProgram } from '../support/programs';

/** How an instance is run. */
export interface InstanceBuild {
  /** A directory with a build (`dist`) and its packages. */
  readonly directory: string;
  readonly settings: Readonly<NodeJS.ProcessEnv>;
}

/** The service in a process of its own, always on the same port. */
export class Instance {
  private program: RunningProgram | undefined;

  constructor(
    readonly port: number,
    /** Where it is run: a folder without `.env`. */
    private readonly home: string,
    private build: InstanceBuild,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves when it is ready. */
  async start(build = this.build): Promise<void> {
    this.build = build;
    const program = new RunningProgram(
      'The service',
      process.execPath,
      [join(build.directory, 'dist', 'main.js')],
      { cwd: this.home, env: { ...build.settings, PORT: String(this.port), HOST: '127.0.0.1' } },
    );
    this.program = program;
    await program.until(() => this.isReady());
  }

  async isReady(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.url}/api/health`, { signal: AbortSignal.timeout(5000) });
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  /** As a supervisor does: what is in progress is answered first. */
  async stop(): Promise<void> {
    await this.program?.stop('SIGTERM');
  }

  async kill(): Promise<void> {
    await this.program?.stop('SIGKILL');
  }

  signal(name: NodeJS.Signals): void {
    this.program?.signal(name);
  }

  get isRunning(): boolean {
    return this.program?.isRunning ?? false;
  }

  /** The end of its log. */
  get output(): string {
    return this.program?.output ?? '';
  }

  get pid(): number {
    return this.program!.pid;
  }

  /** Its memory in bytes, as the system counts it (Linux). */
  get memory(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
  }
}
