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

/** Tries after which a delivery is parked. */
export const MOST_TRIES = 10;

/** What touches the deliveries shares connections with nothing else, and does not wait for it. */
const GROUP = 'events';

/** Those of one record get their numbers in the order of their writes: each holds the record's lock. */
const ADD: Statement = {
  name: 'events.add',
  group: GROUP,
  text: `INSERT INTO event_deliveries (handler, record_id, event)
         SELECT handler, (event ->> 'recordId')::uuid, event
         FROM unnest($1::jsonb[]) WITH ORDINALITY AS e (event, place), unnest($2::text[]) AS h (handler)
         ORDER BY place`,
};

/**
 * Taken by one instance: others pass over what is locked, and later over what is leased. Of each record the
 * first only, so that the next one comes when it is done. Looked for among the oldest rows: in a whole table
 * a record of a hundred thousand events would be compared with itself.
 */
const TAKE: Statement = {
  name: 'events.take',
  group: GROUP,
  text: `WITH oldest AS (
           SELECT id, record_id FROM event_deliveries
           WHERE handler = $1 AND NOT parked ORDER BY id LIMIT $3),
         firsts AS (SELECT min(id) AS first FROM oldest GROUP BY record_id),
         due AS (
           SELECT id FROM event_deliveries JOIN firsts ON first = id
           WHERE NOT parked AND due_at <= now()
           ORDER BY id LIMIT $2 FOR UPDATE OF event_deliveries SKIP LOCKED)
         UPDATE event_deliveries d
         SET tries = tries + 1, due_at = now() + interval '${LEASE_SECONDS} seconds'
         FROM due WHERE d.id = due.id
         RETURNING d.id::text, d.tries, d.event`,
};

/** Whether there are more rows than were looked at. */
const MORE: Statement = {
  name: 'events.more',
  group: GROUP,
  text: `SELECT FROM event_deliveries WHERE handler = $1 AND NOT parked ORDER BY id OFFSET $2 LIMIT 1`,
};

/** How many rows are looked at first, and how many times as many where these have nothing that is due. */
const LOOKED_AT = 1000;
const GROWTH = 10;

// Whoever was too slow for the lease finds another number of tries, and leaves the row alone.
const DONE: Statement = {
  name: 'events.done',
  group: GROUP,
  text: 'DELETE FROM event_deliveries WHERE id = $1::bigint AND tries = $2',
};

const FAILED: Statement = {
  name: 'events.failed',
  group: GROUP,
  text: `UPDATE event_deliveries
         SET parked = $3, due_at = now() + $4 * interval '1 second'
         WHERE id = $1::bigint AND tries = $2`,
};

const PARKED: Statement = {
  name: 'events.parked',
  group: 'health',
  text: 'SELECT EXISTS (SELECT FROM event_deliveries WHERE parked AND handler = ANY ($1::text[])) AS parked',
};

/** Events on their way to handlers: a row for each event and handler until it is delivered. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** For each event a row of each handler, in the current transaction. */
  async add(events: readonly DomainEvent[], handlers: readonly string[]): Promise<void> {
    await this.database.query(ADD, [events.map((event) => JSON.stringify(event)), handlers]);
  }

  /**
   * At most `count` of a handler's that are due, one of each record; nobody else gets them meanwhile. Older
   * ones that have to wait do not keep newer ones of other records.
   */
  async take(handler: string, count: number): Promise<Delivery[]> {
    for (let rows = LOOKED_AT; ; rows *= GROWTH) {
      const taken = await this.database.query<Delivery>(TAKE, [handler, count, rows]);
      if (taken.length > 0) return taken;
      if ((await this.database.query(MORE, [handler, rows])).length === 0) return [];
    }
  }

  async done({ id, tries }: Delivery): Promise<void> {
    await this.database.query(DONE, [id, tries]);
  }

  /** @param wait seconds until it is tried again, unless it is parked */
  async failed({ id, tries }: Delivery, wait: number): Promise<void> {
    await this.database.query(FAILED, [id, tries, tries >= MOST_TRIES, wait]);
  }

  /** Whether something of these handlers is tried no more. */
  async haveParked(handlers: readonly string[]): Promise<boolean> {
    const [row] = await this.database.query<{ parked: boolean }>(PARKED, [handlers]);
    return row!.parked;
  }
}
