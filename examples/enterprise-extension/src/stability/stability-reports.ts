import { Injectable } from '@nestjs/common';
import { type CurrentUser, DatabaseService, RowFilterService } from 'formula-development-service';
import type { ClimateReportDto } from './climate-report.dto';

const COUNTS = `
  t.climate, count(*) FILTER (WHERE t.state IN ('running', 'overdue')) AS running,
  count(*) FILTER (WHERE t.state = 'passed') AS passed, count(*) FILTER (WHERE t.state = 'failed') AS failed`;

/** How tests ended that the user may see. */
@Injectable()
export class StabilityReports {
  constructor(
    private readonly database: DatabaseService,
    private readonly rowFilters: RowFilterService,
  ) {}

  async ofAll(user: CurrentUser): Promise<ClimateReportDto[]> {
    const filter = await this.rowFilters.of(user);
    const readable = filter.for('stability-test', 't', 1);
    return this.database.query<ClimateReportDto>(
      {
        name: filter.named('ext-stability-reports.of-all'),
        text: `SELECT ${COUNTS} FROM ext_stability_tests t
               WHERE ${readable.sql} GROUP BY t.climate ORDER BY t.climate`,
      },
      readable.values,
    );
  }

  async ofProject(user: CurrentUser, projectId: string): Promise<ClimateReportDto[]> {
    const filter = await this.rowFilters.of(user);
    const readable = filter.for('stability-test', 't', 2);
    return this.database.query<ClimateReportDto>(
      {
        name: filter.named('ext-stability-reports.of-project'),
        text: `SELECT ${COUNTS} FROM ext_stability_tests t JOIN formulas f ON f.id = t.formula_id
               WHERE f.project_id = $1 AND ${readable.sql} GROUP BY t.climate ORDER BY t.climate`,
      },
      [projectId, ...readable.values],
    );
  }
}
