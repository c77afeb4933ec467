import type { DomainEvent, DomainEventType } from './domain-event';

/** Token under which any module provides an `EventHandler`, or a list of them. */
export const EVENT_HANDLER = Symbol('EVENT_HANDLER');

/** Does something when a record is written. It has at least one of the two methods. */
export interface EventHandler<Type extends DomainEventType = DomainEventType> {
  /**
   * Unique and lasting, deliveries are stored under it: lower-case letters, digits and `-`, at most 40, a
   * letter first.
   */
  readonly name: string;
  readonly events: readonly Type[];
  /**
   * Within the transaction of the write: what `Database` and TypeORM write here is committed with it, or not
   * at all. What it throws is the request's answer, and nothing is written. Everything waits for it: it has
   * 5 s, then the write is refused with 503. Another connection cannot be asked for in here.
   */
  inTransaction?(event: DomainEvent<Type>): Promise<void> | void;
  /**
   * After the commit, by whichever instance comes first: at least once, so an event may come again with the
   * same `id`; those of one record in their order. It has 30 s, then the signal is aborted. Where it fails it
   * is tried again, ten times in all within about ten minutes; then the event is dead-lettered, health shows
   * it, and later ones of the record go on.
   */
  afterCommit?(event: DomainEvent<Type>, signal: AbortSignal): Promise<void> | void;
}
