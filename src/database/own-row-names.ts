import type { OWN_KINDS } from './readable';

/** What the service's statements call the rows whose conditions they have, by kind. */
export const OWN_ROW_NAMES: Readonly<Record<keyof typeof OWN_KINDS, readonly string[]>> = {
  formula: ['formulas', 'formula', 'f', 'record'],
  project: ['projects', 'p', 'record'],
  color: ['color_formulas'],
  ingredient: ['ingredients', 'i', 'record'],
};

const LITERALS = /'(?:[^']|'')*'/g;

/** What may follow a table in FROM that has no other name. */
const AFTER_TABLE = 'WHERE|JOIN|LEFT|RIGHT|FULL|INNER|CROSS|NATURAL|ON|USING|ORDER|GROUP|LIMIT|UNION';

/**
 * Whether a condition has a table of its own that is called as the row: what it asks of the row it would then
 * ask of that table.
 * @param condition SQL in which the row is called something else
 */
export function hasOwnTable(condition: string, row: string): boolean {
  const text = condition.replaceAll(LITERALS, "''").replaceAll('"', '');
  const table = String.raw`(?:\bFROM|\bJOIN|,)\s*(?:ONLY\s+)?`;
  const ways = [
    String.raw`(?<![\w.])${row}\s*\.`,
    String.raw`${table}(?:[\w.]+|\))\s+(?:AS\s+)?${row}(?![\w.])`,
    String.raw`\)\s*(?:AS\s+)?${row}(?![\w.])`,
    String.raw`${table}(?:\w+\.)?${row}\s*(?:$|[),]|(?:${AFTER_TABLE})\b)`,
  ];
  return ways.some((way) => new RegExp(way, 'i').test(text));
}
