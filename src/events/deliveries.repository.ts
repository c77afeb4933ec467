import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database';
import type { DomainEvent } from './domain-event';

/** An event that one handler is to get. */
export interface Delivery {
  id: string;
  /** With the one that is now beginning. */
  tries: number;
  event: DomainEvent;
}

/** Seconds for which one instance has a delivery to itself: more than a handler has. */
const LEASE_SECONDS = 60;

/** Records that one statement goes through, and statements of one look: the next look goes on from there. */
const MOST_VISITED = 1000;
const MOST_VISITS = 20;

/** Before all records. */
const BEGINNING = '00000000-0000-0000-0000-000000000000';

/** Tries after which a delivery is parked. */
export const MOST_TRIES = 10;

/** Those of one record get their numbers in the order of their writes: each holds the record's lock. */
const ADD: Statement = {
  name: 'events.add',
  text: `INSERT INTO event_deliveries (handler, record_id, event)
         SELECT handler, (event ->> 'recordId')::uuid, event
         FROM unnest($1::jsonb[]) WITH ORDINALITY AS e (event, place), unnest($2::text[]) AS h (handler)
         ORDER BY place`,
};

/**
 * Goes from record to record, each by one look into the index, and takes the first of those that are due: the
 * next one of a record comes when that is done. One instance gets it: others pass over what is locked, and
 * later over what is leased. Parameters: the handler, how many, and behind which record.
 */
const TAKE: Statement = {
  name: 'events.take',
  text: `WITH RECURSIVE visited AS (
           (SELECT record_id, id, due_at <= now() AS due, (due_at <= now())::int AS found, 1 AS number
            FROM event_deliveries WHERE handler = $1 AND NOT parked AND record_id > $3
            ORDER BY record_id, id LIMIT 1)
           UNION ALL
           SELECT next.record_id, next.id, next.due, found + next.due::int, number + 1
           FROM visited CROSS JOIN LATERAL (
             SELECT d.record_id, d.id, d.due_at <= now() AS due FROM event_deliveries d
             WHERE handler = $1 AND NOT parked AND d.record_id > visited.record_id
             ORDER BY d.record_id, d.id LIMIT 1) next
           WHERE found < $2 AND number < ${MOST_VISITED}),
         due AS (
           SELECT id FROM event_deliveries
           WHERE id = ANY (ARRAY(SELECT id FROM visited WHERE due)) AND due_at <= now() AND NOT parked
           FOR UPDATE SKIP LOCKED),
         taken AS (
           UPDATE event_deliveries d
           SET tries = tries + 1, due_at = now() + interval '${LEASE_SECONDS} seconds'
           FROM due WHERE d.id = due.id
           RETURNING d.id::text, d.tries, d.event)
         SELECT last.record_id AS last, last.found < $2 AND last.number < ${MOST_VISITED} AS "isEnd", taken.*
         FROM (SELECT * FROM visited ORDER BY number DESC LIMIT 1) last LEFT JOIN taken ON true`,
};

/** A row of it: where it ended, and what it took, if anything. */
type Visit = { readonly last: string; readonly isEnd: boolean } & (Delivery | Record<keyof Delivery, null>);

// Whoever was too slow for the lease finds another number of tries, and leaves the row alone.
const DONE: Statement = {
  name: 'events.done',
  text: 'DELETE FROM event_deliveries WHERE id = $1::bigint AND tries = $2',
};

const FAILED: Statement = {
  name: 'events.failed',
  text: `UPDATE event_deliveries
         SET parked = $3, due_at = now() + $4 * interval '1 second'
         WHERE id = $1::bigint AND tries = $2`,
};

const PARKED: Statement = {
  name: 'events.parked',
  reserved: true,
  text: 'SELECT EXISTS (SELECT FROM event_deliveries WHERE parked AND handler = ANY ($1::text[])) AS parked',
};

/** As far as that is counted: nobody waits for the rest of a number that is alarming anyhow. */
const MOST_COUNTED = 10_000;

const COUNTS: Statement = {
  name: 'events.counts',
  reserved: true,
  patience: 2000,
  text: `SELECT (SELECT count(*)::int FROM (SELECT 1 FROM event_deliveries
                 WHERE NOT parked AND handler = ANY ($1::text[]) LIMIT ${MOST_COUNTED}) AS w) AS waiting,
                (SELECT count(*)::int FROM (SELECT 1 FROM event_deliveries
                 WHERE parked AND handler = ANY ($1::text[]) LIMIT ${MOST_COUNTED}) AS p) AS parked`,
};

/** Events on their way to handlers: a row for each event and handler until it is delivered. */
@Injectable()
export class DeliveriesRepository {
  /** Behind which record the next look of a handler begins. */
  private readonly reached = new Map<string, string>();

  constructor(private readonly database: Database) {}

  /** For each event a row of each handler, in the current transaction. */
  async add(events: readonly DomainEvent[], handlers: readonly string[]): Promise<void> {
    await this.database.query(ADD, [events.map((event) => JSON.stringify(event)), handlers]);
  }

  /**
   * At most `count` of a handler's that are due, one of each record; nobody else gets them meanwhile. Records
   * take turns: however much one has, and however many have to wait, the others do not wait for them.
   */
  async take(handler: string, count: number): Promise<Delivery[]> {
    const taken: Delivery[] = [];
    const begin = this.reached.get(handler) ?? BEGINNING;
    let from = begin;
    let isAround = begin === BEGINNING;
    for (let visits = 0; visits < MOST_VISITS && taken.length < count; visits++) {
      const rows = await this.database.query<Visit>(TAKE, [handler, count - taken.length, from]);
      taken.push(...rows.flatMap(({ id, tries, event }) => (id === null ? [] : [{ id, tries, event }])));
      const [visit] = rows;
      if (visit && !visit.isEnd) {
        from = visit.last;
        if (isAround && begin !== BEGINNING && from >= begin) break;
      } else {
        from = BEGINNING;
        if (isAround) break;
        isAround = true;
      }
    }
    this.reached.set(handler, from);
    return taken.sort((one, other) => Number(one.id) - Number(other.id));
  }

  async done({ id, tries }: Delivery): Promise<void> {
    await this.database.query(DONE, [id, tries]);
  }

  /** @param wait seconds until it is tried again, unless it is parked */
  async failed({ id, tries }: Delivery, wait: number): Promise<void> {
    await this.database.query(FAILED, [id, tries, tries >= MOST_TRIES, wait]);
  }

  /** How many wait or are under way, and how many are parked, each up to `MOST_COUNTED`. */
  async counts(handlers: readonly string[]): Promise<{ waiting: number; parked: number }> {
    const [row] = await this.database.query<{ waiting: number; parked: number }>(COUNTS, [handlers]);
    return row!;
  }

  /** Whether something of these handlers is tried no more. */
  async haveParked(handlers: readonly string[]): Promise<boolean> {
    const [row] = await this.database.query<{ parked: boolean }>(PARKED, [handlers]);
    return row!.parked;
  }
}
