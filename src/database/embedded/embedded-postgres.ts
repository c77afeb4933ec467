import { unhurried } from '../unhurried';
import { ClientConnection, type ThreadLink } from './client-connection';
import { claimDataDirectory, type ClaimedDirectory } from './data-directory';
import { DatabaseThread, type ThreadEvent, type ThreadRequest } from './database-thread';
import { driverFor } from './driver';
import { EmbeddedDatabaseClosedError, EmbeddedDatabaseCrashedError, type Owner } from './errors';
import { Restarts } from './restarts';
import { type EmbeddedFigures, figuresOf, LENGTH_BOUNDS, sharedFigures, UPKEEP_KINDS } from './figures';
import { noteRunningGroup, watchRunningGroup } from './running-group';
import { defaultTemplateFile } from './template-file';

export interface EmbeddedPostgresOptions {
  /** Directory that holds the data; absent: the database lives in memory and ends with `close`. */
  dataDir?: string;
  /** What opens it, for the message to others that would. */
  owner?: Owner;
  /** Told, in words for a log, what a start that takes longer is doing. */
  onProgress?: (message: string) => void;
  /** Told what went wrong without an error to throw (a transaction that blocked everybody was ended). */
  onWarning?: (message: string) => void;
  /** Told when the database has died under its users. */
  onCrash?: (error: EmbeddedDatabaseCrashedError) => void;
  /** How long a connection may sit idle in a transaction while others wait, in ms. Default 20 000. */
  idleInTransactionMs?: number;
  /** How often upkeep is due (checkpoint, statistics, clean pages), in ms. Default 30 000. */
  upkeepIntervalMs?: number;
  /** Whether what it does is counted, see `figures`. */
  measured?: boolean;
  /** Where a freshly initialised database is kept for the next first start; null keeps none. */
  templateFile?: string | null;
}

/** How long a statement may run, in seconds: everybody waits for it. */
const STATEMENT_LIMIT_SECONDS = 30;

/** Numbers of groups begin anew after it: the thread's note has room for no more. */
const MOST_GROUPS = 2 ** 31 - 1;

/** How long `close` waits for a statement that runs (ms). */
const CLOSE_PATIENCE_MS = 10_000;

/**
 * PostgreSQL inside this process: PGlite in a worker thread, reached through `pg`'s own clients.
 *
 *     const embedded = await EmbeddedPostgres.open({ dataDir: './data' });
 *     const pool = new embedded.driver.Pool();
 *
 * Any number of clients may be open; they share one session, in turns (see docs/decisions/0002).
 *
 * When the thread dies, its clients end in an error. A database on disk is started again by the next client,
 * with everything that was acknowledged; one in memory is lost.
 */
export class EmbeddedPostgres {
  /**
   * `pg` with clients of this database. After `close`, and when a crashed database cannot be started again,
   * they do not connect.
   */
  readonly driver = driverFor(() => new ClientConnection((connection) => this.enter(connection)));

  private readonly connections = new Map<number, ClientConnection>();
  private readonly saving = new Map<number, (error?: Error) => void>();
  private readonly restarts = new Restarts();
  private nextId = 1;
  private lastGroup = 0;
  private readonly note = noteRunningGroup();
  private readonly shared;
  private starts = 0;
  private endWatch?: () => void;
  private thread?: DatabaseThread;
  private starting?: Promise<void>;
  private stopping?: Promise<void>;
  private lastCrash?: EmbeddedDatabaseCrashedError;

  private constructor(
    private readonly claimed: ClaimedDirectory | undefined,
    private readonly options: EmbeddedPostgresOptions,
  ) {
    this.shared = options.measured ? sharedFigures() : undefined;
  }

