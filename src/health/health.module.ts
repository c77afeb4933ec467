import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HealthController } from './health.controller';
import { HealthIndicators } from './health-indicators';
import { HealthService } from './health.service';
import { LivenessController } from './liveness.controller';

@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController, LivenessController],
  providers: [HealthService, HealthIndicators],
  exports: [HealthService],
})
export class HealthModule {}
