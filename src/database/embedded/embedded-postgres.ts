import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { type Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { BridgeStream } from './bridge-stream';
import { DirectoryLock } from './directory-lock';
import { EmbeddedDatabaseCrashedError, EmbeddedDatabaseStartError } from './errors';

export interface EmbeddedPostgresOptions {
  /** Directory that holds the data; absent: the database lives in memory and ends with `close`. */
  dataDir?: string;
  /** Told, in words for a log, what a start that takes longer is doing. */
  onProgress?: (message: string) => void;
  /** Told what went wrong without an error to throw it at (a transaction that blocked everybody and was ended). */
  onWarning?: (message: string) => void;
  /** How long a connection may sit idle in a transaction while others wait, in ms. Default 20 000. */
  idleInTransactionMs?: number;
  /** Where a freshly initialised database is kept for the next first start; null keeps none. */
  templateFile?: string | null;
}

type WorkerMessage =
  | { type: 'ready' }
  | { type: 'failed'; reason: string; log: string[] }
  | { type: 'crashed'; reason: string; log: string[] }
  | { type: 'progress'; text: string }
  | { type: 'warning'; text: string }
  | { type: 'data'; id: number; chunk: Uint8Array }
  | { type: 'end'; id: number }
  | { type: 'consumed'; id: number; bytes: number }
  | { type: 'closed' };

/**
 * PostgreSQL inside this process: PGlite in a worker thread, spoken to in PostgreSQL's own wire protocol.
 *
 *     const embedded = await EmbeddedPostgres.open({ dataDir: './data' });
 *     const pool = new Pool({ stream: () => embedded.connect() });
 *
 * Any number of connections may be open; they share one session, in turns (see docs/decisions/0002).
 */
export class EmbeddedPostgres {
  /** Resolves when the database has died under its users; never rejects. `close` does not resolve it. */
  readonly crashed: Promise<EmbeddedDatabaseCrashedError>;

  private readonly streams = new Map<number, BridgeStream>();
  private nextId = 1;
  private failure?: Error;
  private closing?: Promise<void>;
  private reportCrash!: (error: EmbeddedDatabaseCrashedError) => void;

  private constructor(
    private readonly worker: Worker,
    private readonly lock: DirectoryLock | undefined,
    private readonly options: EmbeddedPostgresOptions,
  ) {
    this.crashed = new Promise((resolve) => (this.reportCrash = resolve));
  }

  /**
   * Opens the database, making it first where there is none.
   * @throws EmbeddedDatabaseInUseError when another process has the directory open
   * @throws EmbeddedDatabaseStartError when the directory cannot be used or PostgreSQL does not start on it
   */
  static async open(options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
    const directory = options.dataDir === undefined ? undefined : resolve(options.dataDir);
    if (directory) mkdirSync(directory, { recursive: true });
    const lock = directory ? await DirectoryLock.acquire(directory) : undefined;
    try {
      const worker = new Worker(join(__dirname, 'bridge', 'embedded-worker.mjs'), {
        name: 'embedded-postgresql',
        // Deeply nested expressions recurse in the machine's own stack.
        resourceLimits: { stackSizeMb: 16 },
        workerData: {
          dataDir: directory && join(directory, 'pgdata'),
          templateFile: options.templateFile === undefined ? defaultTemplateFile() : options.templateFile,
          idleInTransactionMs: options.idleInTransactionMs,
        },
      });
      const embedded = new EmbeddedPostgres(worker, lock, options);
      await embedded.started();
      return embedded;
    } catch (error) {
      await lock?.release();
      throw error;
    }
  }

  /**
   * A new connection, as a stream that speaks the PostgreSQL wire protocol; for the `stream` option of `pg`.
   * After a crash or `close`, the stream ends in an error when it is used.
   */
  connect(): Duplex {
    const id = this.nextId++;
    const stream: BridgeStream = new BridgeStream({
      open: () => {
        if (this.failure) throw this.failure;
        this.worker.postMessage({ type: 'open', id });
      },
      send: (chunk) => this.worker.postMessage({ type: 'data', id, chunk }, [chunk.buffer as ArrayBuffer]),
      read: (bytes) => this.worker.postMessage({ type: 'read', id, bytes }),
      leave: () => {
        if (this.streams.has(id)) this.worker.postMessage({ type: 'leave', id });
        else stream.finish();
      },
      vanish: () => {
        this.streams.delete(id);
        if (!this.failure) this.worker.postMessage({ type: 'vanish', id });
      },
    });
    this.streams.set(id, stream);
    return stream;
  }

  /** Rolls back what is open, writes everything down and gives the directory free. May be called more than once. */
  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  private started(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'ready') resolve();
        else if (message.type === 'failed')
          reject(new EmbeddedDatabaseStartError(message.reason, message.log));
        else this.receive(message);
      });
      this.worker.on('error', (error) => {
        this.fail(new EmbeddedDatabaseCrashedError(error.message, []));
        reject(error);
      });
      this.worker.on('exit', (code) => {
        this.fail(new EmbeddedDatabaseCrashedError(`its thread ended with code ${code}`, []));
        reject(new EmbeddedDatabaseStartError(`its thread ended with code ${code}`, []));
      });
    });
  }

  private receive(message: Exclude<WorkerMessage, { type: 'ready' | 'failed' }>): void {
    switch (message.type) {
      case 'data':
        this.streams.get(message.id)?.receive(message.chunk);
        return;
      case 'consumed':
        this.streams.get(message.id)?.consumed(message.bytes);
        return;
      case 'end':
        this.streams.get(message.id)?.finish();
        this.streams.delete(message.id);
        return;
      case 'progress':
        this.options.onProgress?.(message.text);
        return;
      case 'warning':
        this.options.onWarning?.(message.text);
        return;
      case 'crashed':
        this.fail(new EmbeddedDatabaseCrashedError(message.reason, message.log));
        return;
      case 'closed':
        return;
    }
  }

  /** The thread is gone: nobody may wait for an answer that cannot come. */
  private fail(error: EmbeddedDatabaseCrashedError): void {
    if (this.failure) return;
    this.failure = error;
    for (const stream of [...this.streams.values()]) stream.destroy(error);
    this.streams.clear();
    void this.lock?.release();
    this.reportCrash(error);
  }

  private async stop(): Promise<void> {
    if (!this.failure) {
      const exited = new Promise((resolve) => this.worker.once('exit', resolve));
      this.worker.postMessage({ type: 'close' });
      await exited;
    }
    await this.lock?.release();
  }
}

/** Beside the installed packages: shared by every checkout's tests and starts, gone with the packages it belongs to. */
function defaultTemplateFile(): string {
  const entry = createRequire(__filename).resolve('@electric-sql/pglite');
  const packageDirectory = dirname(dirname(entry));
  const { version } = createRequire(__filename)(join(packageDirectory, 'package.json')) as {
    version: string;
  };
  return join(packageDirectory, '..', '..', '.cache', 'embedded-postgres', `pglite-${version}.tar.gz`);
}
