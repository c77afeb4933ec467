import type { ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { TooManyRequestsError, UnavailableError } from '../common/errors/service-error';
import { isClosed } from '../http/answer-closed';
import { ADDRESS_FACTOR, addressClient, clientOf, isAddressClient } from '../http/client';
import { requestContext } from '../common/request-context';
import { text } from '../texts/text';
import { Environment } from '../config/environment';
import { FairSemaphore, QueueFullError } from './fair-semaphore';

/**
 * Lanes of work on the database, with their share of 20 connections. If `formulas` is locked, waiting statements
 * fill only the lanes of formulas. Other lanes keep their connections, and one connection stays for work outside
 * the lanes: finding the user of a token, and health.
 */
const CONNECTIONS = {
  /** Short reads and writes of records other than formulas. */
  short: 4,
  /** Short reads and writes of formulas. */
  formulas: 5,
  /** Searches, and pages far behind. */
  search: 3,
  /** Searches and pages far behind in the catalogue and the colour library. */
  catalogue: 3,
  /** Long pages. */
  reading: 2,
  /** Writes of large bodies. */
  write: 2,
};

export type DatabaseLane = keyof typeof CONNECTIONS;

/**
 * `requests` and `streams`: requests of a client in progress. `uploads` and `exports`: files that a client sends or
 * receives. `receiving` and `sending`: the same files, counted for each address. `files`: files that are read into
 * rows, until the rows are written. `ai`: calls of a provider, until the end of the answer. `solver`: threads that
 * solve linear programs.
 */
export type Lane =
  | DatabaseLane
  | TransferLane
  | 'requests'
  | 'streams'
  | 'uploads'
  | 'exports'
  | 'files'
  | 'ai'
  | 'solver'
  | 'password';

/** Slow clients can make a transfer last. Its permits count for the address, however many accounts use it. */
type TransferLane = 'receiving' | 'sending';

const isDatabaseLane = (lane: string): boolean => lane in CONNECTIONS;

/** Time in which the waits of a request end, for permits and then for a lock of the database, in milliseconds. */
const WAIT_MS = 30_000;

const RETRY_AFTER_SECONDS = 2;

export const serverBusy = () =>
  new UnavailableError(text('server.busy'), { 'Retry-After': String(RETRY_AFTER_SECONDS) });

/** Limits how much of each kind of work runs at once, and serves clients in turn. */
@Injectable()
export class ConcurrencyLimiter {
  /** @internal */
  readonly lanes: ReturnType<typeof createLanes>;

  /** Time that a request may wait for permits before its answer begins, in all lanes together. */
  private readonly waitMs: number;

  constructor(environment: Environment) {
    const { database, databaseLimits } = environment;
    const lockMs = database.kind === 'server' ? databaseLimits.lockSeconds * 1000 : 0;
    // Another second is for everything else that the request does.
    this.waitMs = Math.max(WAIT_MS - lockMs - 1000, WAIT_MS / 2);
    this.lanes = createLanes(environment);
  }

  /**
   * Runs work as soon as the client of the current request gets a permit. No permit is needed outside requests, and
   * none for nested work in the same lane or another lane of the database, which could otherwise wait for itself.
   * @throws UnavailableError if there is no permit in time, or the client disconnects
   */
  async run<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    const request = requestContext.getStore();
    if (!request || hasPermit(request.lane, lane)) return work();
    const outer = request.lane;
    const release = await this.acquire(lane, request.response);
    request.lane = lane;
    try {
      return await work();
    } finally {
      request.lane = outer;
      release();
    }
  }

  /**
   * @internal
   * @returns a function that releases the permit
   * @throws UnavailableError as in `run`; TooManyRequestsError if too many of the client's requests are waiting
   */
  async acquire(lane: Lane, response: ServerResponse): Promise<() => void> {
    const semaphore = this.lanes[lane];
    if (isClosed(response)) throw serverBusy();
    const isTransfer = lane === 'receiving' || lane === 'sending';
    const client = (isTransfer ? addressClient : clientOf)(response.req as Request);
    if (!semaphore.tryAcquire(client)) await this.wait(semaphore, client, response);
    return () => semaphore.release(client);
  }

  private wait(semaphore: FairSemaphore, client: string, response: ServerResponse): Promise<void> {
    const request = requestContext.getStore();
    // After an answer has begun, the wait for each of its parts is limited separately.
    const waitedMs = response.headersSent ? 0 : (request?.waitedMs ?? 0);
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        response.off('close', giveUp);
        if (request) request.waitedMs = waitedMs + performance.now() - since;
      };
      const giveUp = () => {
        leave();
        end();
        reject(serverBusy());
      };
      const leave = enqueue(semaphore, client, () => {
        end();
        resolve();
      });
      const timer = setTimeout(giveUp, this.waitMs - waitedMs).unref();
      response.once('close', giveUp);
    });
  }
}

