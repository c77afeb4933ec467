import { Injectable } from '@nestjs/common';
import type { Readable, RowFilter } from '../../platform/access/row-filter';
import { hasTrigram, literal } from '../../platform/common/search-pattern';
import { DatabaseService } from '../../platform/database/database.service';
import type { NameKind } from './ingredient-name.entity';

/** Limits of ingredients per name. A name that so many have cannot be resolved. */
const MOST_EXACT = 50;
const MOST_SIMILAR = 20;
const MOST_SHOWN = 5;

/** No other name contains longer texts, and the index would be searched for each of their letters. */
const MAX_SEARCHED = 60;

export interface WantedName {
  /** The result of `nameKey`. */
  readonly key: string;
  /** The name as written, if similar names are wanted; otherwise null. */
  readonly written: string | null;
}

/** An ingredient that a name may mean. */
export interface FoundIngredient {
  readonly id: string;
  readonly inciName: string;
  readonly chineseName: string;
  readonly supplier: string | null;
  readonly unit: string;
  readonly unitPrice: number | null;
  /** Kilograms per litre, as the card says. */
  readonly density: number | null;
  /** By which of its names it was found. */
  readonly via: 'inci' | 'chinese' | NameKind | 'similar';
}

const FOUND = 'i.id, i.inci_name, i.chinese_name, i.supplier, i.unit, i.unit_price, i.created_at';

/**
 * Finds the ingredients with one of the names that have a key, also by the CAS number of the only substance. Where
 * there is none, it finds those whose names contain the text, are spelt alike, or have it around the Latin name of a
 * plant.
 *
 * $1 name keys; $2 the names as written, null if similar ones are not wanted; $3 their LIKE patterns, null if no index
 * serves them; $4 limit of ingredients with exactly the name; from $5 on parameters of the condition.
 */
const findIngredients = (readable: Readable): string => `
  WITH wanted AS MATERIALIZED (
    SELECT given.number::integer AS number, given.key, given.written, spelling_key(given.written) AS spelling,
      '%' || btrim(search_key(given.pattern)) || '%' AS anywhere
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS given (key, written, pattern, number)
  ),
  exact AS MATERIALIZED (
    SELECT wanted.number, found.*, 1::real AS likeness
    FROM wanted CROSS JOIN LATERAL (
      (SELECT 'inci' AS via, ${FOUND} FROM ingredients i
       WHERE i.inci_key = wanted.key AND ${readable('ingredient', 'i')} LIMIT $4)
      UNION ALL
      (SELECT 'chinese', ${FOUND} FROM ingredients i
       WHERE i.chinese_key = wanted.key AND ${readable('ingredient', 'i')} LIMIT $4)
      UNION ALL
      (SELECT n.kind, ${FOUND} FROM ingredient_names n JOIN ingredients i ON i.id = n.ingredient_id
       WHERE n.key = wanted.key COLLATE "C" AND ${readable('ingredient', 'i')} LIMIT $4)
      UNION ALL
      (SELECT 'cas', ${FOUND} FROM ingredient_substances s JOIN ingredients i ON i.id = s.ingredient_id
       WHERE s.cas_number = replace(wanted.key, '.', '-') AND ${readable('ingredient', 'i')}
         AND NOT EXISTS (SELECT FROM ingredient_substances another
                         WHERE another.ingredient_id = s.ingredient_id AND another.position <> s.position)
       LIMIT $4)
    ) found
    WHERE wanted.key <> ''
  ),
  alike AS (
    SELECT wanted.number, 'similar' AS via, found.*
    FROM wanted CROSS JOIN LATERAL (
      SELECT near.*,
        greatest(similarity(near.inci_name, wanted.written), similarity(near.chinese_name, wanted.written)) AS likeness
      FROM (
        (SELECT ${FOUND} FROM ingredients i
         WHERE spelling_key(i.inci_name) = wanted.spelling AND ${readable('ingredient', 'i')} LIMIT ${MOST_SIMILAR})
        UNION
        (SELECT ${FOUND} FROM ingredients i
         WHERE regexp_replace(i.chinese_key, '[a-z]{4,}', '', 'g') = wanted.key AND ${readable('ingredient', 'i')}
         LIMIT ${MOST_SIMILAR})
        UNION
        (SELECT ${FOUND} FROM ingredients i
         WHERE i.search_key LIKE wanted.anywhere AND ${readable('ingredient', 'i')} LIMIT ${MOST_SIMILAR})
      ) near
      ORDER BY likeness DESC, near.created_at, near.id
      LIMIT ${MOST_SHOWN}
    ) found
    WHERE wanted.written IS NOT NULL AND wanted.key <> ''
      AND NOT EXISTS (SELECT FROM exact WHERE exact.number = wanted.number)
  )
  SELECT number, via, id, inci_name AS "inciName", chinese_name AS "chineseName", supplier, unit,
    unit_price::float8 AS "unitPrice", c.density::float8 AS density
  FROM (SELECT * FROM exact UNION ALL SELECT * FROM alike) found
  LEFT JOIN ingredient_cards c ON c.ingredient_id = found.id
  ORDER BY number, likeness DESC, created_at, id`;

@Injectable()
export class IngredientLookupRepository {
  constructor(private readonly database: DatabaseService) {}

  /**
   * Finds the ingredients of each name in one statement: similar ones by similarity, others by age.
   * @param all false to stop at so many ingredients of one name that it cannot be resolved
   */
  async find(
    filter: RowFilter,
    names: readonly WantedName[],
    { all } = { all: false },
  ): Promise<FoundIngredient[][]> {
    const rows = await this.database.query<FoundIngredient & { number: number }>(
      ...filter.statement(
        'names.resolve',
        [
          names.map(({ key }) => key),
          names.map(({ written }) => written),
          names.map(({ written }) => (written !== null && isSearchable(written) ? literal(written) : null)),
          all ? null : MOST_EXACT,
        ],
        findIngredients,
      ),
    );
    const found = names.map((): FoundIngredient[] => []);
    for (const { number, ...ingredient } of rows) found[number - 1]!.push(ingredient);
    return found;
  }
}

const isSearchable = (text: string): boolean => text.length <= MAX_SEARCHED && hasTrigram(text);
