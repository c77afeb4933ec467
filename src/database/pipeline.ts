import { AsyncResource } from 'node:async_hooks';
import type { Pool, PoolClient, Query, QueryResult } from 'pg';

/** Nothing is sent behind a read that has not been answered for so long, in milliseconds. */
const JOIN_WITHIN_MS = 1;

/** Who has to wait behind one that has not been answered for so long is asked anew, in milliseconds. */
const OVERTAKEN_AFTER_MS = 20;

/** How often that is looked at, in milliseconds. */
const LOOK_EVERY_MS = 10;

/** Most reads under way at once: a burst is answered sooner on several connections. */
const MOST_UNDER_WAY = 32;

/** A read that others wait behind is slow when the server has had it for so long, in milliseconds. */
const SLOW_FROM_MS = 10;

/** A statement that others had to wait for is sent on connections of its own for so long, in milliseconds. */
const ALONE_FOR_MS = 1000;

/** A connection that was not used for so long goes back to the pool, in milliseconds. */
const KEPT_FOR_MS = 1000;

/** Fewest connections of a pool that has one to spare for this. */
const FEWEST_CONNECTIONS = 10;

/**
 * What PostgreSQL says of a prepared statement that it does not know, that it knows already, or that was
 * prepared before a table was changed: on another connection it may be good.
 */
const UNPREPARED = new Set(['26000', '42P05', '0A000']);

/** What PostgreSQL says of a statement that was cancelled. */
const CANCELLED = '57014';

/** Whether a pool of this size has a connection for a pipeline, besides those that are shared out. */
export const hasPipeline = (poolSize: number): boolean => poolSize >= FEWEST_CONNECTIONS;

/** A pool that can send a read behind others. */
export interface PipeliningPool {
  /**
   * Sends a short read without waiting for the answers of those before it.
   * @param query named, and not sent before
   * @param alone asks the same on a connection of its own
   * @returns nothing where it is to be asked alone, at once
   */
  askBehind(query: Query, alone: () => Promise<QueryResult>): Promise<QueryResult> | undefined;
}

/** `pg`'s own client, which reads this before each statement. */
type PipelinedClient = PoolClient & { pipeline: boolean };

/** `pg`'s own statement, which tells its outcome to this. */
type Submitted = Query & {
  readonly name?: string;
  callback: (error: (Error & { code?: string }) | null, result: QueryResult) => void;
};

interface Read {
  readonly name: string;
  readonly query: Submitted;
  /** When it joined, as `performance.now()` says. */
  readonly since: number;
  /** Asks the same on a connection of its own. */
  readonly moveOn: () => void;
  readonly reject: (error: Error) => void;
  hasMovedOn: boolean;
}

/**
 * Short reads on one connection of a pool, each sent without waiting for the answers of those before it
 * (https://www.postgresql.org/docs/current/libpq-pipeline-mode.html). One of the server's processes that has
 * the next statement at hand answers more of them than several that are woken for each.
 *
 * Nobody waits long for somebody else: behind one that is not answered in time nothing more is sent, and what
 * was sent behind it is asked anew on connections of its own, as everything else is.
 */
