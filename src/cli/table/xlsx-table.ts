import { fitToHeader, headerOf, TableError, type Table, type TableLimits, type TableRow } from './table';
import { boundedWorkbook } from './xlsx-archive';

/**
 * The first sheet of an XLSX workbook as a table. Numbers come as their shortest decimal text, dates as ISO
 * texts, formulas as their last result.
 * @throws TableError when the file is damaged, encrypted, empty or exceeds the limits
 */
export async function xlsxTable(content: Buffer, limits: TableLimits): Promise<Table> {
  const workbook = await boundedWorkbook(content, limits);
  const sheet = await sheetRows(new Uint8Array(workbook).buffer);
  const first = sheet.findIndex((row) => row.some((cell) => cell.trim() !== ''));
  if (first < 0) throw new TableError('The first sheet of the workbook is empty.');
  const header = headerOf(sheet[first] ?? [], limits);

  // eslint-disable-next-line @typescript-eslint/require-await -- a Table is read asynchronously
  async function* rows(): AsyncGenerator<TableRow> {
    for (let index = first + 1; index < sheet.length; index++) {
      const cells = sheet[index] ?? [];
      if (cells.some((cell) => cell.trim() !== '')) yield fitToHeader(index + 1, cells, header.length);
    }
  }
  return { header, rows: rows() };
}

async function sheetRows(workbook: ArrayBuffer): Promise<string[][]> {
  try {
    // Imported when needed: its types are for ES modules only, and few commands read a workbook.
    const { readSheet } = await import('read-excel-file/universal');
    const rows = await readSheet(workbook, { trim: false });
    return rows.map((row) => row.map(cellText));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TableError(`The XLSX file cannot be read: ${reason}`);
  }
}

/** Most characters of a cell in Excel. Thousands of cells may share one, and be reported with it. */
const LONGEST_CELL = 32_767;

function cellText(cell: unknown): string {
  if (typeof cell === 'string') {
    if (cell.length > LONGEST_CELL) throw new Error(`a cell has more than ${LONGEST_CELL} characters`);
    return cell;
  }
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return cell instanceof Date ? cell.toISOString() : '';
}
