import { AsyncResource } from 'node:async_hooks';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { loggedError } from '../common/errors/logged-error';
import { within } from '../common/within';
import { DeliveriesRepository, type Delivery, MAX_TRIES } from './deliveries.repository';
import { type EventHandler, EventHandlers } from './event-handlers';

/** Time that a handler may take for one event. */
export const DELIVERY_TIMEOUT_MS = 30_000;

/** Most calls of a handler that timed out and never ended. Beyond that, the handler gets no events. */
const MAX_HANGING = 100;

/** Seconds until the next try: 1, 2, 4 … 256. */
const backoffSeconds = (tries: number): number => 2 ** (tries - 1);

/** Delivers events to handlers after the commit, at least once. */
@Injectable()
export class EventDeliveries implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Events');
  private receivers: readonly Receiver[] = [];
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly handlers: EventHandlers,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.receivers = this.handlers.receivers.map(
      (handler) => new Receiver(handler, this.deliveries, this.logger),
    );
    if (this.receivers.length === 0) return;
    // Finds deliveries that failed, or that another instance did not finish.
    this.timer = setInterval(() => this.wake(), 5000).unref();
    this.wake();
  }

  /** Waits for deliveries in progress. After the next start, or by another instance, the rest is delivered again. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    const stopped = Promise.all(this.receivers.map((receiver) => receiver.stop()));
    const timeoutError = () => new Error('Deliveries take too long');
    await within(5000, timeoutError, () => stopped).catch(() =>
      this.logger.warn('The service stops while events are being delivered: they come again'),
    );
  }

  /** Looks for due deliveries. */
  wake(): void {
    for (const receiver of this.receivers) receiver.wake();
  }

  /** Resolves when no delivery is due. */
  async delivered(): Promise<void> {
    await Promise.all(this.receivers.map((receiver) => receiver.delivered()));
  }

  /** Names of handlers that get no more events, because too many of their calls never ended. */
  get stuck(): string[] {
    return this.receivers.filter(({ isStuck }) => isStuck).map(({ name }) => name);
  }
}

/** One handler and its deliveries in progress. */
class Receiver {
  private isTaking = false;
  private isWoken = false;
  private isStopping = false;
  private inProgress = 0;
  /** Number of calls that timed out and have not ended. */
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
    return this.hanging >= MAX_HANGING;
  }

  /** Runs in the async context of the start: a delivery does not belong to the request that wakes it. */
  readonly wake = AsyncResource.bind((): void => {
    this.isWoken = true;
    if (!this.isTaking) void this.takeDue();
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

  /** Number of further deliveries that may start now: ten of a handler run at once. */
  private get room(): number {
    return this.isStopping ? 0 : Math.min(10, MAX_HANGING - this.hanging) - this.inProgress;
  }

  private async takeDue(): Promise<void> {
    this.isTaking = true;
    try {
      while (this.isWoken && this.room > 0) {
        this.isWoken = false;
        for (const delivery of await this.deliveries.take(this.name, this.room)) void this.deliver(delivery);
      }
    } catch (error) {
      // The next poll tries again.
      this.logger.error({ err: loggedError(error) }, `Events of ${this.name} cannot be read`);
    }
    this.isTaking = false;
    this.resolveWaiting();
  }

  private resolveWaiting(): void {
    if (this.isTaking || this.inProgress > 0) return;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private async deliver(delivery: Delivery): Promise<void> {
    this.inProgress += 1;
    try {
      await this.attempt(delivery);
    } catch (error) {
      // The event is delivered again when the lease ends.
      this.logger.error({ err: loggedError(error) }, `The result of an event of ${this.name} is not stored`);
    }
    this.inProgress -= 1;
    this.wake();
    this.resolveWaiting();
  }

  private async attempt(delivery: Delivery): Promise<void> {
    const { tries, event } = delivery;
    // The process ended during the last try, perhaps because of it.
    const failure = tries > MAX_TRIES ? new Error('The last try never ended') : await this.failureOf(event);
    if (!failure) return this.deliveries.done(delivery);
    const isLast = tries >= MAX_TRIES;
    this.logger[isLast ? 'error' : 'warn'](
      { err: loggedError(failure), event: event.id, type: event.type, try: tries },
      `${this.name} failed to handle an event${isLast ? ': it is dead-lettered' : ''}`,
    );
    await this.deliveries.failed(delivery, backoffSeconds(tries));
  }

  private async failureOf(event: Delivery['event']): Promise<unknown> {
    const timeout = new AbortController();
    const timeoutError = () => {
      timeout.abort();
      return new Error(`No end within ${DELIVERY_TIMEOUT_MS / 1000} s`);
    };
    try {
      await within(DELIVERY_TIMEOUT_MS, timeoutError, () => this.call(event, timeout.signal));
      return undefined;
    } catch (error) {
      return error ?? new Error('It failed without an error');
    }
  }

  private async call(event: Delivery['event'], signal: AbortSignal): Promise<void> {
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
