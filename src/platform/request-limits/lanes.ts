import { availableParallelism } from 'node:os';
import type { Request } from 'express';
import { ADDRESS_FACTOR, isAddressClient } from '../http/client';
import type { Environment } from '../config/environment';
import { FairSemaphore } from './fair-semaphore';
import { SetMetadata } from '@nestjs/common';

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

type DatabaseLane = keyof typeof CONNECTIONS;

/**
 * `requests` and `streams`: requests of a client in progress. `uploads`: files that are received or processed.
 * `exports`: files that are written to clients. `ai`: calls of a provider, until the end of the answer.
 */
export type Lane = DatabaseLane | 'requests' | 'streams' | 'uploads' | 'exports' | 'ai' | 'password';

export const isDatabaseLane = (lane: string): boolean => lane in CONNECTIONS;

/** Metadata key of a route's lane. */
export const LANE = 'formula:lane';

/** Requests of a route with `none` never wait, not even for other requests of their client. */
export type RouteLane = DatabaseLane | 'ai' | 'none';

/** Lanes in which the request itself determines if it is short. */
const LIGHT_LANES: ReadonlySet<RouteLane> = new Set(['short', 'formulas', 'catalogue'] as const);

/** The smallest pool that is divided between all lanes. */
const SMALLEST_DIVIDED_POOL = 8;

const STREAMS_PER_CLIENT = 32;
const UPLOADS = 8;
const EXPORTS = 8;
const AI_CALLS = 128;
const AI_CALLS_PER_CLIENT = 32;

/** Each hash takes a core for some time. One of libuv's four threads stays free for files and name look-ups. */
const PASSWORD_HASHES = Math.min(availableParallelism(), 3);

/** Most waiting requests per client, in windows of the rate limit: two windows may overlap at one moment. */
const QUEUED_WINDOWS = 2;

type Settings = Pick<Environment, 'database' | 'databasePoolSize' | 'clientConcurrency' | 'throttleLimit'>;

export function createLanes(settings: Settings): Readonly<Record<Lane, FairSemaphore>> {
  const { clientConcurrency, throttleLimit } = settings;
  // Many users may share an address.
  const perClient = (count: number) => (client: string) =>
    isAddressClient(client) ? count * ADDRESS_FACTOR : count;
  const queuePerClient = perClient(throttleLimit * QUEUED_WINDOWS);
  return {
    ...databaseLanes(settings),
    requests: new FairSemaphore({
      permits: Infinity,
      perClient: perClient(clientConcurrency),
      queuePerClient,
    }),
    streams: new FairSemaphore({
      permits: Infinity,
      perClient: perClient(STREAMS_PER_CLIENT),
      queuePerClient,
    }),
    uploads: semaphore(UPLOADS, 1),
    exports: semaphore(EXPORTS, 1),
    ai: new FairSemaphore({ permits: AI_CALLS, perClient: () => AI_CALLS_PER_CLIENT }),
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
  if (databasePoolSize < SMALLEST_DIVIDED_POOL) {
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

/** The first pages of a list, and pages of the usual size, are short work. */
const FIRST_PAGES = 10;
const USUAL_PAGE_SIZE = 20;

/** Size of a composition with about a hundred lines. */
const SMALL_BODY_BYTES = 8 * 1024;

/** Returns the lane of a request on a route: see `UseLane`. */
export function laneOf(route: RouteLane, request: Request): Lane | undefined {
  if (route === 'none') return undefined;
  if (!LIGHT_LANES.has(route)) return route;
  const heavy = request.method === 'GET' ? heavyLaneOfRead(request) : heavyLaneOfWrite(request);
  if (route === 'catalogue' && heavy !== 'write') return heavy ? 'catalogue' : 'short';
  return heavy ?? route;
}

function heavyLaneOfRead(request: Request): DatabaseLane | undefined {
  if (!request.url.includes('?')) return undefined;
  const { search, page, limit } = request.query;
  if (search || Number(page) > FIRST_PAGES) return 'search';
  return Number(limit) > USUAL_PAGE_SIZE ? 'reading' : undefined;
}

function heavyLaneOfWrite({ headers }: Request): DatabaseLane | undefined {
  const isChunked = headers['transfer-encoding'] !== undefined;
  return isChunked || Number(headers['content-length']) > SMALL_BODY_BYTES ? 'write' : undefined;
}

/**
 * Sets the lane of a route or controller, see `Lane`. With `short`, `formulas` and `catalogue` the request
 * determines the lane: searches, pages far behind, long pages and large bodies have separate lanes. Routes without
 * a lane must not use database connections for long.
 */
export const UseLane = (lane: RouteLane) => SetMetadata(LANE, lane);
