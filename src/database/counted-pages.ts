import { MAX_LIMIT } from '../common/pagination';

/** Lists whose numbers of records are kept; the migration `record-counts` says what their parts are. */
export type CountedList = 'formulas' | 'formulas of project' | 'ingredients';

/** A column and its direction, most significant first; together they leave no ties. */
export type Order = readonly (readonly [column: string, direction: 'ASC' | 'DESC'])[];

/**
 * SQL for the number of records of a list, of one part of it where a part is given: the sum of a few kept
 * changes, not a count of the records.
 * @param part SQL
 */
export const keptCount = (list: CountedList, part?: string): string =>
  `SELECT coalesce(sum(delta), 0)::bigint FROM record_counts
   WHERE list = '${list}'${part === undefined ? '' : ` AND part = ${part}`}`;

/** SQL for the number of records of each part of a list that has some: `part` and `records`. */
export const keptCountsByPart = (list: CountedList): string =>
  `SELECT part, sum(delta)::bigint AS records FROM record_counts WHERE list = '${list}' GROUP BY part`;

export const orderBy = (order: Order): string =>
  `ORDER BY ${order.map(([column, direction]) => `${column} ${direction}`).join(', ')}`;

/**
 * SQL for the ids of a page, in no order: the walk along the index starts from the end of the list that is
 * nearer. It needs `counted`, a CTE of one row with the `total` of what `from` and `where` name.
 * @param source.limit SQL, as `offset`
 */
export function idsOfPage(source: {
  from: string;
  where?: string;
  order: Order;
  limit: string;
  offset: string;
}): string {
  const { from, where = '', order, limit, offset } = source;
  const reversed = order.map(([column, way]) => [column, way === 'ASC' ? 'DESC' : 'ASC'] as const);
  const ofCounted = (amount: string) => `(SELECT ${amount} FROM counted)`;
  const walk = (along: Order, most: string, skipped: string) =>
    `(SELECT id FROM ${from} ${where} ${orderBy(along)} LIMIT ${ofCounted(most)} OFFSET ${skipped})`;
  const isNear = `2 * ${offset} <= total`;
  const rest = `greatest(least(${limit}, total - ${offset}), 0)`;
  const afterRest = ofCounted(`greatest(total - ${offset} - ${limit}, 0)`);
  // The constant limit is for the planner, which would expect a tenth of the list.
  return `SELECT id FROM (
      ${walk(order, `CASE WHEN ${isNear} THEN ${limit} ELSE 0 END`, offset)}
      UNION ALL
      ${walk(reversed, `CASE WHEN ${isNear} THEN 0 ELSE ${rest} END`, afterRest)}
    ) near LIMIT ${MAX_LIMIT}`;
}
