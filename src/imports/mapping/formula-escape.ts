import { isSpreadsheetSlip } from './spreadsheet-slips';

/*
 * A spreadsheet program takes a cell that begins with =, +, - or @ (in East Asian locales also their
 * full-width forms) for a formula, and whoever may write an ingredient's description could so run one on the
 * computer of whoever opens the export. An apostrophe in front makes it text. Where the program expects
 * another separator than ours, a semicolon, a tab or a line end within a cell begins a cell as well, and what
 * follows it gets an apostrophe too. In files that an import takes back, so do texts that it would refuse for
 * errors or dates of a spreadsheet, and whatever could be mistaken for an escaped one: reading takes away exactly
 * what writing put there.
 */
const FORMULA = /^(?='*[=+\-@\t\r＝＋－＠])/;
const FORMULA_WITHIN = /([;\t\r\n])(?=["']*[=+\-@＝＋－＠])/g;
const ESCAPED = /^'(?='*[=+\-@\t\r＝＋－＠])/;
const ESCAPED_WITHIN = /([;\t\r\n])'(?=["']*[=+\-@＝＋－＠])/g;

const withoutApostrophes = (cell: string) => cell.replace(/^'+/, '');

/** A text for a file that an import takes back. */
export const escapeFormula = (cell: string): string =>
  isSpreadsheetSlip(withoutApostrophes(cell)) && !FORMULA.test(cell)
    ? `'${escapeFormulaOnly(cell)}`
    : escapeFormulaOnly(cell);

/** A text for a file to read: a date stays one. */
export function escapeFormulaOnly(cell: string): string {
  const within = cell.replace(FORMULA_WITHIN, "$1'");
  return FORMULA.test(cell) ? `'${within}` : within;
}

export function unescapeFormula(cell: string): string {
  if (!cell.includes("'")) return cell;
  const isEscaped =
    ESCAPED.test(cell) || (cell.startsWith("'") && isSpreadsheetSlip(withoutApostrophes(cell)));
  return (isEscaped ? cell.slice(1) : cell).replace(ESCAPED_WITHIN, '$1');
}

/** For a file in which texts are never formulas: escapes only what an import would take for escaped, or refuse. */
export const escapeEscaped = (cell: string): string =>
  unescapeFormula(cell) === cell && !isSpreadsheetSlip(cell) ? cell : escapeFormula(cell);
