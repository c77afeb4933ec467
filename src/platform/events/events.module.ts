import { Global, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { placedUnder } from '../common/extension-tokens';
import { HEALTH_INDICATOR } from '../health/health-indicators';
import { DeliveriesRepository } from './deliveries.repository';
import { EventDeliveries } from './event-deliveries';
import { EVENT_HANDLER, EventHandlers } from './event-handlers';
import { EventPublisher } from './event-publisher';
import { DeadLettersIndicator, EventsMetrics } from './events.metrics';
import { WriteValidators } from './write-validators';

/** Lets extensions react to writes of records (decision 24). */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    EventHandlers,
    DeliveriesRepository,
    EventDeliveries,
    EventPublisher,
    EventsMetrics,
    WriteValidators,
    DeadLettersIndicator,
    {
      // Health includes it only if there are handlers.
      provide: HEALTH_INDICATOR,
      inject: [DiscoveryService, DeadLettersIndicator],
      useFactory: (discovery: DiscoveryService, indicator: DeadLettersIndicator) =>
        placedUnder(EVENT_HANDLER, discovery).length > 0 ? [indicator] : [],
    },
  ],
  exports: [EventPublisher, WriteValidators],
})
export class EventsModule {}
