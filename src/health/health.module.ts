import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HealthController } from './health.controller';
import { HealthIndicators } from './health-indicators';
import { HealthService } from './health.service';

@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController],
  providers: [HealthService, HealthIndicators],
})
export class HealthModule {}
