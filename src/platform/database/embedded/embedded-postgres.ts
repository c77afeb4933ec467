import { unhurried } from '../connections';
import { ClientConnection, driverFor, type ThreadLink } from './client-connection';
import { claimDataDirectory, type ClaimedDirectory } from './data-directory';
import { DatabaseThread, type Running, type ThreadEvent } from './database-thread';
import { EmbeddedDatabaseClosedError, EmbeddedDatabaseCrashedError, type Owner } from './errors';
import { defaultTemplateFile } from './template-file';

export interface EmbeddedPostgresOptions {
  /** Directory of the data; absent: the database is in memory and lost after `close`. */
  dataDir?: string;
  /** The kind of program that opens it, for the error message of other processes. */
  owner?: Owner;
  /** Called with the current step of a slow start. */
  onProgress?: (message: string) => void;
  /** Called with problems for which no error is thrown. */
  onWarning?: (message: string) => void;
  /** Called when the database has crashed while in use. */
  onCrash?: (error: EmbeddedDatabaseCrashedError) => void;
  /** Time that a connection may be idle in a transaction while others wait. Default 20 000. */
  idleInTransactionMs?: number;
  /** Time without a statement after which maintenance runs. Default 5 000. */
  idleMs?: number;
  /** File in which a freshly initialised database is stored for the next first start; null stores none. */
  templateFile?: string | null;
}

const monotonicMs = () => Number(process.hrtime.bigint() / 1_000_000n);

/**
 * PostgreSQL inside this process: PGlite in a worker thread, used with `pg`'s own clients.
 *
 *     const embedded = await EmbeddedPostgres.open({ dataDir: './data' });
 *     const pool = new embedded.driver.Pool();
 *
 * Any number of clients may be open. They take turns on one shared session.
 *
 * If the thread dies, its clients fail with an error. A database on disk is started again by the next client, with
 * all acknowledged writes. A database in memory is lost.
 */
export class EmbeddedPostgres {
  /** `pg` with clients of this database. After `close` they cannot connect. */
  readonly driver = driverFor(() => new ClientConnection((connection) => this.enter(connection)));

  private readonly connections = new Map<number, ClientConnection>();
  private readonly saving = new Map<number, (error?: Error) => void>();
  private readonly running: Running = new Float64Array(new SharedArrayBuffer(16));
  private nextId = 1;
  private watch?: NodeJS.Timeout;
  private thread?: DatabaseThread;
  private starting?: Promise<void>;
  private stopping?: Promise<void>;
  private lastCrash?: EmbeddedDatabaseCrashedError;

  private constructor(
    private readonly claimed: ClaimedDirectory | undefined,
    private readonly options: EmbeddedPostgresOptions,
  ) {}

  /**
   * Opens the database, and creates it if there is none.
   * @throws EmbeddedDatabaseInUseError if another process has the directory open
   * @throws EmbeddedDatabaseStartError if the directory cannot be used or PostgreSQL does not start on it
   */
  static async open(options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
    const { dataDir, owner } = options;
    const claimed = dataDir === undefined ? undefined : claimDataDirectory(dataDir, owner);
    const embedded = new EmbeddedPostgres(claimed, options);
    try {
      await embedded.started();
      return embedded;
    } catch (error) {
      await embedded.close();
      throw error;
    }
  }

  /**
   * Writes the current database to a file for `templateFile`, as soon as no transaction is open.
   * @throws Error if the file cannot be written, or the database ends before
   */
  async saveTemplate(file: string): Promise<void> {
    const thread = await this.started();
    const id = this.nextId++;
    await new Promise<void>((resolve, reject) => {
      this.saving.set(id, (error) => (error ? reject(error) : resolve()));
      thread.post({ type: 'save', id, file });
    });
  }

  /** Rolls back open transactions, flushes all writes and unlocks the directory. May be called more than once. */
  close(): Promise<void> {
    this.stopping ??= this.stop();
    return this.stopping;
  }

