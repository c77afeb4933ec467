import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import type { Slice } from '../../platform/http/envelope';
import { offsetOf, type PageQuery } from '../../platform/common/pagination';
import { DatabaseService } from '../../platform/database/database.service';
import type { UsingFormulaDto } from './lists.dto';

/**
 * Formulas that contain an ingredient, by name. $1: the ingredient; $2: limit; $3: offset; $4: true for the latest
 * version only; from $5 on parameters of the condition.
 */
const listUsage = (readable: Readable): string => `
  WITH used AS MATERIALIZED (
    SELECT v.formula_id, v.version_number, sum(line.percentage) AS share
    FROM formula_ingredients line JOIN formula_versions v ON v.id = line.formula_version_id
    WHERE line.ingredient_id = $1 GROUP BY v.formula_id, v.version_number
  ),
  found AS MATERIALIZED (
    SELECT f.id, f.name, f.current_version AS "currentVersion",
      max(used.share) FILTER (WHERE used.version_number = f.current_version) AS share,
      count(*) AS "versionCount", min(used.version_number) AS "firstVersion",
      max(used.version_number) AS "lastVersion", min(used.share) AS "minShare", max(used.share) AS "maxShare"
    FROM used JOIN formulas f ON f.id = used.formula_id AND ${readable('formula', 'f')}
    WHERE NOT $4::boolean OR used.version_number = f.current_version
    GROUP BY f.id
  )
  SELECT array_to_json(ARRAY(
    SELECT row_to_json(page) FROM (SELECT * FROM found ORDER BY name, id LIMIT $2 OFFSET $3) page)) AS rows,
    (SELECT count(*) FROM found) AS total`;

@Injectable()
export class ListsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns one page of the formulas that contain an ingredient. */
  async usageOf(
    filter: RowFilter,
    ingredientId: string,
    { isCurrentOnly, ...query }: PageQuery & { isCurrentOnly: boolean },
  ): Promise<Slice<UsingFormulaDto>> {
    const values = [ingredientId, query.limit, offsetOf(query), isCurrentOnly];
    const [slice] = await this.database.query<Slice<UsingFormulaDto>>(
      ...filter.statement('usage', values, listUsage),
    );
    return slice!;
  }
}
