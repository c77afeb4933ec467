import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HealthController, LivenessController } from './health.controller';
import { HealthIndicators } from './health-indicators';
import { HealthService } from './health.service';

@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController, LivenessController],
  providers: [HealthService, HealthIndicators],
  exports: [HealthService],
})
export class HealthModule {}
