import type { DomainEvent, DomainEventType } from './domain-event';

/** Token under which any module provides an `EventHandler` or a list of them. */
export const EVENT_HANDLER = Symbol('EVENT_HANDLER');

/** Reacts to writes of records. It has at least one of the two methods. */
export interface EventHandler<Type extends DomainEventType = DomainEventType> {
  /**
   * Unique and permanent, because deliveries are stored under it: lower-case letters, digits and `-`, at most 40
   * characters, beginning with a letter.
   */
  readonly name: string;
  readonly events: readonly Type[];
  /**
   * Called within the transaction of the write. Writes through `Database` and TypeORM are committed with it, or not
   * at all. An error becomes the answer to the request, and nothing is written. The request waits for this method:
   * after 5 s the write is refused with 503. It cannot use another connection.
   */
  inTransaction?(event: DomainEvent<Type>): Promise<void> | void;
  /**
   * Called after the commit by any instance, at least once: an event may arrive again with the same `id`. Events of
   * one record arrive in order. After 30 s the signal is aborted. A failed call is repeated, ten tries in about ten
   * minutes. Then the event is dead-lettered and reported by health, and later events of the record are delivered.
   */
  afterCommit?(event: DomainEvent<Type>, signal: AbortSignal): Promise<void> | void;
}
