import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { EXTRA_MIGRATIONS, HEALTH_INDICATOR } from 'formula-development-service';
import { NightCheckIndicator } from './night-check.indicator';
import { NightCheckJob } from './night-check.job';
import { NightCheck1790000005000 } from './night-check.migration';

@Module({
  imports: [ScheduleModule.forRoot()],
  providers: [
    NightCheckJob,
    { provide: HEALTH_INDICATOR, useClass: NightCheckIndicator },
    { provide: EXTRA_MIGRATIONS, useValue: [NightCheck1790000005000] },
  ],
})
export class NightCheckModule {}
