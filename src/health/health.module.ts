import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HealthController } from './health.controller';
import { HealthIndicators } from './health-indicators';
import { HealthService } from './health.service';
import { LivenessController } from './liveness.controller';
import { Readiness } from './readiness';

@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController, LivenessController],
  providers: [HealthService, HealthIndicators, Readiness],
  exports: [Readiness],
})
export class HealthModule {}
