import { Injectable } from '@nestjs/common';
import {
  type CurrentUser,
  Database,
  mayRead,
  RowFilterService,
  type Statement,
} from 'formula-development-service';
import type { ClimateReportDto } from './climate-report.dto';

const byClimate = (tests: string) => `
  SELECT t.climate, count(*) FILTER (WHERE t.state IN ('running', 'overdue')) AS running,
    count(*) FILTER (WHERE t.state = 'passed') AS passed, count(*) FILTER (WHERE t.state = 'failed') AS failed
  FROM ${tests} AND ${mayRead('stability-test', 't')} GROUP BY t.climate ORDER BY t.climate`;

const OF_ALL: Statement = {
  name: 'ext-stability-reports.of-all',
  text: byClimate('ext_stability_tests t WHERE true'),
};

const OF_PROJECT: Statement = {
  name: 'ext-stability-reports.of-project',
  text: byClimate('ext_stability_tests t JOIN formulas f ON f.id = t.formula_id WHERE f.project_id = $1'),
};

/** How tests ended that the user may see. */
@Injectable()
export class StabilityReports {
  constructor(
    private readonly database: Database,
    private readonly readers: RowFilterService,
  ) {}

  async ofAll(user: CurrentUser): Promise<ClimateReportDto[]> {
    return this.database.query(...(await this.readers.of(user)).reading(OF_ALL));
  }

  async ofProject(user: CurrentUser, projectId: string): Promise<ClimateReportDto[]> {
    return this.database.query(...(await this.readers.of(user)).reading(OF_PROJECT, [projectId]));
  }
}
