import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { BridgeStream } from './bridge-stream';
import { claimDataDirectory } from './data-directory';
import {
  EmbeddedDatabaseClosedError,
  EmbeddedDatabaseCrashedError,
  EmbeddedDatabaseStartError,
} from './errors';

export interface EmbeddedPostgresOptions {
  /** Directory that holds the data; absent: the database lives in memory and ends with `close`. */
  dataDir?: string;
  /** Told, in words for a log, what a start that takes longer is doing. */
  onProgress?: (message: string) => void;
  /** Told what went wrong without an error to throw it at (a transaction that blocked everybody and was ended). */
  onWarning?: (message: string) => void;
  /** How long a connection may sit idle in a transaction while others wait, in ms. Default 20 000. */
  idleInTransactionMs?: number;
  /** How often the database may look after itself (checkpoint, statistics, clean pages), in ms. Default 30 000. */
  upkeepIntervalMs?: number;
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
  private closing = false;
  private readonly ended: Promise<number>;
  private reportCrash!: (error: EmbeddedDatabaseCrashedError) => void;

  private constructor(
    private readonly worker: Worker,
    private readonly options: EmbeddedPostgresOptions,
  ) {
    this.crashed = new Promise((resolve) => (this.reportCrash = resolve));
    this.ended = new Promise((resolve) => worker.once('exit', resolve));
  }

  /**
   * Opens the database, making it first where there is none.
   * @throws EmbeddedDatabaseInUseError when another process has the directory open
   * @throws EmbeddedDatabaseStartError when the directory cannot be used or PostgreSQL does not start on it
   */
  static async open(options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
    const claimed = options.dataDir === undefined ? undefined : claimDataDirectory(options.dataDir);
    const worker = new Worker(join(__dirname, 'bridge', 'embedded-worker.mjs'), {
      name: 'embedded-postgresql',
      // Deeply nested expressions recurse on the thread's own stack.
      resourceLimits: { stackSizeMb: 16 },
      workerData: {
        dataDir: claimed?.postgres,
        templateFile: options.templateFile === undefined ? defaultTemplateFile() : options.templateFile,
        idleInTransactionMs: options.idleInTransactionMs,
        upkeepIntervalMs: options.upkeepIntervalMs,
      },
    });
    const embedded = new EmbeddedPostgres(worker, options);
    // Not before: until its thread has ended, the database may still write.
    void embedded.ended.then(() => claimed?.lock.release());
    await embedded.started();
    return embedded;
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
  async close(): Promise<void> {
    this.closing = true;
    if (!this.failure) this.worker.postMessage({ type: 'close' });
    await this.ended;
  }

  /** Waits until the database answers; when it cannot start, until its thread has ended. */
  private async started(): Promise<void> {
    const failed = await new Promise<Error | undefined>((resolve) => {
      this.worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'ready') resolve(undefined);
        else if (message.type === 'failed')
          resolve(new EmbeddedDatabaseStartError(message.reason, message.log));
        else this.receive(message);
      });
      this.worker.on('error', (error) => {
        resolve(new EmbeddedDatabaseStartError(error.message));
        this.fail(new EmbeddedDatabaseCrashedError(error.message));
      });
      void this.ended.then((code) => {
        resolve(new EmbeddedDatabaseStartError(`its thread ended with code ${code}`));
        this.fail(new EmbeddedDatabaseCrashedError(`its thread ended with code ${code}`));
      });
    });
    if (!failed) return;
    this.closing = true;
    await this.ended;
    throw failed;
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
    this.failure = this.closing ? new EmbeddedDatabaseClosedError() : error;
    for (const stream of [...this.streams.values()]) stream.destroy(this.failure);
    this.streams.clear();
    if (!this.closing) this.reportCrash(error);
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
