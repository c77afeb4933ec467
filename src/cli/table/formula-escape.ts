/*
 * A spreadsheet program takes a cell that begins with =, +, - or @ (in East Asian locales also their
 * full-width forms) for a formula, and whoever may write an ingredient's description could so run one on the
 * computer of whoever opens the export. An apostrophe in front makes it text. Cells that could be mistaken
 * for such an escaped one get an apostrophe too, so that reading takes away exactly what writing put there.
 */
const LOOKS_LIKE_FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
const ESCAPED = /^'+[=+\-@\t\r＝＋－＠]/;

export const escapeFormula = (cell: string): string => (LOOKS_LIKE_FORMULA.test(cell) ? `'${cell}` : cell);

export const unescapeFormula = (cell: string): string => (ESCAPED.test(cell) ? cell.slice(1) : cell);
