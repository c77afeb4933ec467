import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { serverDriver } from './server-driver';
import { serversOf } from './server-hosts';

/** What the server shows of an instance's own connection: by it instances know of each other. */
export const INSTANCE_NAME = 'formula-instance';

/** How long connecting, and each answer, may take, in milliseconds. */
const PATIENCE_MS = 2_000;

/** The server is asked so often whether the connection still carries anything, in milliseconds. */
const HEARTBEAT_MS = 250;

/** Without an answer for so long nothing may come any more, in milliseconds; a busy server is only late. */
const LATE_MS = 250;

/** Pauses between attempts to connect, in milliseconds: the first, and the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export interface Notices {
  /** Called with what follows each notice's channel. */
  heard(payload: string): void;
  /** Called when it listens, the first time and after each absence, in which notices may have been missed. */
  listening(client: Pick<Client, 'query'>): void;
}

/**
 * A connection of an instance's own that hears what is told on a channel (`NOTIFY`), for as long as it is
 * open: lost, it is made anew. Apart from the pool, whose connections may be given up at any statement.
 */
export class InstanceConnection {
  private readonly logger = new Logger('Database');
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private isOpen = false;
  private listens = false;
  private isLate = false;

  private readonly address: string;
  private readonly driver: ReturnType<typeof serverDriver>;

  constructor(
    url: string,
    private readonly channel: string,
    private readonly notices: Notices,
  ) {
    // The pool tells where the database is now.
    const { address, hosts } = serversOf(url, () => undefined);
    this.address = address;
    this.driver = serverDriver(undefined, () => undefined, hosts);
  }

  /** Whether nothing that is told is missed now, as far as is known. */
  get isListening(): boolean {
    return this.listens && !this.isLate;
  }

  open(): void {
    this.isOpen = true;
    void this.connect();
  }

  async close(): Promise<void> {
    this.isOpen = false;
    this.listens = false;
    clearTimeout(this.timer);
    const { client } = this;
    this.client = undefined;
    if (client) await goodbye(client);
  }

  private async connect(): Promise<void> {
    const client = new this.driver.Client({
      connectionString: this.address,
      application_name: INSTANCE_NAME,
      keepAlive: true,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    this.client = client;
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ payload = '' }) => this.notices.heard(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.channel}`);
    } catch {
      return this.lost(client);
    }
    if (this.client !== client) return;
    this.failures = 0;
    this.listens = true;
    this.isLate = false;
    this.logger.debug('Listens to other instances');
    this.notices.listening(client);
    this.later(() => void this.beat(client), HEARTBEAT_MS);
  }

  /** A connection whose other side has vanished says nothing, as one on which nothing happens. */
  private async beat(client: Client): Promise<void> {
    this.later(() => (this.isLate = true), LATE_MS);
    try {
      await client.query('SELECT 1');
    } catch {
      return this.lost(client);
    }
    if (this.client !== client) return;
    this.isLate = false;
    this.later(() => void this.beat(client), HEARTBEAT_MS);
  }

  private lost(client: Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    this.listens = false;
    void goodbye(client);
    if (!this.isOpen) return;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.failures, 10));
    this.failures += 1;
    this.later(() => void this.connect(), pause);
  }

  private later(work: () => void, ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(work, ms).unref();
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
