import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../../platform/access/row-filter';
import type { Slice } from '../../../platform/http/envelope';
import { offsetOf, type PageQuery } from '../../../platform/common/pagination';
import { DatabaseService } from '../../../platform/database/database.service';
import { type DuplicateGroupDto, MAX_SHOWN } from './duplicates.dto';

/**
 * Groups of readable ingredients that share something, those by name first.
 * $1 limit, $2 offset; from $3 on what the condition needs.
 */
const listDuplicates = (readable: Readable): string => `
  WITH visible AS MATERIALIZED (
    SELECT i.id, i.inci_name, i.chinese_name, i.created_at, i.supplier,
      i.inci_key, i.chinese_key, coalesce(name_key(i.supplier), '') AS supplier_key
    FROM ingredients i WHERE ${readable('ingredient', 'i')}
  ),
  synonyms AS MATERIALIZED (
    SELECT visible.id, visible.created_at, n.name, n.key
    FROM ingredient_names n JOIN visible ON visible.id = n.ingredient_id WHERE n.kind = 'synonym'
  ),
  grouped AS MATERIALIZED (
    SELECT 1 AS rank, 'inci-and-supplier' AS reason, inci_key AS key,
      (array_agg(inci_name ORDER BY created_at, id))[1] AS value,
      count(*) AS count, (array_agg(id ORDER BY created_at, id))[1:${MAX_SHOWN}] AS ids
    FROM visible WHERE inci_key <> '' GROUP BY inci_key, supplier_key HAVING count(*) > 1
    UNION ALL
    SELECT 2, 'cas', numbered.key, min(numbered.name), count(*),
      (array_agg(visible.id ORDER BY visible.created_at, visible.id))[1:${MAX_SHOWN}]
    FROM (
      SELECT ingredient_id, key, min(name) AS name FROM (
        SELECT n.ingredient_id, n.key, n.name FROM ingredient_names n WHERE n.kind = 'cas'
        UNION ALL
        SELECT s.ingredient_id, replace(min(s.cas_number), '-', '.'), min(s.cas_number)
        FROM ingredient_substances s GROUP BY s.ingredient_id HAVING count(*) = 1 AND min(s.cas_number) IS NOT NULL
      ) either GROUP BY ingredient_id, key
    ) numbered JOIN visible ON visible.id = numbered.ingredient_id
    GROUP BY numbered.key HAVING count(*) > 1
    UNION ALL
    SELECT 3, 'chinese', chinese_key, (array_agg(chinese_name ORDER BY created_at, id))[1],
      count(*), (array_agg(id ORDER BY created_at, id))[1:${MAX_SHOWN}]
    FROM visible WHERE chinese_key <> '' GROUP BY chinese_key HAVING count(*) > 1
    UNION ALL
    SELECT 4, 'synonym', key, (array_agg(name ORDER BY created_at, id))[1], count(*),
      (array_agg(id ORDER BY created_at, id))[1:${MAX_SHOWN}]
    FROM (
      SELECT key, id, created_at, min(name) AS name, bool_or(is_own) AS is_own FROM (
        SELECT key, id, created_at, name, false AS is_own FROM synonyms
        UNION ALL
        SELECT inci_key, id, created_at, inci_name, true FROM visible WHERE inci_key IN (SELECT key FROM synonyms)
        UNION ALL
        SELECT chinese_key, id, created_at, chinese_name, true
        FROM visible WHERE chinese_key IN (SELECT key FROM synonyms)
      ) named GROUP BY key, id, created_at
    ) named
    WHERE key <> '' GROUP BY key HAVING count(*) > 1 AND bool_or(is_own) AND NOT bool_and(is_own)
  )
  SELECT (SELECT count(*) FROM grouped) AS total, array_to_json(ARRAY(
    SELECT row_to_json(shown) FROM (
      SELECT listed.reason, listed.value, listed.count, array_to_json(ARRAY(
        SELECT row_to_json(member) FROM (
          SELECT visible.id, visible.inci_name AS "inciName", visible.chinese_name AS "chineseName", visible.supplier
          FROM visible WHERE visible.id = ANY (listed.ids) ORDER BY visible.created_at, visible.id
        ) member)) AS ingredients
      FROM (SELECT * FROM grouped ORDER BY rank, key, ids LIMIT $1 OFFSET $2) listed
      ORDER BY listed.rank, listed.key, listed.ids
    ) shown)) AS rows`;

@Injectable()
export class DuplicatesRepository {
  constructor(private readonly database: DatabaseService) {}

  async list(filter: RowFilter, query: PageQuery): Promise<Slice<DuplicateGroupDto>> {
    const [slice] = await this.database.query<Slice<DuplicateGroupDto>>(
      ...filter.statement('names.duplicates', [query.limit, offsetOf(query)], listDuplicates),
    );
    return slice!;
  }

  /** Replaces a merged ingredient in all lines of formulas in the trash, so that they can be restored. */
  async moveTrashedLines(ingredientId: string, into: string): Promise<void> {
    await this.database.query(
      {
        name: 'names.move-trashed-lines',
        text: `UPDATE trashed_versions SET line_ingredients = array_replace(line_ingredients, $1::uuid, $2::uuid)
               WHERE $1 = ANY (line_ingredients)`,
      },
      [ingredientId, into],
    );
  }
}
