import { TableError, type TableLimits } from './table';

/** Where a sheet ends in Excel. */
const SHEET_ROWS = 1_048_576;

const CELL_OR_ROW = /<(?:\w+:)?(?:c|row)(?=\s)([^<>]*)>/g;
const ADDRESS = /\sr\s*=\s*(?:"([^"]*)"|'([^']*)')/;

/**
 * Checks that the rows and columns of a sheet's XML are within the limits. One cell in the last row and
 * column would make a reader fill the whole sheet with empty cells.
 * @throws TableError when a cell is outside them or its address is none
 */
export function checkCellAddresses(sheet: Buffer, limits: TableLimits): void {
  for (const [, attributes = ''] of sheet.toString('latin1').matchAll(CELL_OR_ROW)) {
    const found = ADDRESS.exec(attributes);
    if (!found) continue;
    const address = /^([A-Z]{0,3})(\d{1,7})$/.exec(found[1] ?? found[2] ?? '');
    const row = Number(address?.[2]);
    if (!address || row < 1 || row > SHEET_ROWS) throw new TableError('The XLSX file is damaged.');
    if (row > limits.rows + 1) {
      const most = limits.rows.toLocaleString('en');
      throw new TableError(
        `The sheet has more than ${most} rows (a cell in row ${row}): split it, or delete empty rows below the table.`,
      );
    }
    if (columnNumber(address[1] ?? '') > limits.columns) {
      throw new TableError(
        `The sheet has more than ${limits.columns} columns (cell ${address[0]}): delete what stands right of the table.`,
      );
    }
  }
}

/** Column A is 1, AA is 27. */
function columnNumber(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}
