import type { RowCondition } from '../../../platform/access/row-filter';

/** Limits of ingredients per text: a name that so many have cannot be resolved. */
const MOST_EXACT = 50;
const MOST_SIMILAR = 20;
const MOST_SHOWN = 5;

/**
 * Finds the possible ingredients of texts. `via` tells by which name: `inci`, `chinese`, a kind of other names, or
 * `similar`. The caller compares the names again with `nameKey`, because the indexes of `name_keys` compare only
 * letters and digits. A similar name contains the text, or has words with the same beginning and end.
 *
 * $1 texts as `nameKey` returns them; $2 the texts as written, null if similar names are not wanted; $3 true if an
 * index serves the search for names that contain the text; $4 LIKE patterns; from $5 on parameters of the
 * condition.
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
