import type { ListCondition, RowFilter } from '../platform/access/row-filter';
import { offsetOf } from '../platform/common/pagination';
import { nameKey } from '../platform/common/name-forms';
import { containing, hasTrigram, literal, literalRegex } from '../platform/common/search-pattern';
import type { IngredientQuery } from './ingredient.dto';

/** Columns of ingredient `i` in responses. */
export const SHOWN = `
  i.id, i.inci_name AS "inciName", i.chinese_name AS "chineseName", i.function_category AS "functionCategory",
  i.supplier, i.unit, i.unit_price AS "unitPrice", i.description,
  iso_time(i.created_at) AS "createdAt"`;

/** The CTE `searched`: patterns that are computed once and not for each row. */
export const searchedPatterns = (name: string, word: string): string => `
  searched AS MATERIALIZED (
    SELECT '%' || key || '%' AS anywhere, key || '%' AS first, '%' || U&'\\001F' || key || '%' AS second,
      key || U&'\\001F' || '%' AS all_first, '%' || U&'\\001F' || key AS all_second,
      '(?<![[:alnum:]])' || search_key(${word}) || '(?![[:alnum:]])' AS word
    FROM (SELECT search_key(${name}) AS key) keys)`;

/**
 * Rank of ingredient `i` for a searched name, best first: 0 if its INCI or Chinese name equals the
 * text, then names that begin with the text, then names that contain it as a separate word (no letter
 * or digit beside it), then all others.
 */
export const FIT = `
  CASE
    WHEN i.search_key LIKE (SELECT first FROM searched) OR i.search_key LIKE (SELECT second FROM searched)
    THEN CASE WHEN i.search_key LIKE (SELECT all_first FROM searched)
                OR i.search_key LIKE (SELECT all_second FROM searched) THEN 0 ELSE 1 END
    WHEN i.search_key ~ (SELECT word FROM searched) THEN 2
    ELSE 3 END`;

/**
 * True if the name of ingredient `i` contains the text. For one or two letters, the concatenation
 * excludes the index, which would be read completely.
 */
export const containsSearched = (search: string): string =>
  `i.search_key ${hasTrigram(search) ? '' : `|| ''`} LIKE (SELECT anywhere FROM searched)`;

/** True if another name of ingredient `i` contains a pattern. A text without a letter or digit is in none. */
const isNamed = (pattern: string): string =>
  `i.id IN (SELECT n.ingredient_id FROM ingredient_names n WHERE n.key LIKE ${pattern} AND ${pattern} <> '%%')`;

/** Columns by which a list can be sorted. Ingredients without a value come last. */
export const INGREDIENT_COLUMNS = {
  createdAt: 'created_at',
  inciName: 'inci_name',
  chineseName: 'chinese_name',
  supplier: 'supplier',
  unitPrice: 'unit_price',
} as const;

export interface IngredientOrder {
  readonly sortBy: keyof typeof INGREDIENT_COLUMNS;
  readonly sortOrder: 'asc' | 'desc';
}

/** A further condition on the ingredients of a list, and another order. */
export interface IngredientListing {
  readonly condition?: ListCondition;
  /** Default: the order of the catalogue, by rank for a searched name, then the newest first. */
  readonly order?: IngredientOrder;
}

/** A page of ingredients: `data` and `total`. Planned each time, because the planner needs the values. */
export function listIngredientsWhere(
  filter: RowFilter,
  query: IngredientQuery,
  { condition, order }: IngredientListing,
): { text: string; values: unknown[] } {
  const { search, category } = query;
  const values: unknown[] = [query.limit, offsetOf(query)];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const patterns = search
    ? `${searchedPatterns(`${bind(literal(search))}::text`, `${bind(literalRegex(search))}::text`)},`
    : '';
  const conditions = [
    ...(category ? [`i.function_category = ${bind(category)}`] : []),
    ...(search ? [`(${containsSearched(search)} OR ${isNamed(bind(containing(nameKey(search))))})`] : []),
  ];
  const readable = filter.for('ingredient', 'i', values.length + 1);
  values.push(...readable.values);
  const wanted = condition?.('i', values.length + 1);
  values.push(...(wanted?.values ?? []));
  const where = [...conditions, readable.sql, ...(wanted ? [wanted.sql] : [])].join(' AND ');
  const sorted = orderOf(order, search !== undefined);
  const text = `
    WITH ${patterns}
    found AS MATERIALIZED (
      SELECT i.id, row_number() OVER (ORDER BY ${sorted}) AS place FROM ingredients i WHERE ${where})
    SELECT array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
        SELECT ${SHOWN}
        FROM (SELECT id, place FROM found ORDER BY place LIMIT $1::bigint OFFSET $2::bigint) page
        CROSS JOIN LATERAL (SELECT * FROM ingredients WHERE id = page.id LIMIT 1) i
        ORDER BY page.place) shown))::text AS data,
      (SELECT count(*) FROM found) AS total`;
  return { text, values };
}

function orderOf(order: IngredientOrder | undefined, isSearched: boolean): string {
  if (!order) return `${isSearched ? `${FIT}, ` : ''}i.created_at DESC, i.id`;
  const direction = order.sortOrder === 'asc' ? 'ASC' : 'DESC';
  return `i.${INGREDIENT_COLUMNS[order.sortBy]} ${direction} NULLS LAST, i.id ${direction}`;
}
