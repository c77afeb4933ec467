import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { BridgeStream } from './bridge-stream';
import { claimDataDirectory, type ClaimedDirectory } from './data-directory';
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
  /** Told when the database has died under its users. */
  onCrash?: (error: EmbeddedDatabaseCrashedError) => void;
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
  | { type: 'saved'; id: number; reason?: string }
  | { type: 'closed' };

/** A database that dies this often in this time (ms) is not started again: something is wrong that a start does not mend. */
const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 60_000;

/** How long `close` waits for a statement that runs (ms). */
const CLOSE_PATIENCE_MS = 10_000;

/**
 * PostgreSQL inside this process: PGlite in a worker thread, spoken to in PostgreSQL's own wire protocol.
 *
 *     const embedded = await EmbeddedPostgres.open({ dataDir: './data' });
 *     const pool = new Pool({ stream: () => embedded.connect() });
 *
 * Any number of connections may be open; they share one session, in turns (see docs/decisions/0002).
 *
 * When the thread dies, its connections end in an error. A database on disk is started again by the next
 * connection, with everything that was acknowledged; one in memory is lost.
 */
export class EmbeddedPostgres {
  private readonly streams = new Map<number, BridgeStream>();
  private readonly saving = new Map<number, (error?: Error) => void>();
  private nextId = 1;
  private worker?: Worker;
  private starting?: Promise<void>;
  private stopping?: Promise<void>;
  /** When it died, on a clock that only moves forward (ms). */
  private readonly crashes: number[] = [];
  private lastCrash?: EmbeddedDatabaseCrashedError;

  private constructor(
    private readonly claimed: ClaimedDirectory | undefined,
    private readonly options: EmbeddedPostgresOptions,
  ) {}

  /**
   * Opens the database, making it first where there is none.
   * @throws EmbeddedDatabaseInUseError when another process has the directory open
   * @throws EmbeddedDatabaseStartError when the directory cannot be used or PostgreSQL does not start on it
   */
  static async open(options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
    const claimed = options.dataDir === undefined ? undefined : claimDataDirectory(options.dataDir);
    const embedded = new EmbeddedPostgres(claimed, options);
    try {
      await embedded.running();
      return embedded;
    } catch (error) {
      await embedded.close();
      throw error;
    }
  }

  /**
   * A new connection, as a stream that speaks the PostgreSQL wire protocol; for the `stream` option of `pg`.
   * After `close`, and when a crashed database cannot be started again, the stream ends in an error.
   */
  connect(): Duplex {
    const id = this.nextId++;
    let worker: Worker | undefined;
    const stream: BridgeStream = new BridgeStream({
      open: async () => {
        worker = await this.running();
        this.streams.set(id, stream);
        worker.postMessage({ type: 'open', id });
      },
      send: (chunk) => worker?.postMessage({ type: 'data', id, chunk }, [chunk.buffer as ArrayBuffer]),
      read: (bytes) => worker?.postMessage({ type: 'read', id, bytes }),
      leave: () => {
        if (this.streams.has(id)) worker?.postMessage({ type: 'leave', id });
        else stream.finish();
      },
      vanish: () => {
        if (this.streams.delete(id)) worker?.postMessage({ type: 'vanish', id });
      },
    });
    return stream;
  }

  /**
   * Writes the database as it is now to an archive that `templateFile` takes: later databases begin with what is in it.
   * Waits until no transaction is open.
   * @throws Error when the file cannot be written, or the database ends before
   */
  async saveTemplate(file: string): Promise<void> {
    const worker = await this.running();
    const id = this.nextId++;
    await new Promise<void>((resolve, reject) => {
      this.saving.set(id, (error) => (error ? reject(error) : resolve()));
      worker.postMessage({ type: 'save', id, file });
    });
  }

  /** Rolls back what is open, writes everything down and gives the directory free. May be called more than once. */
  close(): Promise<void> {
    this.stopping ??= this.stop();
    return this.stopping;
  }

  private async stop(): Promise<void> {
    await this.starting?.catch(() => undefined);
    const { worker } = this;
    if (worker) {
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage({ type: 'close' });
      // A statement that runs cannot be interrupted. Ending the thread is as safe as a crash: nothing acknowledged is lost.
      const patience = setTimeout(() => void worker.terminate(), CLOSE_PATIENCE_MS);
      await ended;
      clearTimeout(patience);
    }
    this.claimed?.lock.release();
  }

