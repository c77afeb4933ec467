/** SQL for a timestamp as JSON shows it: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const isoTimestamp = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * SQL for rows as one JSON text, an array.
 * @param rows a SELECT, its columns named as in JSON
 */
export const jsonRows = (rows: string): string =>
  `array_to_json(ARRAY(SELECT row_to_json(shown) FROM (${rows}) shown))::text`;

/**
 * SQL for a page of a list in one row, from one snapshot: `data`, the JSON text of the rows, and `total`.
 * @param rows a SELECT of the page's rows, their columns named as in JSON
 * @param total a SELECT of how many there are in all
 */
export const jsonPage = (rows: string, total: string): string =>
  `SELECT ${jsonRows(rows)} AS data, (${total}) AS total`;

/**
 * As `jsonPage`, where `rows` may need the total: it is the one row of a CTE, `counted`.
 */
export const countedPage = (rows: string, total: string): string =>
  `WITH counted AS MATERIALIZED (SELECT (${total}) AS total) ${jsonPage(rows, 'SELECT total FROM counted')}`;
