import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import type { Slice } from '../../platform/http/envelope';
import { offsetOf, type PageQuery } from '../../platform/common/pagination';
import { DatabaseService } from '../../platform/database/database.service';
import type { ListedVersionDto } from './version.dto';

/** $1: the formula's id; $2: limit; $3: offset. Returns no row if there is no such formula. */
const listVersions = (readable: Readable): string => `
  SELECT (SELECT count(*) FROM formula_versions v WHERE v.formula_id = f.id) AS total, array_to_json(ARRAY(
    SELECT row_to_json(shown) FROM (
      SELECT v.version_number AS "versionNumber", v.description,
        iso_time(v.created_at) AS "createdAt",
        (SELECT row_to_json(author) FROM (
           SELECT u.id, u.username FROM users u WHERE u.id = v.created_by) author) AS "createdBy",
        (SELECT count(*) FROM formula_phases phase WHERE phase.formula_version_id = v.id) AS "phaseCount",
        lines."lineCount", lines.total
      FROM (
        SELECT * FROM formula_versions WHERE formula_id = f.id ORDER BY version_number DESC LIMIT $2 OFFSET $3
      ) v CROSS JOIN LATERAL (
        SELECT count(*) AS "lineCount", coalesce(sum(line.percentage), 0) AS total
        FROM formula_ingredients line WHERE line.formula_version_id = v.id
      ) lines
      ORDER BY v.version_number DESC
    ) shown)) AS rows
  FROM formulas f WHERE f.id = $1 AND ${readable('formula', 'f')}`;

@Injectable()
export class VersionsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns one page of a formula's versions, the newest first; undefined if there is no such formula. */
  async list(
    filter: RowFilter,
    formulaId: string,
    query: PageQuery,
  ): Promise<Slice<ListedVersionDto> | undefined> {
    const values = [formulaId, query.limit, offsetOf(query)];
    const [slice] = await this.database.query<Slice<ListedVersionDto>>(
      ...filter.statement('versions', values, listVersions),
    );
    return slice;
  }
}