export class Pipeline {
  /**
   * In the order in which they are answered. An array: those who come and go would leave tables of a Set
   * behind, which V8 moves to its old generation one after the other.
   */
  private reads: Read[] = [];
  /** Statements that others had to wait for, and until when they are sent on connections of their own. */
  private readonly slow = new Map<string, number>();
  /** Of no request: what one leads to here is for others, too. */
  private readonly outside = new AsyncResource('Pipeline');
  private client: PipelinedClient | undefined;
  private isConnecting = false;
  /** A statement has failed on the connection: it takes no more, and ends with the last answer. */
  private isSpent = false;
  private isClosed = false;
  /** When the connection could take up what is first, or nothing, as `performance.now()` says. */
  private freeSince = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly pool: Pool) {}

  /** See `PipeliningPool`. */
  ask(query: Query, alone: () => Promise<QueryResult>): Promise<QueryResult> | undefined {
    const submitted = query as Submitted;
    const { name } = submitted;
    const now = performance.now();
    if (name === undefined || !this.takes(name, now)) return undefined;
    return new Promise<QueryResult>((resolve, reject) => {
      const read: Read = {
        name,
        query: submitted,
        since: now,
        reject,
        hasMovedOn: false,
        moveOn: () => {
          read.hasMovedOn = true;
          const answer = new Promise<QueryResult>((settle) => settle(this.outside.runInAsyncScope(alone)));
          answer.then(resolve, reject);
        },
      };
      submitted.callback = (error, result) => {
        this.answered(read, error !== null);
        if (!error) resolve(result);
        else if (read.hasMovedOn) return;
        else if (UNPREPARED.has(error.code ?? '')) read.moveOn();
        else reject(error);
      };
      this.reads.push(read);
      if (this.client) this.client.query(submitted);
      else this.outside.runInAsyncScope(() => this.connect());
    });
  }

  /** Whether it is this connection that the reads are sent on. */
  isOn(client: object): boolean {
    return client === this.client;
  }

  /** The read that is to be answered next, for whoever looks whether the server still answers. */
  get first(): object | undefined {
    return this.reads[0];
  }

  /**
   * Gives its connection up, because nobody waits for the first read any more. The server's process, which
   * may have more of them before it, is to be ended.
   */
  giveUp(): void {
    const [first, ...others] = this.take();
    first?.reject(Object.assign(new Error('Nobody waits for the answer any more'), { code: CANCELLED }));
    for (const read of others) if (!read.hasMovedOn) read.moveOn();
    this.giveBack(true);
  }

  /** For the end of the pool: sends nothing more, and gives its connection back with the last answer. */
  close(): void {
    this.isClosed = true;
    if (this.reads.length === 0) this.giveBack();
  }

  private takes(name: string, now: number): boolean {
    if (this.isClosed || this.isSpent || !hasPipeline(this.pool.options.max)) return false;
    if ((this.slow.get(name) ?? 0) > now) return false;
    const [first] = this.reads;
    return !first || (now - first.since < JOIN_WITHIN_MS && this.reads.length < MOST_UNDER_WAY);
  }

  private answered(read: Read, hasFailed: boolean): void {
    const place = this.reads.indexOf(read);
    // Of a connection that it has no more.
    if (place < 0) return;
    this.reads.splice(place, 1);
    this.freeSince = performance.now();
    this.isSpent ||= hasFailed;
    if (this.reads.length > 0) return;
    // As a connection of the pool ends with an error: what it has prepared may be good for nothing.
    if (this.isSpent) this.giveBack(true);
    else if (this.isClosed) this.giveBack();
  }

  private connect(): void {
    if (this.isConnecting) return;
    this.isConnecting = true;
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    try {
      this.pool.connect((error, client) => (client ? this.connected(client) : this.refused(error)));
    } catch (error) {
      this.refused(error);
    }
  }

  private connected(client: PoolClient): void {
    this.isConnecting = false;
    const reads = this.take().filter(({ hasMovedOn }) => !hasMovedOn);
    if (this.isClosed) {
      clearInterval(this.timer);
      client.release();
      for (const read of reads) read.moveOn();
      return;
    }
    this.client = Object.assign(client, { pipeline: true });
    client.on('error', this.lost);
    this.freeSince = performance.now();
    // One that cannot be sent is answered at once.
    this.reads = [...reads];
    for (const { query } of reads) client.query(query);
  }

  private refused(error: unknown): void {
    this.isConnecting = false;
    clearInterval(this.timer);
    for (const read of this.take()) if (!read.hasMovedOn) read.reject(error as Error);
  }

  /** Those under way, which are so no more. */
  private take(): Read[] {
    const { reads } = this;
    this.reads = [];
    return reads;
  }

  /** `pg` tells each of the reads. */
  private readonly lost = (error: Error) => {
    this.take();
    this.giveBack(error);
  };

  private giveBack(error?: Error | true): void {
    const { client } = this;
    if (!client) return;
    clearInterval(this.timer);
    this.client = undefined;
    this.isSpent = false;
    client.off('error', this.lost);
    client.pipeline = false;
    client.release(error);
  }

  private look(): void {
    const now = performance.now();
    // Answers that have arrived while the event loop was blocked are read first.
    setImmediate(() => {
      const [first] = this.reads;
      if (!first) {
        if (now - this.freeSince >= KEPT_FOR_MS) this.giveBack();
      } else if (now - first.since >= OVERTAKEN_AFTER_MS) this.overtake(first, now);
    });
  }

  private overtake(first: Read, now: number): void {
    // Where there is no connection yet, all wait for that.
    const behind = this.client ? this.reads.slice(1) : this.reads;
    const waiting = behind.filter(({ hasMovedOn }) => !hasMovedOn);
    const hasTaken = now - Math.max(first.since, this.freeSince);
    if (this.client && waiting.length > 0 && hasTaken >= SLOW_FROM_MS)
      this.slow.set(first.name, now + ALONE_FOR_MS);
    for (const read of waiting) read.moveOn();
  }
}
