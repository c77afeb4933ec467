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
import type { EventHandler } from './event-handler';
import { EventHandlers } from './event-handlers';

/** How long a handler may keep a transaction open, in milliseconds. */
const TRANSACTION_PATIENCE = 5000;

/** What a write tells of one record. */
export interface Happened<Type extends DomainEventType> {
  recordId: string;
  data: DomainEvents[Type];
}

@Injectable()
export class EventPublisher {
  private readonly logger = new Logger('Events');
  /** One function: a transaction of many writes wakes once. */
  private readonly wake = () => this.delivery.wake();

  constructor(
    private readonly handlers: EventHandlers,
    private readonly deliveries: DeliveriesRepository,
    private readonly delivery: EventDeliveries,
    private readonly transactions: TransactionManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes, with what handlers of the event do: all or nothing. Without a handler it only writes, and no
   * transaction is opened.
   * @param write may be undone: nothing but the database is changed in it
   * @param happened to which records; called only where there is a handler
   * @throws what a handler throws, UnavailableError when one takes too long
   */
  publishWith<Type extends DomainEventType, Result>(
    type: Type,
    write: () => Promise<Result>,
    happened: (result: Result) => readonly Happened<Type>[],
  ): Promise<Result> {
    if (!this.handlers.of(type)) return write();
    return this.transactions.run(async () => {
      const written = await write();
      await this.tell(type, () => happened(written));
      return written;
    });
  }

  /**
   * The same after a write, within its transaction: for one that has a transaction of its own.
   * @throws as `publishWith`
   */
  async tell<Type extends DomainEventType>(
    type: Type,
    happened: () => readonly Happened<Type>[],
  ): Promise<void> {
    const handlers = this.handlers.of(type) ?? [];
    const events = handlers.length > 0 ? happened().map((one) => this.event(type, one)) : [];
    if (events.length === 0) return;
    const receivers = handlers.filter((handler) => handler.afterCommit !== undefined).map(({ name }) => name);
    if (receivers.length > 0) {
      // Before what handlers write themselves, which comes later for the record, too.
      await this.deliveries.add(events, receivers);
      this.transactions.onCommit(this.wake);
    }
    for (const handler of handlers) {
      for (const event of handler.inTransaction ? events : []) await this.inTransaction(handler, event);
    }
  }

  private event<Type extends DomainEventType>(type: Type, { recordId, data }: Happened<Type>): DomainEvent {
    const event = {
      id: randomUUID(),
      type,
      recordId,
      userId: currentUser()?.id ?? null,
      occurredAt: new Date(this.clock.now()).toISOString(),
      data,
    };
    return event as unknown as DomainEvent;
  }

  private inTransaction(handler: EventHandler, event: DomainEvent): Promise<void> {
    this.transactions.noteParticipant(handler.name);
    const timeoutError = () => {
      this.logger.error(`${handler.name} has kept the transaction of ${event.type} open for too long`);
      return busyDatabase();
    };
    return within(TRANSACTION_PATIENCE, timeoutError, async () => {
      try {
        await handler.inTransaction!(event);
      } catch (error) {
        noteOrigin(error, `EVENT_HANDLER ${handler.name}`);
        throw error;
      }
    });
  }
}
