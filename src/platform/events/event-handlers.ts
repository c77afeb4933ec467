import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ExtensionError, namedUnder } from '../common/extension-tokens';
import { DOMAIN_EVENT_TYPES, type DomainEvent, type DomainEventType } from './domain-event';

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

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** The handlers that modules provide under `EVENT_HANDLER`. */
@Injectable()
export class EventHandlers implements OnModuleInit {
  isEmpty = true;
  /** Handlers that get events after the commit, in the order of the modules. */
  receivers: readonly EventHandler[] = [];
  readonly byType = new Map<DomainEventType, EventHandler[]>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws ExtensionError if one is not a handler, or two have the same name */
  onModuleInit(): void {
    const all = namedUnder(EVENT_HANDLER, this.discovery, checked);
    this.isEmpty = all.length === 0;
    this.receivers = all.filter((handler) => handler.afterCommit !== undefined);
    for (const handler of all) {
      for (const type of new Set(handler.events)) {
        this.byType.set(type, [...(this.byType.get(type) ?? []), handler]);
      }
    }
  }
}

function checked(given: unknown, place: string): EventHandler {
  const { name, events, inTransaction, afterCommit } = (given ?? {}) as Partial<EventHandler>;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new ExtensionError(
      `EVENT_HANDLER in ${place} must have a name (a letter, then letters, digits and -, lower case).`,
    );
  }
  if (!Array.isArray(events) || events.length === 0) {
    throw new ExtensionError(`EVENT_HANDLER ${name} in ${place} must have events, a list of their types.`);
  }
  const unknown = (events as DomainEventType[]).filter((type) => !DOMAIN_EVENT_TYPES.includes(type));
  if (unknown.length > 0) {
    throw new ExtensionError(
      `EVENT_HANDLER ${name} in ${place} asks for events that there are not: ${unknown.join(', ')}.`,
    );
  }
  const methods = [inTransaction, afterCommit].filter((method) => method !== undefined);
  if (methods.length === 0 || methods.some((method) => typeof method !== 'function')) {
    throw new ExtensionError(
      `EVENT_HANDLER ${name} in ${place} must have inTransaction() or afterCommit(), or both.`,
    );
  }
  return given as EventHandler;
}
