import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { serverDriver } from './server-driver';

/** What the server shows of an instance's own connection: by it instances know of each other. */
export const INSTANCE_NAME = 'formula-instance';

/** How long connecting, and each answer, may take, in milliseconds. */
const PATIENCE_MS = 2_000;

/** The server is asked so often whether the connection still carries anything, in milliseconds. */
const HEARTBEAT_MS = 250;

/** Without an answer for so long nothing may come any more, in milliseconds; a busy server is only late. */
const LATE_MS = 250;

/**
 * How often another connection is begun while nothing is heard, in milliseconds: one that hangs holds up no
 * other, and each ends after its patience.
 */
const ATTEMPT_EVERY_MS = 500;

/** So many may hang at once. */
const MOST_ATTEMPTS = 4;

/** None is begun beside the very first one, in milliseconds: an instance would count its own for another. */
const FIRST_ATTEMPT_MS = 2 * PATIENCE_MS;

/** The pause after a connection was lost, in milliseconds. */
const PAUSE_MS = 100;

export interface Notices {
  /** Called with what follows each notice's channel. */
  heard(payload: string): void;
  /** Called when it hears: at first, and after each absence or silence, in which it may have missed some. */
  listening(client: Pick<Client, 'query'>): void;
}

/**
 * A connection of an instance's own that hears what is told on a channel (`NOTIFY`), for as long as it is
 * open: lost, it is made anew, and while it is silent another one is made beside it. Apart from the pool,
 * whose connections may be given up at any statement.
 */
export class InstanceConnection {
  private readonly logger = new Logger('Database');
  private client: Client | undefined;
  /** Those that are being made. */
  private readonly attempts = new Set<Client>();
  private beating: NodeJS.Timeout | undefined;
  private attempting: NodeJS.Timeout | undefined;
  private isLate = false;

  private readonly address: string;
  private readonly driver: ReturnType<typeof serverDriver>;

  constructor(
    url: string,
    private readonly channel: string,
    private readonly notices: Notices,
  ) {
    this.address = url;
    this.driver = serverDriver();
  }

  /** Whether nothing that is told is missed now, as far as is known. */
  get isListening(): boolean {
    return this.client !== undefined && !this.isLate;
  }

  /** Rows of a statement; undefined where this connection cannot be asked now. */
  async ask<Row extends object>(text: string): Promise<Row[] | undefined> {
    if (!this.isListening) return undefined;
    const answer = await this.client?.query<Row>(text).catch(() => undefined);
    return answer?.rows;
  }

  open(): void {
    this.attemptAfter(FIRST_ATTEMPT_MS);
    void this.connect();
  }

  async close(): Promise<void> {
    clearTimeout(this.beating);
    const { client } = this;
    this.client = undefined;
    await Promise.all([this.endAttempts(), client && goodbye(client)]);
  }

  private attempt(): void {
    this.attemptAfter(ATTEMPT_EVERY_MS);
    if (this.attempts.size < MOST_ATTEMPTS) void this.connect();
  }

  private attemptAfter(ms: number): void {
    clearTimeout(this.attempting);
    this.attempting = setTimeout(() => this.attempt(), ms).unref();
  }

  private async endAttempts(): Promise<void> {
    clearTimeout(this.attempting);
    const ended = [...this.attempts].map(goodbye);
    this.attempts.clear();
    await Promise.all(ended);
  }

  private async connect(): Promise<void> {
    const client = new this.driver.Client({
      connectionString: this.address,
      application_name: INSTANCE_NAME,
      keepAlive: true,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    this.attempts.add(client);
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ payload = '' }) => this.notices.heard(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.channel}`);
    } catch {
      return this.lost(client);
    }
    // Another one was first, or it is over.
    if (!this.attempts.delete(client)) return;
    void this.endAttempts();
    if (this.client) void goodbye(this.client);
    this.client = client;
    this.logger.debug('Listens to other instances');
    this.hears(client);
  }

  private hears(client: Client): void {
    this.isLate = false;
    this.notices.listening(client);
    this.beatLater(() => void this.beat(client), HEARTBEAT_MS);
  }

  /** A connection whose other side has vanished says nothing, as one on which nothing happens. */
  private async beat(client: Client): Promise<void> {
    this.beatLater(() => {
      this.isLate = true;
      this.attemptAfter(LATE_MS);
    }, LATE_MS);
    try {
      await client.query('SELECT 1');
    } catch {
      return this.lost(client);
    }
    if (this.client !== client) return;
    if (!this.isLate) return this.beatLater(() => void this.beat(client), HEARTBEAT_MS);
    void this.endAttempts();
    this.hears(client);
  }

  private lost(client: Client): void {
    const isTheOne = this.client === client;
    if (!this.attempts.delete(client) && !isTheOne) return;
    void goodbye(client);
    if (!isTheOne) {
      // The first one was refused: there is none beside which another would count.
      if (!this.client && this.attempts.size === 0) this.attemptAfter(ATTEMPT_EVERY_MS);
      return;
    }
    this.client = undefined;
    clearTimeout(this.beating);
    // Late, it has others beside it already.
    if (!this.isLate) this.attemptAfter(PAUSE_MS);
  }

  private beatLater(work: () => void, ms: number): void {
    clearTimeout(this.beating);
    this.beating = setTimeout(work, ms).unref();
  }
}

/** Closed in good manners where the other side is there; it is not waited for. */
function goodbye(client: Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(patience);
      stream.destroy();
      resolve();
    };
    const patience = setTimeout(end, PATIENCE_MS).unref();
    client.end().then(end, end);
  });
}
