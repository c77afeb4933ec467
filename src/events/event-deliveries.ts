import { AsyncResource } from 'node:async_hooks';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { loggedError } from '../common/errors/logged-error';
import { within } from '../common/within';
import { DeliveriesRepository, type Delivery, MOST_TRIES } from './deliveries.repository';
import type { EventHandler } from './event-handler';
import { EventHandlers } from './event-handlers';

/** How long a handler has for one event, in milliseconds. */
export const DELIVERY_PATIENCE = 30_000;

/** How often is looked for what failed, or what another instance has left behind, in milliseconds. */
const LOOK_EVERY = 5000;

/** Most events that a handler has at a time. */
const AT_ONCE = 10;

/** Calls of a handler that were given up and have not ended: with more it gets no events. */
const MOST_HANGING = 100;

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
    if (!this.isStopping) for (const receiver of this.receivers) receiver.wake();
  }

  /** Ends when nothing is due any more. */
  async delivered(): Promise<void> {
    await Promise.all(this.receivers.map((receiver) => receiver.delivered()));
  }

  /** Names of handlers that get no events any more, because too many of their calls have never ended. */
  get stuck(): string[] {
    return this.receivers.filter(({ isStuck }) => isStuck).map(({ name }) => name);
  }
}

/** A handler and what it is at. */
class Receiver {
  private isLooking = false;
  private isWoken = false;
  private isStopping = false;
  /** Calls that are waited for. */
  private calls = 0;
  /** Calls that were given up and have not ended. */
  private hanging = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly handler: EventHandler,
    private readonly deliveries: DeliveriesRepository,
    private readonly logger: Logger,
  ) {}

  get name(): string {
    return this.handler.name;
  }

  get isStuck(): boolean {
    return this.hanging >= MOST_HANGING;
  }

  /**
   * There may be something to deliver. Whoever writes calls it: what is delivered belongs neither to the
   * transaction nor to the request of that.
   */
  readonly wake = AsyncResource.bind((): void => {
    this.isWoken = true;
    if (!this.isLooking) void this.look();
  });

  delivered(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.waiting.push(resolve));
    this.wake();
    return ended;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.delivered();
  }

  /** How many more it may have now. */
  private get room(): number {
    return this.isStopping ? 0 : Math.min(AT_ONCE, MOST_HANGING - this.hanging) - this.calls;
  }

  private async look(): Promise<void> {
    this.isLooking = true;
    try {
      while (this.isWoken && this.room > 0) {
        this.isWoken = false;
        const due = await this.deliveries.take(this.handler.name, this.room);
        for (const delivery of due) void this.deliver(delivery);
      }
    } catch (error) {
      // The next look finds it.
      this.logger.error({ err: loggedError(error) }, `Events of ${this.handler.name} cannot be read`);
    }
    this.isLooking = false;
    this.tellWaiting();
  }

  private tellWaiting(): void {
    if (this.isLooking || this.calls > 0) return;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** One that is slow keeps no other waiting: each goes its way, and makes room when it ends. */
  private async deliver(delivery: Delivery): Promise<void> {
    this.calls += 1;
    try {
      if (delivery.tries > MOST_TRIES) await this.park(delivery);
      else await this.attempt(delivery);
    } catch (error) {
      // It comes again when this instance's time for it is over.
      this.logger.error({ err: loggedError(error) }, `What became of an event of ${this.name} is not stored`);
    }
    this.calls -= 1;
    this.wake();
    this.tellWaiting();
  }

  /** The process has ended at its last try, by it perhaps: it must not end another. */
  private async park(delivery: Delivery): Promise<void> {
    const { id, type } = delivery.event;
    this.logger.error({ event: id, type }, `${this.name} never ended its last try of an event: it is parked`);
    await this.deliveries.failed(delivery, 0);
  }

  private async attempt(delivery: Delivery): Promise<void> {
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
        `${this.name} failed at an event${isLast ? ': it is parked' : ''}`,
      );
      await this.deliveries.failed(delivery, waitAfter(delivery.tries));
      return;
    }
    await this.deliveries.done(delivery);
  }

  private async call({ event }: Delivery, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => (this.hanging += 1));
    try {
      await this.handler.afterCommit!(event, signal);
    } finally {
      if (signal.aborted) {
        this.hanging -= 1;
        this.wake();
      }
    }
  }
}
