import { TableError, type TableLimits } from './table';

/** Where a sheet ends in Excel. */
const SHEET_ROWS = 1_048_576;
/** The opening tag of a cell or a row, up to its attributes. */
const CELL_OR_ROW = /<(?:[^\s<>:/]+:)?(c|row)(?=[\s/>])/g;
/** One attribute, whatever its value holds. */
const ATTRIBUTE = /\s+(?:[\w-]+:)?([\w-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const END_OF_TAG = /\s*\/?>/y;

const damaged = () => new TableError('The XLSX file is damaged.');

/**
 * Checks that the rows and columns of a sheet's XML are within the limits, and the rectangle that they span:
 * a reader fills all of it, be it for one cell in its corner. Rows and cells without an address follow the
 * one before.
 * @throws TableError when a cell is outside them or its address is none
 */
export function checkCellAddresses(sheet: Buffer, limits: TableLimits): void {
  const xml = sheet.toString('latin1');
  let row = 0;
  let column = 0;
  let lastRow = 0;
  let lastColumn = 0;
  for (const tag of xml.matchAll(CELL_OR_ROW)) {
    const address = addressIn(xml, tag.index + tag[0].length);
    const isRow = tag[1] === 'row';
    const [, letters, digits] = /^([A-Z]{0,3})(\d{0,7})$/.exec(address ?? '') ?? [];
    if (letters === undefined || (address !== undefined && !digits)) throw damaged();
    row = digits ? Number(digits) : isRow ? row + 1 : row;
    column = isRow ? 0 : letters ? columnNumber(letters) : column + 1;
    if (row < 1 ? address !== undefined : row > SHEET_ROWS) throw damaged();
    checkRow(row, limits);
    if (column > limits.columns) {
      throw new TableError(
        `The sheet has more than ${limits.columns} columns (cell ${address ?? `in column ${column}`}): delete what stands right of the table.`,
      );
    }
    lastRow = Math.max(lastRow, row);
    lastColumn = Math.max(lastColumn, column);
  }
  if (lastRow * lastColumn > limits.cells) {
    const most = limits.cells.toLocaleString('en');
    throw new TableError(
      `The sheet spans more than ${most} cells (${lastRow} rows of ${lastColumn}): split it, or delete what stands below or right of the table.`,
    );
  }
}

/** The attribute `r` of the tag whose attributes begin at `at`. */
function addressIn(xml: string, at: number): string | undefined {
  let address: string | undefined;
  ATTRIBUTE.lastIndex = at;
  for (let found = ATTRIBUTE.exec(xml); found; found = ATTRIBUTE.exec(xml)) {
    if (found[1] === 'r') address = found[2] ?? found[3];
    at = ATTRIBUTE.lastIndex;
  }
  END_OF_TAG.lastIndex = at;
  if (!END_OF_TAG.test(xml)) throw damaged();
  return address;
}

function checkRow(row: number, limits: TableLimits): void {
  if (row <= limits.rows + 1) return;
  const most = limits.rows.toLocaleString('en');
  throw new TableError(
    `The sheet has more than ${most} rows (a cell in row ${row}): split it, or delete empty rows below the table.`,
  );
}

/** Column A is 1, AA is 27. */
export function columnNumber(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}
