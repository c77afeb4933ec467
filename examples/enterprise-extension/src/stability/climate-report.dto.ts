import { ResponseType, ShownField } from 'formula-development-service';

class ClimateReportFields {
  @ShownField({ type: String, example: 'warm' })
  climate!: string;

  @ShownField({ type: 'integer', description: 'Tests without a result', example: 2 })
  running!: number;

  @ShownField({ type: 'integer', example: 11 })
  passed!: number;

  @ShownField({ type: 'integer', example: 1 })
  failed!: number;
}

export class ClimateReportDto extends ResponseType(ClimateReportFields) {}
