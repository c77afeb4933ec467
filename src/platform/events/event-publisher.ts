import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { noteOrigin } from '../common/errors/logged-error';
import { Clock } from '../common/clock';
import { currentUser } from '../common/request-context';
import { within } from '../common/within';
import { busyDatabase } from '../database/pg-errors';
import { TransactionManager } from '../database/transaction-manager';
import { DeliveriesRepository } from './deliveries.repository';
import type { DomainEvent, DomainEvents, DomainEventType } from './domain-event';
import { EventDeliveries } from './event-deliveries';
import { type EventHandler, EventHandlers } from './event-handlers';

/** Time for which a handler may keep a transaction open. */
const HANDLER_TIMEOUT_MS = 5000;

/** An event of one record, before it gets an id and a time. */
interface RecordEvent<Type extends DomainEventType> {
  recordId: string;
  data: DomainEvents[Type];
}

/** Returns the fields that an update sets: undefined leaves a field unchanged. */
export const changedFields = (changes: object): string[] =>
  Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]));

/** Returns the event of a change by an import, in which null leaves a field unchanged. */
export function importedChange({ id, ...fields }: { id: string } & Record<string, unknown>): {
  recordId: string;
  data: { changed: string[] };
} {
  const changed = Object.entries(fields).flatMap(([field, value]) => (value === null ? [] : [field]));
  return { recordId: id, data: { changed } };
}

@Injectable()
export class EventPublisher {
  private readonly logger = new Logger('Events');
  /** A single function object, so that a transaction with many writes calls it once. */
  private readonly wake = () => this.delivery.wake();

  constructor(
    private readonly handlers: EventHandlers,
    private readonly deliveries: DeliveriesRepository,
    private readonly delivery: EventDeliveries,
    private readonly transactions: TransactionManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs a write and its event handlers in one transaction. If no extension handles events, it opens no
   * transaction, because each of the service's writes is a single statement.
   * @throws errors of handlers; UnavailableError if one takes too long
   */
  transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.handlers.isEmpty ? work() : this.transactions.run(work);
  }

  /**
   * Publishes a write, within its transaction. An update that sets no field publishes nothing.
   * @throws the same errors as `transaction`
   */
  publish<Type extends DomainEventType>(
    type: Type,
    recordId: string,
    data: DomainEvents[Type],
  ): Promise<void> {
    return this.publishAll(type, [{ recordId, data }]);
  }

  /** Publishes a write for many records. */
  async publishAll<Type extends DomainEventType>(
    type: Type,
    records: readonly RecordEvent<Type>[],
  ): Promise<void> {
    const handlers = this.handlers.byType.get(type) ?? [];
    const events = handlers.length > 0 ? records.filter(isChange).map((one) => this.event(type, one)) : [];
    if (events.length === 0) return;
    const receivers = handlers.filter((handler) => handler.afterCommit !== undefined).map(({ name }) => name);
    if (receivers.length > 0) {
      // Added before the handlers run, so that this event precedes the events of their own writes to the record.
      await this.deliveries.add(events, receivers);
      this.transactions.onCommit(this.wake);
    }
    for (const handler of handlers) {
      for (const event of handler.inTransaction ? events : []) await this.inTransaction(handler, event);
    }
  }

  private event<Type extends DomainEventType>(
    type: Type,
    { recordId, data }: RecordEvent<Type>,
  ): DomainEvent {
    const event = {
      id: randomUUID(),
      type,
      recordId,
      userId: currentUser()?.id ?? null,
      occurredAt: new Date(this.clock.now()).toISOString(),
      data,
    };
    return event as DomainEvent;
  }

  private inTransaction(handler: EventHandler, event: DomainEvent): Promise<void> {
    this.transactions.noteParticipant(handler.name);
    const timeoutError = () => {
      this.logger.error(`${handler.name} has kept the transaction of ${event.type} open for too long`);
      this.transactions.giveUp();
      return busyDatabase();
    };
    return within(HANDLER_TIMEOUT_MS, timeoutError, async () => {
      try {
        await handler.inTransaction!(event);
      } catch (error) {
        noteOrigin(error, `EVENT_HANDLER ${handler.name}`);
        throw error;
      }
    });
  }
}

const isChange = ({ data }: { data: object }): boolean =>
  !('changed' in data && Array.isArray(data.changed) && data.changed.length === 0);
