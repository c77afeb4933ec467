import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { EmbeddedDatabaseStartError } from './errors';

/** PostgreSQL's machine code: a `WebAssembly.Module`. */
type Engine = object;

/**
 * State of the thread in shared memory: the start of the current work (milliseconds of the monotonic clock, 0 if
 * idle) and its client. While it works, the thread can neither receive nor send messages.
 */
export type Running = Float64Array<SharedArrayBuffer>;

export interface ThreadSettings {
  /** PostgreSQL's own directory; absent: in memory. */
  dataDir?: string;
  templateFile: string | null;
  idleInTransactionMs?: number;
  idleMs?: number;
  running: Running;
}

export interface ThreadData extends ThreadSettings {
  /** Compiled by an earlier thread of this process: compiling takes a third of a start in memory. */
  engine?: Engine;
}

let compiled: Engine | undefined;

export type ThreadRequest =
  | { type: 'run'; client: number; bytes: Uint8Array<ArrayBuffer>; partial: boolean }
  | { type: 'leave'; client: number; statements: string[] }
  | { type: 'save'; id: number; file: string }
  | { type: 'close' };

export type ThreadEvent =
  | { type: 'answer'; client: number; bytes: Uint8Array }
  | { type: 'idle'; client: number; waiting: number; ms: number }
  | { type: 'saved'; id: number; reason?: string }
  | { type: 'progress' | 'warning'; text: string }
  | { type: 'closing' };

/** Why the thread has ended. */
export interface Death {
  reason: string;
  /** The last lines of PostgreSQL's own log. */
  log?: string[];
}

type StartOrDeath =
  { type: 'ready'; engine?: Engine } | ({ type: 'failed' } & Death) | ({ type: 'crashed' } & Death);

/** The thread in which the embedded database runs. */
export class DatabaseThread {
  private constructor(
    private readonly worker: Worker,
    /** Resolves when the thread has ended, for whatever reason. */
    readonly ended: Promise<Death>,
  ) {}

  /**
   * Resolves when the database answers. If it does not start, rejects after the thread has ended.
   * @throws EmbeddedDatabaseStartError
   */
  static async start(
    settings: ThreadSettings,
    onEvent: (event: ThreadEvent) => void,
  ): Promise<DatabaseThread> {
    const worker = new Worker(join(__dirname, 'worker', 'embedded-worker.mjs'), {
      name: 'embedded-postgresql',
      // Deeply nested expressions recurse on the thread's own stack.
      resourceLimits: { stackSizeMb: 16 },
      workerData: { ...settings, engine: compiled } satisfies ThreadData,
    });
    let death: Death | undefined;
    const ended = new Promise<Death>((resolve) => {
      worker.on('error', (error) => (death ??= { reason: error.message }));
      worker.once('exit', (code) => resolve((death ??= { reason: `its thread ended with code ${code}` })));
    });
    const ready = new Promise<undefined>((resolve) => {
      worker.on('message', (message: StartOrDeath | ThreadEvent) => {
        if (message.type === 'ready') {
          compiled ??= message.engine;
          resolve(undefined);
        } else if (message.type === 'failed' || message.type === 'crashed') death = message;
        else onEvent(message);
      });
    });
    const failed = await Promise.race([ready, ended]);
    if (failed) throw new EmbeddedDatabaseStartError(failed.reason, failed.log);
    return new DatabaseThread(worker, ended);
  }

  post(request: ThreadRequest): void {
    this.worker.postMessage(request, request.type === 'run' ? [request.bytes.buffer] : []);
  }

  /** Ends the thread immediately, even during a statement. This is as safe as a crash. */
  kill(): void {
    void this.worker.terminate();
  }

  /**
   * Asks the database to shut down. A running statement cannot be interrupted, so the thread is killed after the
   * timeout.
   */
  async close(timeoutMs: number): Promise<void> {
    this.post({ type: 'close' });
    const timeout = setTimeout(() => this.kill(), timeoutMs);
    await this.ended;
    clearTimeout(timeout);
  }
}
