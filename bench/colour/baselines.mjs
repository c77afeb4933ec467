/*
 * What one would write without this service's index and bound. Both take a pg client and answer as the
 * endpoints do.
 */

const COLUMNS = 'id, name, l, a, b, delta_e, colorant_composition';

const READ_ALL = { name: 'baseline.all', text: `SELECT ${COLUMNS} FROM color_formulas` };

/** (a) Reads all rows and sorts them by CIEDE2000. Exact. */
export async function readAllAndSort(client, ciede2000, query, k) {
  const { rows } = await client.query(READ_ALL);
  const ranked = rows.map((row) => ({ row, distance: ciede2000(query, { L: row.l, a: row.a, b: row.b }) }));
  ranked.sort((x, y) => x.distance - y.distance || (x.row.id < y.row.id ? -1 : 1));
  return ranked.slice(0, k).map(({ row, distance }) => ({ ...row, distance }));
}

const BY_SQRT = {
  name: 'baseline.sqrt',
  text: `SELECT ${COLUMNS}, sqrt((l - $1) ^ 2 + (a - $2) ^ 2 + (b - $3) ^ 2) AS distance FROM color_formulas
         ORDER BY distance, id LIMIT $4`,
};

/**
 * (b) Lets the database sort by Euclidean difference. Exact for that difference only: it is what recommend
 * asks.
 */
export async function orderBySqrt(client, query, k) {
  const { rows } = await client.query(BY_SQRT, [query.L, query.a, query.b, k]);
  return rows;
}
