/*
 * A spreadsheet program takes a cell that begins with =, +, - or @ (in East Asian locales also their full-width
 * forms) for a formula, and whoever may write an ingredient's description could so run one on the computer of
 * whoever opens the export. An apostrophe in front makes it text. Cells that could be mistaken for such a guarded
 * one get an apostrophe too, so that reading takes away exactly what writing put there.
 */
const LOOKS_LIKE_FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
const GUARDED = /^'+[=+\-@\t\r＝＋－＠]/;

export const guardFormula = (cell: string): string => (LOOKS_LIKE_FORMULA.test(cell) ? `'${cell}` : cell);

export const unguardFormula = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);
