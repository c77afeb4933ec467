import { Injectable } from '@nestjs/common';
import { DatabaseService, type Statement } from '../database/database.service';
import type { DomainEvent } from './domain-event';

/** An event that is to be delivered to one handler. */
export interface Delivery {
  id: string;
  /** Number of tries, including the current one. */
  tries: number;
  event: DomainEvent;
}

/** Time for which one instance owns a delivery. It must exceed the timeout of a handler. */
const LEASE_SECONDS = 60;

/** Number of tries after which a delivery is dead-lettered. */
export const MAX_TRIES = 10;

/** The writer holds the record's lock, so events of a record are numbered in the order of its writes. */
const ADD: Statement = {
  name: 'events.add',
  text: `INSERT INTO event_deliveries (handler, record_id, event)
         SELECT handler, (event ->> 'recordId')::uuid, event
         FROM unnest($1::jsonb[]) WITH ORDINALITY AS e (event, place), unnest($2::text[]) AS h (handler)
         ORDER BY place`,
};

/**
 * Takes only the first delivery of each record; the next one follows when that is done. MATERIALIZED, because a
 * plan that reads the subquery several times would lock and take more rows than its LIMIT.
 */
const TAKE: Statement = {
  name: 'events.take',
  text: `WITH due AS MATERIALIZED (
           SELECT id FROM event_deliveries first
           WHERE handler = $1 AND NOT parked AND due_at <= now() AND NOT EXISTS (
             SELECT FROM event_deliveries earlier
             WHERE earlier.handler = $1 AND NOT earlier.parked
               AND earlier.record_id = first.record_id AND earlier.id < first.id)
           ORDER BY due_at, id LIMIT $2
           FOR UPDATE SKIP LOCKED)
         UPDATE event_deliveries d
         SET tries = tries + 1, due_at = now() + interval '${LEASE_SECONDS} seconds'
         FROM due WHERE d.id = due.id
         RETURNING d.id::text, d.tries, d.event`,
};

// If the lease has ended, another instance has increased `tries`, and the row stays unchanged.
const DONE: Statement = {
  name: 'events.done',
  text: 'DELETE FROM event_deliveries WHERE id = $1::bigint AND tries = $2',
};

const FAILED: Statement = {
  name: 'events.failed',
  text: `UPDATE event_deliveries SET parked = $3, due_at = now() + $4 * interval '1 second'
         WHERE id = $1::bigint AND tries = $2`,
};

/** Counts at most 10 000 each: a higher number does not need to be exact. */
const COUNTS: Statement = {
  name: 'events.counts',
  reserved: true,
  timeoutMs: 2000,
  text: `SELECT (SELECT count(*)::int FROM (SELECT FROM event_deliveries
                 WHERE NOT parked AND handler = ANY ($1::text[]) LIMIT 10000) AS w) AS waiting,
                (SELECT count(*)::int FROM (SELECT FROM event_deliveries
                 WHERE parked AND handler = ANY ($1::text[]) LIMIT 10000) AS p) AS "deadLettered"`,
};

export interface DeliveryCounts {
  readonly waiting: number;
  readonly deadLettered: number;
}

/** Stores one row per event and handler until the event is delivered. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Adds a row for each event and handler, in the current transaction. */
  async add(events: readonly DomainEvent[], handlers: readonly string[]): Promise<void> {
    await this.database.query(ADD, [events.map((event) => JSON.stringify(event)), handlers]);
  }

  /** Takes up to `count` due deliveries of a handler, the oldest first, at most one per record. */
  async take(handler: string, count: number): Promise<Delivery[]> {
    const taken = await this.database.query<Delivery>(TAKE, [handler, count]);
    return taken.sort((one, other) => Number(one.id) - Number(other.id));
  }

  async done({ id, tries }: Delivery): Promise<void> {
    await this.database.query(DONE, [id, tries]);
  }

  /** @param waitSeconds delay before the next try, unless this was the last one */
  async failed({ id, tries }: Delivery, waitSeconds: number): Promise<void> {
    await this.database.query(FAILED, [id, tries, tries >= MAX_TRIES, waitSeconds]);
  }

  async counts(handlers: readonly string[]): Promise<DeliveryCounts> {
    const [counts] = await this.database.query<DeliveryCounts>(COUNTS, [handlers]);
    return counts!;
  }
}