/** @throws TooManyRequestsError if too many of the client's requests are waiting */
function enqueue(semaphore: FairSemaphore, client: string, start: () => void): () => void {
  try {
    return semaphore.enqueue(client, start);
  } catch (error) {
    throw error instanceof QueueFullError ? new TooManyRequestsError(RETRY_AFTER_SECONDS) : error;
  }
}

const hasPermit = (held: string | undefined, lane: Lane): boolean =>
  held !== undefined && (held === lane || (isDatabaseLane(held) && isDatabaseLane(lane)));

/** Each hash takes a core for some time. One of libuv's four threads stays free for files and name look-ups. */
const PASSWORD_HASHES = Math.min(availableParallelism(), 3);

type Settings = Pick<Environment, 'database' | 'databasePoolSize' | 'clientConcurrency' | 'throttleLimit'>;

export function createLanes(settings: Settings): Readonly<Record<Lane, FairSemaphore>> {
  const { clientConcurrency, throttleLimit } = settings;
  // Many users may share an address.
  const perClient = (count: number) => (client: string) =>
    isAddressClient(client) ? count * ADDRESS_FACTOR : count;
  // Two windows of the rate limit may overlap at one moment.
  const queuePerClient = perClient(throttleLimit * 2);
  return {
    ...databaseLanes(settings),
    requests: new FairSemaphore({
      permits: Infinity,
      perClient: perClient(clientConcurrency),
      queuePerClient,
    }),
    streams: new FairSemaphore({
      permits: Infinity,
      perClient: perClient(32),
      queuePerClient,
    }),
    uploads: semaphore(Infinity, 1),
    exports: semaphore(Infinity, 1),
    // A received file has up to 20 MB on disk.
    receiving: semaphore(32, 16),
    sending: semaphore(32, 16),
    files: semaphore(2),
    ai: new FairSemaphore({ permits: 128, perClient: () => 32 }),
    solver: semaphore(2),
    password: semaphore(PASSWORD_HASHES, PASSWORD_HASHES),
  };
}

const semaphore = (permits: number, perClient = Math.max(1, permits - 1)) =>
  new FairSemaphore({ permits, perClient: () => perClient });

function databaseLanes({ database, databasePoolSize }: Settings): Record<DatabaseLane, FairSemaphore> {
  if (database.kind !== 'server') {
    // The embedded database has one session. Each client has at most one heavy statement in its queue.
    const heavy = semaphore(2);
    const light = semaphore(Infinity);
    return { short: light, formulas: light, search: heavy, catalogue: heavy, reading: heavy, write: heavy };
  }
  // Too few connections for every lane to have its own.
  if (databasePoolSize < 8) {
    const formulas = semaphore(Math.max(1, databasePoolSize - 3));
    const others = databasePoolSize < 3 ? formulas : semaphore(1);
    return {
      short: others,
      formulas,
      search: formulas,
      catalogue: others,
      reading: formulas,
      write: formulas,
    };
  }
  const share = (lane: DatabaseLane) =>
    semaphore(Math.max(1, Math.floor((CONNECTIONS[lane] * databasePoolSize) / 20)));
  return {
    short: share('short'),
    formulas: share('formulas'),
    search: share('search'),
    catalogue: share('catalogue'),
    reading: share('reading'),
    write: share('write'),
  };
}
