import { type Ranked } from './matching';

/**
 * The rows of ranked colours, in their order and with their distance; one that is no longer there is left
 * out.
 */
export function inOrder<Row extends { id: string }>(
  ranked: readonly Ranked[],
  rows: readonly Row[],
): (Row & { distance: number })[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ranked.flatMap(({ id, distance }) => {
    const row = byId.get(id);
    return row ? [{ ...row, distance }] : [];
  });
}
