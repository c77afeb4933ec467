import { isSpreadsheetSlip } from './spreadsheet-slips';

/*
 * A spreadsheet program reads a cell that begins with =, +, - or @ (in East Asian locales also their full-width
 * forms) as a formula. A user who can write an ingredient's description could so run a formula on the computer of
 * another user who opens the export. An apostrophe before the cell makes it text. If the program expects another
 * separator, a semicolon, a tab or a line end within a cell begins a new cell, so an apostrophe is also inserted
 * after these. Files that can be imported also escape texts that an import would refuse as errors or dates of a
 * spreadsheet, and texts that look escaped already: reading removes exactly what writing has inserted.
 */
const FORMULA = /^(?='*[=+\-@\t\r＝＋－＠])/;
const FORMULA_WITHIN = /([;\t\r\n])(?=["']*[=+\-@＝＋－＠])/g;
const ESCAPED = /^'(?='*[=+\-@\t\r＝＋－＠])/;
const ESCAPED_WITHIN = /([;\t\r\n])'(?=["']*[=+\-@＝＋－＠])/g;

const withoutApostrophes = (cell: string) => cell.replace(/^'+/, '');

/** Escapes a text for a file that can be imported again. */
export const escapeFormula = (cell: string): string =>
  isSpreadsheetSlip(withoutApostrophes(cell)) && !FORMULA.test(cell)
    ? `'${escapeFormulaOnly(cell)}`
    : escapeFormulaOnly(cell);

/** Escapes a text for a file that people read. A date stays a date. */
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

/** Escapes a text for a file whose texts are never formulas: only if an import would unescape or refuse it. */
export const escapeEscaped = (cell: string): string =>
  unescapeFormula(cell) === cell && !isSpreadsheetSlip(cell) ? cell : escapeFormula(cell);
