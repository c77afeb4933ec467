import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiPage,
  DatabaseService,
  IdField,
  offsetOf,
  page,
  PageQuery,
  ResponseType,
  Roles,
  ShownField,
  type Statement,
  TimestampField,
} from 'formula-development-service';

class AuditLineFields {
  @ShownField({ type: String, example: 'formula.revised' })
  type!: string;

  @IdField()
  recordId!: string;

  @IdField({ description: 'Who did it; null for commands' })
  userId!: string | null;

  @TimestampField()
  occurredAt!: string;
}

class AuditLineDto extends ResponseType(AuditLineFields) {}

const LIST: Statement = {
  name: 'ext-audit.list',
  text: `
    SELECT type, record_id AS "recordId", user_id AS "userId", occurred_at AS "occurredAt" FROM ext_audit_lines
    ORDER BY occurred_at DESC, id LIMIT $1 OFFSET $2`,
};

const COUNT: Statement = { name: 'ext-audit.count', text: 'SELECT count(*) AS total FROM ext_audit_lines' };

// #region list
@ApiTags('audit')
@Roles('admin')
@Controller('ext/audit')
export class AuditController {
  constructor(private readonly database: DatabaseService) {}

  /** The newest lines first. */
  @Get()
  @ApiPage(AuditLineDto)
  async list(@Query() query: PageQuery) {
    const rows = await this.database.query<AuditLineDto>(LIST, [query.limit, offsetOf(query)]);
    const [count] = await this.database.query<{ total: number }>(COUNT);
    return page({ rows, total: count!.total }, query);
  }
}
// #endregion
