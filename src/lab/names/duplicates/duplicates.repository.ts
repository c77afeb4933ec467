import { Injectable } from '@nestjs/common';
import type { RowCondition, RowFilter } from '../../../access/row-filter';
import type { Slice } from '../../../common/http/envelope';
import { offsetOf, type PageQuery } from '../../../common/pagination';
import { DatabaseService } from '../../../database/database.service';
import { type DuplicateGroupDto, MAX_SHOWN } from './duplicates.dto';

/**
 * Groups of readable ingredients that share something, those by name first. Search keys hold both names in the form
 * in which searches compare them.
 * $1 limit, $2 offset; from $3 on what the condition needs.
 */
const listDuplicates = (readable: RowCondition): string => `
  WITH visible AS MATERIALIZED (
    SELECT i.id, i.inci_name, i.chinese_name, i.created_at, i.supplier,
      replace(replace(split_part(i.search_key, U&'\\001F', 1), ' ', ''), '-', '') AS inci_key,
      replace(replace(split_part(i.search_key, U&'\\001F', 2), ' ', ''), '-', '') AS chinese_key,
      coalesce(lower(btrim(normalize(i.supplier, NFKC))), '') AS supplier_key
    FROM ingredients i WHERE ${readable.sql}
  ),
  grouped AS MATERIALIZED (
    SELECT 1 AS rank, 'inci-and-supplier' AS reason, inci_key AS key,
      (array_agg(inci_name ORDER BY created_at, id))[1] AS value,
      count(*) AS count, (array_agg(id ORDER BY created_at, id))[1:${MAX_SHOWN}] AS ids
    FROM visible WHERE inci_key <> '' GROUP BY inci_key, supplier_key HAVING count(*) > 1
    UNION ALL
    SELECT 2, 'cas', n.key, min(n.name), count(*),
      (array_agg(visible.id ORDER BY visible.created_at, visible.id))[1:${MAX_SHOWN}]
    FROM ingredient_names n JOIN visible ON visible.id = n.ingredient_id
    WHERE n.kind = 'cas' GROUP BY n.key HAVING count(*) > 1
    UNION ALL
    SELECT 3, 'chinese', chinese_key, (array_agg(chinese_name ORDER BY created_at, id))[1],
      count(*), (array_agg(id ORDER BY created_at, id))[1:${MAX_SHOWN}]
    FROM visible WHERE chinese_key <> '' GROUP BY chinese_key HAVING count(*) > 1
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
    const readable = filter.for('ingredient', 'i', 3);
    const [slice] = await this.database.query<Slice<DuplicateGroupDto>>(
      { name: filter.named('lab.names.duplicates'), text: listDuplicates(readable) },
      [query.limit, offsetOf(query), ...readable.values],
    );
    return slice!;
  }
}
