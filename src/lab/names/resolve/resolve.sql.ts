import type { RowCondition } from '../../../access/row-filter';

/** Ingredients that are looked at for one text: so many of one name are no answer to what it means. */
const MOST_EXACT = 50;
const MOST_SIMILAR = 20;
const MOST_SHOWN = 5;

/**
 * What texts may mean. `via` says by which name an ingredient was found: `inci`, `chinese`, a kind of other names,
 * or `similar`. Whether two names are really the same is left to `nameKey`: the indexes of `name_keys` compare
 * letters and digits only. A similar name contains the text, or has words that begin and end alike.
 *
 * $1 texts as `nameKey` makes them; $2 the texts as written, null where similar names are not wanted; $3 whether an
 * index serves the search for names that contain the text; $4 patterns of LIKE; from $5 on what the condition needs.
 */
export const resolveNames = (readable: RowCondition): string => `
  WITH wanted AS MATERIALIZED (
    SELECT given.number::integer AS number, given.key, (name_keys(given.key))[1] AS letters, given.written,
      (name_keys(given.written))[2] AS ends,
      CASE WHEN given.is_indexed THEN '%' || btrim(search_key(given.pattern)) || '%' END AS anywhere
    FROM unnest($1::text[], $2::text[], $3::boolean[], $4::text[])
      WITH ORDINALITY AS given (key, written, is_indexed, pattern, number)
  ),
  exact AS MATERIALIZED (
    SELECT wanted.number, found.*, 1::real AS likeness
    FROM wanted CROSS JOIN LATERAL (
      (SELECT 'inci' AS via, i.id, i.inci_name, i.chinese_name, i.supplier, i.created_at FROM ingredients i
       WHERE name_keys(i.inci_name) @> ARRAY[wanted.letters] AND ${readable.sql} LIMIT ${MOST_EXACT})
      UNION ALL
      (SELECT 'chinese', i.id, i.inci_name, i.chinese_name, i.supplier, i.created_at FROM ingredients i
       WHERE name_keys(i.chinese_name) @> ARRAY[wanted.letters] AND ${readable.sql} LIMIT ${MOST_EXACT})
      UNION ALL
      (SELECT n.kind, i.id, i.inci_name, i.chinese_name, i.supplier, i.created_at
       FROM ingredient_names n JOIN ingredients i ON i.id = n.ingredient_id
       WHERE n.key = wanted.key COLLATE "C" AND ${readable.sql} LIMIT ${MOST_EXACT})
    ) found
    WHERE wanted.letters <> ''
  ),
  alike AS (
    SELECT wanted.number, 'similar' AS via, found.*
    FROM wanted CROSS JOIN LATERAL (
      SELECT near.*,
        greatest(similarity(near.inci_name, wanted.written), similarity(near.chinese_name, wanted.written)) AS likeness
      FROM (
        (SELECT i.id, i.inci_name, i.chinese_name, i.supplier, i.created_at FROM ingredients i
         WHERE name_keys(i.inci_name) @> ARRAY[wanted.ends] AND ${readable.sql} LIMIT ${MOST_SIMILAR})
        UNION
        (SELECT i.id, i.inci_name, i.chinese_name, i.supplier, i.created_at FROM ingredients i
         WHERE i.search_key LIKE wanted.anywhere AND ${readable.sql} LIMIT ${MOST_SIMILAR})
      ) near
      ORDER BY likeness DESC, near.created_at, near.id
      LIMIT ${MOST_SHOWN}
    ) found
    WHERE wanted.written IS NOT NULL
      AND NOT EXISTS (SELECT FROM exact WHERE exact.number = wanted.number)
  )
  SELECT number, via, id, inci_name AS "inciName", chinese_name AS "chineseName", supplier
  FROM (SELECT * FROM exact UNION ALL SELECT * FROM alike) found
  ORDER BY number, likeness DESC, created_at, id`;
