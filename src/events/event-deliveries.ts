import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { loggedError } from '../common/errors/logged-error';
import { DeliveriesRepository, type Delivery, MOST_TRIES } from './deliveries.repository';
import type { EventHandler } from './event-handler';
import { EventHandlers } from './event-handlers';
import { within } from './within';

/** How long a handler has for one event, in milliseconds. */
export const DELIVERY_PATIENCE = 30_000;

/** How often is looked for what failed, or what another instance has left behind, in milliseconds. */
const LOOK_EVERY = 5000;

/** Most events that a handler has at a time, those included that it should have ended long ago. */
const AT_ONCE = 10;

/** How long the end of the service waits for deliveries, in milliseconds. */
const STOP_PATIENCE = 5000;

/** Seconds until the next try: 1, 2, 4 … 256. */
const waitAfter = (tries: number): number => 2 ** (tries - 1);

/** Gives events to the handlers that get them after the commit. */
@Injectable()
export class EventDeliveries implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Events');
  private receivers: readonly Receiver[] = [];
  private timer?: NodeJS.Timeout;
  private isStopping = false;

  constructor(
    private readonly handlers: EventHandlers,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.receivers = this.handlers.receivers.map(
      (handler) => new Receiver(handler, this.deliveries, this.logger),
    );
    if (this.receivers.length === 0) return;
    this.timer = setInterval(() => this.wake(), LOOK_EVERY).unref();
    this.wake();
  }

  /** What is under way is waited for; what is not ended then, another instance or the next start delivers. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    const stopped = Promise.all(this.receivers.map((receiver) => receiver.stop()));
    await within(
      STOP_PATIENCE,
      () => new Error('too long'),
      () => stopped,
    ).catch(() => this.logger.warn('The service stops while events are being delivered: they come again'));
  }

  /** There may be something to deliver. */
  wake(): void {
    if (!this.isStopping) for (const receiver of this.receivers) void receiver.wake();
  }

  /** Ends when nothing is due any more. */
  async delivered(): Promise<void> {
    await Promise.all(this.receivers.map((receiver) => receiver.wake()));
  }
}

/** A handler and what it is at. */
class Receiver {
  private working?: Promise<void>;
  private wokenMeanwhile = false;
  private isStopping = false;
  /** Calls that have not ended, given up or not. */
  private calls = 0;

  constructor(
    private readonly handler: EventHandler,
    private readonly deliveries: DeliveriesRepository,
    private readonly logger: Logger,
  ) {}

  wake(): Promise<void> {
    this.wokenMeanwhile = true;
    this.working ??= this.work().finally(() => (this.working = undefined));
    return this.working;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.working;
  }

  private async work(): Promise<void> {
    try {
      while (this.wokenMeanwhile) {
        this.wokenMeanwhile = false;
        while (await this.deliverSome());
      }
    } catch (error) {
      // The next look finds it.
      this.logger.error({ err: loggedError(error) }, `Events of ${this.handler.name} cannot be read`);
    }
  }

  /** False when there was nothing, or it has no room for more. */
  private async deliverSome(): Promise<boolean> {
    const room = AT_ONCE - this.calls;
    if (this.isStopping || room <= 0) return false;
    const due = await this.deliveries.take(this.handler.name, room);
    await Promise.all(due.map((delivery) => this.deliver(delivery)));
    return due.length > 0;
  }

  private async deliver(delivery: Delivery): Promise<void> {
    const giveUp = new AbortController();
    try {
      await within(
        DELIVERY_PATIENCE,
        () => {
          giveUp.abort();
          return new Error(`No end within ${DELIVERY_PATIENCE / 1000} s`);
        },
        () => this.call(delivery, giveUp.signal),
      );
    } catch (error) {
      const { id, type } = delivery.event;
      const isLast = delivery.tries >= MOST_TRIES;
      this.logger[isLast ? 'error' : 'warn'](
        { err: loggedError(error), event: id, type, try: delivery.tries },
        `${this.handler.name} failed at an event${isLast ? ': it is parked' : ''}`,
      );
      await this.deliveries.failed(delivery, waitAfter(delivery.tries));
      return;
    }
    await this.deliveries.done(delivery);
  }

  private async call({ event }: Delivery, signal: AbortSignal): Promise<void> {
    this.calls += 1;
    try {
      await this.handler.afterCommit!(event, signal);
    } finally {
      this.calls -= 1;
    }
  }
}