  /**
   * Opens the database, making it first where there is none.
   * @throws EmbeddedDatabaseInUseError when another process has the directory open
   * @throws EmbeddedDatabaseStartError when the directory cannot be used or PostgreSQL does not start on it
   */
  static async open(options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
    const claimed =
      options.dataDir === undefined ? undefined : claimDataDirectory(options.dataDir, options.owner);
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
   * Writes the database as it is now to an archive that `templateFile` takes: later databases begin with what
   * is in it. Waits until no transaction is open.
   * @throws Error when the file cannot be written, or the database ends before
   */
  async saveTemplate(file: string): Promise<void> {
    await this.saved((id) => ({ type: 'save', id, file }));
  }

  /** What it has done since it was opened; undefined where it is not measured. */
  get figures(): EmbeddedFigures | undefined {
    return this.shared && figuresOf(this.shared, Math.max(0, this.starts - 1));
  }

  /** Rolls back what is open, writes everything down, frees the directory. May be called more than once. */
  close(): Promise<void> {
    this.stopping ??= this.stop();
    return this.stopping;
  }

  /**
   * From now on a statement that runs for longer than the limit ends the thread, the one thing that ends it;
   * the database starts again with all that was acknowledged. One in memory would be lost: there it runs on.
   * @param seconds 30 unless a test says otherwise
   */
  limitStatements(seconds = STATEMENT_LIMIT_SECONDS): void {
    if (!this.claimed || this.endWatch) return;
    const isExempt = (client: number) => {
      const connection = this.connections.get(client);
      return connection !== undefined && unhurried.has(connection);
    };
    this.endWatch = watchRunningGroup(this.note, seconds, isExempt, () => {
      this.options.onWarning?.(
        `A statement has run for ${seconds} s: the embedded database is started again`,
      );
      this.thread?.kill();
    });
  }

  private async stop(): Promise<void> {
    this.endWatch?.();
    await this.starting?.catch(() => undefined);
    await this.thread?.close(CLOSE_PATIENCE_MS);
    this.claimed?.lock.release();
  }

  private async saved(request: (id: number) => ThreadRequest): Promise<void> {
    const thread = await this.running();
    const id = this.nextId++;
    await new Promise<void>((resolve, reject) => {
      this.saving.set(id, (error) => (error ? reject(error) : resolve()));
      thread.post(request(id));
    });
  }

  /** The thread, started when there is none and may be one. */
  private async running(): Promise<DatabaseThread> {
    if (!this.stopping && !this.thread) {
      if (this.lastCrash && !(this.claimed && this.restarts.allowed())) throw this.lastCrash;
      this.starting ??= this.start().finally(() => (this.starting = undefined));
      await this.starting;
    }
    if (this.stopping || !this.thread) throw new EmbeddedDatabaseClosedError();
    return this.thread;
  }

  private async start(): Promise<void> {
    const { templateFile = defaultTemplateFile(), idleInTransactionMs, upkeepIntervalMs } = this.options;
    const settings = {
      dataDir: this.claimed?.postgres,
      templateFile,
      idleInTransactionMs,
      upkeepIntervalMs,
      running: this.note.fill(0),
      figures: this.shared && { shared: this.shared, bounds: LENGTH_BOUNDS, upkeepKinds: UPKEEP_KINDS },
    };
    try {
      this.thread = await DatabaseThread.start(settings, (event) => this.handle(event));
      this.starts += 1;
    } catch (error) {
      // Counts like a crash: what keeps it from starting (a full disk) is not tried at every request.
      this.restarts.record();
      throw error;
    }
    void this.thread.ended.then(({ reason, log }) =>
      this.lose(new EmbeddedDatabaseCrashedError(reason, log)),
    );
  }

  /**
   * Makes it a client of the database: it hears what is answered from then on.
   * @throws EmbeddedDatabaseClosedError, EmbeddedDatabaseCrashedError, EmbeddedDatabaseStartError
   */
  private async enter(connection: ClientConnection): Promise<ThreadLink> {
    const thread = await this.running();
    const client = this.nextId++;
    this.connections.set(client, connection);
    return {
      client,
      run: (bytes, partial) => thread.post({ type: 'run', client, id: this.nextGroup(), bytes, partial }),
      cancel: (other) => thread.post({ type: 'cancel', client: other }),
      leave: (statements) => {
        if (this.connections.delete(client)) thread.post({ type: 'leave', client, statements });
      },
    };
  }

  private nextGroup(): number {
    this.lastGroup = (this.lastGroup % MOST_GROUPS) + 1;
    return this.lastGroup;
  }

  private handle(event: ThreadEvent): void {
    switch (event.type) {
      case 'answer':
        return this.connections.get(event.client)?.receive(event.bytes);
      case 'cancelled':
        return this.connections.get(event.client)?.cancelled();
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
    const seconds = Math.round(ms / 1000);
    const message = `terminating connection: idle in a transaction for ${seconds} s while others waited`;
    const hint =
      'The embedded database has one session. Code inside a transaction must not wait for another connection.';
    this.options.onWarning?.(`${message} (${waiting} waiting). ${hint}`);
    this.connections.get(client)?.terminated('25P03', message, hint);
  }

  /** The thread is gone: nobody may wait for an answer that cannot come. */
  private lose(crash: EmbeddedDatabaseCrashedError): void {
    this.thread = undefined;
    const reason = this.stopping ? new EmbeddedDatabaseClosedError() : crash;
    const connections = [...this.connections.values()];
    this.connections.clear();
    for (const connection of connections) connection.lose(reason);
    for (const settle of this.saving.values()) settle(reason);
    this.saving.clear();
    if (this.stopping) return;
    this.restarts.record();
    this.lastCrash = crash;
    this.options.onCrash?.(crash);
  }
}