  /**
   * From now on, a statement that runs too long ends the thread, because nothing else can stop it. The database
   * then starts again with all acknowledged writes. A database in memory would be lost, so its statements are not
   * limited.
   */
  limitStatements(timeoutMs = 30_000): void {
    if (!this.claimed || this.watch || this.stopping) return;
    this.watch = setInterval(() => {
      const [since = 0, client = 0] = this.running;
      if (since === 0 || monotonicMs() - since < timeoutMs || this.isUnhurried(client)) return;
      this.running.fill(0);
      this.options.onWarning?.(
        `A statement has run for ${timeoutMs / 1000} s: the embedded database is started again`,
      );
      this.thread?.kill();
    }, 1000).unref();
  }

  private isUnhurried(client: number): boolean {
    const connection = this.connections.get(client);
    return connection !== undefined && unhurried.has(connection);
  }

  private async stop(): Promise<void> {
    clearInterval(this.watch);
    await this.starting?.catch(() => undefined);
    await this.thread?.close(10_000);
    this.claimed?.lock.release();
  }

  /** Returns the thread, and starts it if necessary and possible. */
  private async started(): Promise<DatabaseThread> {
    if (!this.stopping && !this.thread) {
      if (this.lastCrash && !this.claimed) throw this.lastCrash;
      this.starting ??= this.start().finally(() => (this.starting = undefined));
      await this.starting;
    }
    if (this.stopping || !this.thread) throw new EmbeddedDatabaseClosedError();
    return this.thread;
  }

  private async start(): Promise<void> {
    const { templateFile = defaultTemplateFile(), idleInTransactionMs, idleMs } = this.options;
    this.running.fill(0);
    const { running } = this;
    const dataDir = this.claimed?.postgres;
    this.thread = await DatabaseThread.start(
      { dataDir, templateFile, idleInTransactionMs, idleMs, running },
      (event) => this.handle(event),
    );
    void this.thread.ended.then(({ reason, log }) =>
      this.lose(new EmbeddedDatabaseCrashedError(reason, log)),
    );
  }

  private async enter(connection: ClientConnection): Promise<ThreadLink> {
    const thread = await this.started();
    const client = this.nextId++;
    this.connections.set(client, connection);
    return {
      client,
      run: (bytes, partial) => thread.post({ type: 'run', client, bytes, partial }),
      leave: (statements) => {
        if (this.connections.delete(client)) thread.post({ type: 'leave', client, statements });
      },
    };
  }

  private handle(event: ThreadEvent): void {
    switch (event.type) {
      case 'answer':
        return this.connections.get(event.client)?.receive(event.bytes);
      case 'idle':
        return this.endIdle(event);
      case 'saved': {
        const settle = this.saving.get(event.id);
        this.saving.delete(event.id);
        return settle?.(event.reason === undefined ? undefined : new Error(event.reason));
      }
      case 'progress':
        return this.options.onProgress?.(event.text);
      case 'warning':
        return this.options.onWarning?.(event.text);
      case 'closing':
        for (const connection of this.connections.values()) {
          connection.terminated('57P01', 'the embedded database is closing');
        }
    }
  }

  private endIdle({ client, waiting, ms }: { client: number; waiting: number; ms: number }): void {
    const message = `terminating connection: idle in a transaction for ${Math.round(ms / 1000)} s while others waited`;
    const hint =
      'The embedded database has one session. Code inside a transaction must not wait for another connection.';
    this.options.onWarning?.(`${message} (${waiting} waiting). ${hint}`);
    this.connections.get(client)?.terminated('25P03', message, hint);
  }

  /** The thread has ended. All callers that wait for an answer get an error. */
  private lose(crash: EmbeddedDatabaseCrashedError): void {
    this.thread = undefined;
    const reason = this.stopping ? new EmbeddedDatabaseClosedError() : crash;
    const connections = [...this.connections.values()];
    this.connections.clear();
    for (const connection of connections) connection.lose(reason);
    for (const settle of this.saving.values()) settle(reason);
    this.saving.clear();
    if (this.stopping) return;
    this.lastCrash = crash;
    this.options.onCrash?.(crash);
  }
}
