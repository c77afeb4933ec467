import { Module } from '@nestjs/common';
import {
  EVENT_HANDLER,
  EXTRA_MIGRATIONS,
  FormulasModule,
  ProjectsModule,
  RECORD_KINDS,
} from 'formula-development-service';
import { TeamsModule } from '../teams/teams.module';
import { RunningTestHandler } from './running-test.handler';
import { StabilityController } from './stability.controller';
import { StabilityTests1790000001000 } from './stability.migration';
import { StabilityReportController } from './stability-report.controller';
import { StabilityReports } from './stability-reports';
import { StabilityService } from './stability.service';
import { StabilityWatchController } from './stability-watch.controller';
import { StabilityWatch } from './stability-watch';

@Module({
  imports: [FormulasModule, ProjectsModule, TeamsModule],
  controllers: [StabilityController, StabilityWatchController, StabilityReportController],
  providers: [
    StabilityService,
    StabilityWatch,
    StabilityReports,
    { provide: EXTRA_MIGRATIONS, useValue: [StabilityTests1790000001000] },
    { provide: RECORD_KINDS, useValue: { 'stability-test': 'ext_stability_tests' } },
    { provide: EVENT_HANDLER, useClass: RunningTestHandler },
  ],
})
export class StabilityModule {}
