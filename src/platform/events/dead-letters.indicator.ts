import { Injectable } from '@nestjs/common';
import type { HealthIndicator } from '../health/health-indicator';
import { DeliveriesRepository } from './deliveries.repository';
import { EventDeliveries } from './event-deliveries';
import { EventHandlers } from './event-handlers';

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
