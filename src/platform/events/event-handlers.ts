import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ExtensionError, placedUnder } from '../common/extension-tokens';
import { DOMAIN_EVENT_TYPES, type DomainEventType } from './domain-event';
import { EVENT_HANDLER, type EventHandler } from './event-handler';

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** The handlers that modules provide under `EVENT_HANDLER`. */
@Injectable()
export class EventHandlers implements OnModuleInit {
  /** In the order of the modules. */
  private all: readonly EventHandler[] = [];
  private byType = new Map<DomainEventType, EventHandler[]>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws ExtensionError if one is not a handler, or two have the same name */
  onModuleInit(): void {
    const places = new Map<string, string>();
    this.all = placedUnder(EVENT_HANDLER, this.discovery).flatMap(({ place, value }) =>
      [value].flat().map((given) => {
        const handler = checked(given, place);
        const other = places.get(handler.name);
        if (other !== undefined) {
          throw new ExtensionError(
            `EVENT_HANDLER is named ${handler.name} in ${other} and ${place}: names are unique.`,
          );
        }
        places.set(handler.name, place);
        return handler;
      }),
    );
    for (const handler of this.all) {
      for (const type of new Set(handler.events)) {
        this.byType.set(type, [...(this.byType.get(type) ?? []), handler]);
      }
    }
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /** Handlers that get events after the commit. */
  get receivers(): readonly EventHandler[] {
    return this.all.filter((handler) => handler.afterCommit !== undefined);
  }

  /** Returns undefined if no handler is registered for this type. */
  of(type: DomainEventType): readonly EventHandler[] | undefined {
    return this.byType.get(type);
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