  /** The thread, started when there is none and may be one. */
  private async running(): Promise<Worker> {
    if (!this.stopping && !this.worker) {
      if (this.lastCrash && !this.maybeStartedAgain()) throw this.lastCrash;
      this.starting ??= this.start().finally(() => (this.starting = undefined));
      await this.starting;
    }
    if (this.stopping || !this.worker) throw new EmbeddedDatabaseClosedError();
    return this.worker;
  }

  private maybeStartedAgain(): boolean {
    const since = performance.now() - CRASH_WINDOW_MS;
    return this.claimed !== undefined && this.crashes.filter((time) => time > since).length < MAX_CRASHES;
  }

  /** Waits until the database answers; when it does not start, until its thread has ended. */
  private async start(): Promise<void> {
    const worker = new Worker(join(__dirname, 'bridge', 'embedded-worker.mjs'), {
      name: 'embedded-postgresql',
      // Deeply nested expressions recurse on the thread's own stack.
      resourceLimits: { stackSizeMb: 16 },
      workerData: {
        dataDir: this.claimed?.postgres,
        templateFile:
          this.options.templateFile === undefined ? defaultTemplateFile() : this.options.templateFile,
        idleInTransactionMs: this.options.idleInTransactionMs,
        upkeepIntervalMs: this.options.upkeepIntervalMs,
      },
    });
    let dying: { reason: string; log?: string[] } | undefined;
    const ended = new Promise<void>((resolve) => {
      worker.on('error', (error) => (dying ??= { reason: error.message }));
      worker.once('exit', (code) => {
        dying ??= { reason: `its thread ended with code ${code}` };
        resolve();
      });
    });
    const ready = new Promise<true>((resolve) => {
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'ready') resolve(true);
        else if (message.type === 'failed' || message.type === 'crashed') dying = message;
        else this.receive(message);
      });
    });
    if (!(await Promise.race([ready, ended]))) {
      // Counts like a crash: what keeps it from starting (a full disk) is not tried at every request.
      this.crashes.push(performance.now());
      throw new EmbeddedDatabaseStartError(dying!.reason, dying!.log);
    }
    this.worker = worker;
    void ended.then(() => this.lose(new EmbeddedDatabaseCrashedError(dying!.reason, dying!.log)));
  }

  private receive(message: Exclude<WorkerMessage, { type: 'ready' | 'failed' | 'crashed' }>): void {
    switch (message.type) {
      case 'data':
        this.streams.get(message.id)?.receive(message.chunk);
        return;
      case 'consumed':
        this.streams.get(message.id)?.consumed(message.bytes);
        return;
      case 'end': {
        const stream = this.streams.get(message.id);
        this.streams.delete(message.id);
        stream?.finish();
        return;
      }
      case 'progress':
        this.options.onProgress?.(message.text);
        return;
      case 'warning':
        this.options.onWarning?.(message.text);
        return;
      case 'saved': {
        const settle = this.saving.get(message.id);
        this.saving.delete(message.id);
        settle?.(message.reason === undefined ? undefined : new Error(message.reason));
        return;
      }
      case 'closed':
        return;
    }
  }

  /** The thread is gone: nobody may wait for an answer that cannot come. */
  private lose(error: EmbeddedDatabaseCrashedError): void {
    this.worker = undefined;
    const streams = [...this.streams.values()];
    this.streams.clear();
    const reason = this.stopping ? new EmbeddedDatabaseClosedError() : error;
    for (const stream of streams) stream.destroy(reason);
    for (const settle of this.saving.values()) settle(reason);
    this.saving.clear();
    if (this.stopping) return;
    this.crashes.push(performance.now());
    this.lastCrash = error;
    this.options.onCrash?.(error);
  }
}

/** To be raised when the way of making the template changes. */
const TEMPLATE_REVISION = 2;

/** Beside the installed packages: shared by every checkout's tests and starts, gone with the packages it belongs to. */
export function defaultTemplateFile(): string {
  const entry = createRequire(__filename).resolve('@electric-sql/pglite');
  const packageDirectory = dirname(dirname(entry));
  const { version } = createRequire(__filename)(join(packageDirectory, 'package.json')) as {
    version: string;
  };
  return join(
    packageDirectory,
    '..',
    '..',
    '.cache',
    'embedded-postgres',
    `pglite-${version}-${TEMPLATE_REVISION}.tar.gz`,
  );
}
