import { Injectable } from '@nestjs/common';
import type { HealthIndicator } from '../health/health-indicator';
import { DeliveriesRepository } from './deliveries.repository';
import { EventDeliveries } from './event-deliveries';
import { EventHandlers } from './event-handlers';

/** Health tells where an event could not be delivered; the service itself goes on. */
@Injectable()
export class ParkedEventsIndicator implements HealthIndicator {
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
    if (await this.deliveries.haveParked(this.handlers.receivers.map(({ name }) => name))) {
      throw new Error('Events were tried ten times and are parked');
    }
  }
}
