import { Module } from '@nestjs/common';
import { AuthModule, CUSTOM_ACCESS_POLICY, EXTRA_MIGRATIONS, EXTRA_ROLES } from 'formula-development-service';
import { TeamPolicy } from './team-policy';
import { TeamsController } from './teams.controller';
import { Teams1790000000000 } from './teams.migration';
import { TeamsService } from './teams.service';

// #region module
@Module({
  imports: [AuthModule], // exports AccountsService
  controllers: [TeamsController],
  providers: [
    TeamsService,
    { provide: EXTRA_MIGRATIONS, useValue: [Teams1790000000000] },
    { provide: EXTRA_ROLES, useValue: 'viewer' },
    { provide: CUSTOM_ACCESS_POLICY, useClass: TeamPolicy },
  ],
  exports: [TeamsService],
})
export class TeamsModule {}
// #endregion
