import { Injectable } from '@nestjs/common';
import { within } from '../common/within';
import { Metrics } from '../observability/metrics';
import { DeliveriesRepository } from './deliveries.repository';
import { EventHandlers } from './event-handlers';
import type { HealthIndicator } from '../health/health-indicators';
import { EventDeliveries } from './event-deliveries';

/** Metrics about events that wait for delivery. */
@Injectable()
export class EventsMetrics {
  constructor(metrics: Metrics, handlers: EventHandlers, deliveries: DeliveriesRepository) {
    metrics.register(({ Gauge }, registers) => {
      new Gauge({
        name: 'formula_events',
        help: 'Events for handlers, counted up to 10 000 in each state; absent if the database does not answer',
        labelNames: ['state'],
        registers,
        async collect() {
          this.reset();
          const names = handlers.receivers.map(({ name }) => name);
          const timeoutError = () => new Error('The database does not answer');
          const counts =
            names.length === 0
              ? { waiting: 0, deadLettered: 0 }
              : await within(2000, timeoutError, () => deliveries.counts(names)).catch(() => undefined);
          if (!counts) return;
          this.set({ state: 'waiting' }, counts.waiting);
          this.set({ state: 'dead_lettered' }, counts.deadLettered);
        },
      });
    });
  }
}

/** Reports events that could not be delivered. It does not make the service unhealthy. */
@Injectable()
export class DeadLettersIndicator implements HealthIndicator {
  readonly name = 'events';
  readonly required = false;

  constructor(
    private readonly handlers: EventHandlers,
    private readonly deliveries: DeliveriesRepository,
    private readonly delivery: EventDeliveries,
  ) {}

  async check(): Promise<void> {
    const { stuck } = this.delivery;
    if (stuck.length > 0) throw new Error(`Too many calls have never ended: ${stuck.join(', ')}`);
    const names = this.handlers.receivers.map(({ name }) => name);
    const { deadLettered } = await this.deliveries.counts(names);
    if (deadLettered > 0) throw new Error('Events failed ten times and are dead-lettered');
  }
}
