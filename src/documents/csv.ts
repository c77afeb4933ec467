import { stringify } from 'csv-stringify/sync';
import { escapeFormula, escapeFormulaOnly } from '../platform/common/formula-escape';
import { inTurns } from '../platform/common/in-turns';
import { aboutTable, type Cell, type LabDocument, inFiles, type Table } from './document';
import { formatted } from './formatted';

/** Excel reads a file without it in the computer's own encoding. */
const BYTE_ORDER_MARK = '\ufeff';

/**
 * The tables of a document one below the other, then its facts and notes, with an empty line between them. The
 * header of the first table is the first line; the others have their title above it. No text can become a formula
 * in a spreadsheet program.
 */
export async function csvOf(document: LabDocument): Promise<string> {
  const written: string[] = [];
  const escape = document.isTakenBack ? escapeFormula : escapeFormulaOnly;
  const cellText = (cell: Cell) => (typeof cell === 'string' ? escape(cell) : formatted(cell));
  for (const section of sectionsOf(document)) {
    const lines = await inTurns(section, (row) => stringify([row.map(cellText)]));
    written.push(lines.join(''));
  }
  return BYTE_ORDER_MARK + written.join('\n');
}

function sectionsOf(document: LabDocument): (readonly Cell[])[][] {
  const [main, ...others] = document.tables;
  return [
    ...(main ? [rowsOf(main)] : []),
    ...(document.isTakenBack
      ? []
      : [...others.map((table) => [[table.title], ...rowsOf(table)]), rowsOf(aboutTable(document))]),
  ];
}

/** The header and the rows. */
function rowsOf(table: Table): (readonly Cell[])[] {
  const { columns, rows } = inFiles(table);
  return [columns.map(({ title }) => title), ...rows.map(({ cells }) => cells)];
}
