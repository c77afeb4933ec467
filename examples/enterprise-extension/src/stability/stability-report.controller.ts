import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiErrors,
  ApiList,
  ConcurrencyLimiter,
  type CurrentUser,
  PathId,
  ProjectsService,
  record,
  text,
  User,
  UseLane,
} from 'formula-development-service';
import { ClimateReportDto } from './climate-report.dto';
import { StabilityReports } from './stability-reports';

@ApiTags('stability')
@Controller('ext/stability-reports')
export class StabilityReportController {
  constructor(
    private readonly reports: StabilityReports,
    private readonly projects: ProjectsService,
    private readonly limiter: ConcurrencyLimiter,
  ) {}

  /** How the tests ended, by climate: every request reads all of them. */
  @Get()
  @UseLane('search')
  @ApiList(ClimateReportDto)
  async all(@User() user: CurrentUser) {
    return record(await this.reports.ofAll(user));
  }

  /** The same of a project's formulas: a project that is not there is answered without waiting. */
  @Get('projects/:id')
  @ApiList(ClimateReportDto)
  @ApiErrors({ 404: text('project.not-found') })
  async ofProject(@User() user: CurrentUser, @Param('id', PathId) id: string) {
    await this.projects.get(user, id);
    return record(await this.limiter.run('search', () => this.reports.ofProject(user, id)));
  }
}
