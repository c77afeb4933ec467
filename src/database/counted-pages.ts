import { MAX_LIMIT } from '../common/pagination';

/**
 * Lists whose numbers of records are kept. The migrations `record-counts`, `formulas-by-day` and
 * `formulas-by-hour` say what their parts are.
 */
export type CountedList =
  'formulas' | 'formulas of project' | 'formulas of day' | 'formulas of hour' | 'ingredients';

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

/** Offset from which on a page of all formulas is worth the numbers of days and hours. */
export const DEEP_OFFSET = 10_000;

/**
 * As `idsOfPage`, of all formulas by the time of their last change: the walk starts with the hour that the
 * page is in, from its nearer end. A page near the end of the list does not ask for the hours.
 * @param source.limit SQL, as `offset`
 * @param source.deep fewest formulas behind a page for which the hours are asked
 */
export function idsOfDatedPage(source: {
  where: string;
  direction: 'ASC' | 'DESC';
  limit: string;
  offset: string;
  deep?: number;
}): string {
  const { where, direction, limit, offset, deep = DEEP_OFFSET } = source;
  // Ranks are counted from the oldest formula, and from the newest one.
  const [fromOldest, fromNewest] =
    direction === 'ASC' ? [offset, behind(limit, offset)] : [behind(limit, offset), offset];
  const along = (isAlong: boolean) => {
    const most = isAlong
      ? `CASE WHEN is_along THEN ${limit} ELSE 0 END`
      : `CASE WHEN is_along THEN 0 ELSE rest END`;
    return `coalesce((SELECT ${most} FROM way), 0)`;
  };
  const walk = (way: 'ASC' | 'DESC') => {
    const [end, compared] = way === 'ASC' ? ['oldest', '>='] : ['newest', '<'];
    return `(SELECT id FROM formulas
             ${where} AND updated_at ${compared} (SELECT bound FROM ${end})
             ORDER BY updated_at ${way}, id ${way}
             LIMIT ${along(way === direction)} OFFSET (SELECT skipped FROM ${end}))`;
  };
  /** The whole list where the hours are not asked for, or are not known. */
  const first = (way: 'ASC' | 'DESC') => {
    const [rank, end, units] =
      way === 'ASC' ? ['from_oldest', '-infinity', 0] : ['from_newest', 'infinity', 1];
    const bound = (instant: string, unit: string) =>
      `(${instant})::timestamp AT TIME ZONE 'UTC' + interval '${units} ${unit}'`;
    return `
      SELECT coalesce(${bound(`hour.part || ':00'`, 'hour')}, ${bound('day.part', 'day')},
                      '${end}'::timestamptz) AS bound,
             coalesce(hour.skipped, day.skipped, ${rank}) AS skipped
      FROM ranks
      LEFT JOIN LATERAL (${partWith(way, '(SELECT * FROM days WHERE is_far) far', rank, 'total')}) day ON true
      LEFT JOIN LATERAL (${partWith(way, `(${HOURS_OF_DAY}) hours`, 'day.skipped', 'day.records')}) hour ON true`;
  };
  return `
    WITH ranks AS MATERIALIZED (
      SELECT total, ${fromOldest} AS from_oldest, ${fromNewest} AS from_newest, ${restOf(limit, offset)} AS rest,
             ${behind(limit, offset)} > ${deep} AS is_far
      FROM counted),
    days AS MATERIALIZED (${summedUp(keptCountsByPart('formulas of day'))}),
    oldest AS MATERIALIZED (${first('ASC')}),
    newest AS MATERIALIZED (${first('DESC')}),
    way AS MATERIALIZED (
      SELECT ${direction === 'ASC' ? 'oldest.skipped <= newest.skipped' : 'newest.skipped <= oldest.skipped'} AS is_along,
             rest
      FROM ranks, oldest, newest)
    ${eitherWalk(walk(direction), walk(direction === 'ASC' ? 'DESC' : 'ASC'))}`;
}

/** Parts with the number of records up to the end of each. */
const summedUp = (parts: string): string =>
  `SELECT part, records, (sum(records) OVER (ORDER BY part))::bigint AS until_then FROM (${parts}) kept`;

const HOURS_OF_DAY = summedUp(
  keptCountsByPart('formulas of hour', `part BETWEEN day.part || ' 00' AND day.part || ' 23'`),
);

/**
 * Which of `parts` a rank is in, counted from the first one, or the last one where `way` is `DESC`, and how
 * many of its own records come before it. All is SQL.
 * @param all how many records the parts have together
 */
function partWith(way: 'ASC' | 'DESC', parts: string, rank: string, all: string): string {
  const before = way === 'ASC' ? 'until_then - records' : `${all} - until_then`;
  return `SELECT part, records, ${rank} - (${before}) AS skipped FROM ${parts}
          WHERE ${before} <= ${rank} ORDER BY until_then ${way === 'ASC' ? 'DESC' : 'ASC'} LIMIT 1`;
}
