import { type Ranked } from './difference';

/** Returns the rows of ranked colours in their order, with their distance. Omits rows that no longer exist. */
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
