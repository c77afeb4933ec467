import { MAX_LIMIT } from '../common/pagination';

/**
 * Lists whose numbers of records are kept. `migrations/baseline/record-counts.ts` says what their
 * parts are.
 */
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

/**
 * SQL for the number of records of each part of a list that has some: `part` and `records`.
 * @param only SQL, a condition on `part`
 */
export const keptCountsByPart = (list: CountedList, only?: string): string =>
  `SELECT part, sum(delta)::bigint AS records FROM record_counts
   WHERE list = '${list}'${only === undefined ? '' : ` AND ${only}`} GROUP BY part HAVING sum(delta) <> 0`;

export const orderBy = (order: Order): string =>
  `ORDER BY ${order.map(([column, direction]) => `${column} ${direction}`).join(', ')}`;

/**
 * SQL for the ids of a page of `found`, a CTE. The values stand in subqueries: a plan for a known limit looks
 * better than one for any, and PostgreSQL would plan each search anew. The constant limit is for the planner,
 * which would expect a tenth of what is found.
 * @param first the parameter with the limit; the one after it has the offset
 */
export const pageOf = (id: string, order: Order, first: number): string =>
  `SELECT ${id} FROM (
     SELECT ${id} FROM found ${orderBy(order)}
     LIMIT (SELECT $${first}::bigint) OFFSET (SELECT $${first + 1}::bigint)) page LIMIT ${MAX_LIMIT}`;

const reverse = (order: Order): Order =>
  order.map(([column, way]) => [column, way === 'ASC' ? 'DESC' : 'ASC'] as const);

const ofCounted = (amount: string): string => `(SELECT ${amount} FROM counted)`;

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
  const walk = (along: Order, most: string, skipped: string) =>
    `(SELECT id FROM ${from} ${where} ${orderBy(along)} LIMIT ${ofCounted(most)} OFFSET ${skipped})`;
  const isNear = `2 * ${offset} <= total`;
  return eitherWalk(
    // In a subquery for the planner, as in `pageOf`.
    walk(order, `CASE WHEN ${isNear} THEN ${limit} ELSE 0 END`, `(SELECT ${offset})`),
    walk(
      reverse(order),
      `CASE WHEN ${isNear} THEN 0 ELSE ${restOf(limit, offset)} END`,
      ofCounted(behind(limit, offset)),
    ),
  );
}

/** How many records of a page there are, and how many come behind it. */
const restOf = (limit: string, offset: string): string => `greatest(least(${limit}, total - ${offset}), 0)`;
const behind = (limit: string, offset: string): string => `greatest(total - ${offset} - ${limit}, 0)`;

/** One of them is empty. The constant limit is for the planner, which would expect a tenth of the list. */
const eitherWalk = (along: string, against: string): string =>
  `SELECT id FROM (
      ${along}
      UNION ALL
      ${against}
    ) near LIMIT ${MAX_LIMIT}`;

/** Offset from which on a page takes too long to be sent with others on one connection. */
export const DEEP_OFFSET = 10_000;
