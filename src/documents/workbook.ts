import writeXlsxFile, { type CellObject, type Sheet } from 'write-excel-file/node';
import { escapeEscaped } from '../platform/common/formula-escape';
import { aboutTable, type Cell, type Column, type LabDocument, inFiles, type Table } from './document';

/** Longest name of a sheet that Excel opens, and what it may not contain. */
const MAX_SHEET_NAME = 31;
// eslint-disable-next-line no-control-regex
const FORBIDDEN_IN_SHEET_NAME = /[:\\/?*[\]'\u0000-\u001f\ufffd-\uffff]/g;

/** Characters that XML 1.0 cannot hold, and U+FFFD: the writer would leave them out without a trace. */
// eslint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd-\uffff]/g;
const REPLACEMENT = '\u25a1';

/** A text that Excel would show as the character of this code: `_x0041_` as `A`. */
const LIKE_ESCAPED = /_(?=x[0-9a-f]{4}_)/gi;

/** Longest text of a cell. */
const MAX_CELL = 32_767;

/** A workbook with a sheet for each table, and the facts and notes on a last one. Texts are never formulas. */
export async function workbookOf(document: LabDocument): Promise<Buffer> {
  const escape = document.isTakenBack ? escapeEscaped : (text: string) => text;
  const tables = [...document.tables, aboutTable(document)];
  return writeXlsxFile(tables.map((table, index) => sheetOf(table, index, escape))).toBuffer();
}

function sheetOf(table: Table, index: number, escape: (text: string) => string): Sheet<never> {
  const { title, columns, rows } = inFiles(table);
  const header = columns.map((column) => ({ ...cellOf(column.title), fontWeight: 'bold' as const }));
  return {
    // Two sheets must not have one name.
    sheet: `${index + 1} ${title}`
      .slice(0, MAX_SHEET_NAME)
      .toWellFormed()
      .replaceAll(FORBIDDEN_IN_SHEET_NAME, ' '),
    data: [
      header,
      ...rows.map(({ cells }) =>
        cells.map((cell, at) => cellOf(typeof cell === 'string' ? escape(cell) : cell, columns[at])),
      ),
    ],
    columns: columns.map(({ isNumeric }) => ({ width: isNumeric ? 14 : 28 })),
    stickyRowsCount: 1,
  };
}

function cellOf(cell: Cell, column: Pick<Column, 'decimals'> = {}): CellObject | null {
  if (cell === null) return null;
  if (typeof cell === 'string') {
    return { value: xmlText(cell), type: String };
  }
  const { decimals } = column;
  const format = decimals === undefined ? {} : { format: decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}` };
  return { value: cell, type: Number, ...format };
}

const xmlText = (text: string): string =>
  text
    .slice(0, MAX_CELL)
    .toWellFormed()
    .replaceAll(NOT_IN_XML, REPLACEMENT)
    .replaceAll(LIKE_ESCAPED, '_x005F_');
