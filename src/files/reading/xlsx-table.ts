import { importText } from '../import.texts';
import {
  aboveHeader,
  type CellKind,
  columnLetters,
  fitToHeader,
  HEADER_ROWS,
  headerOf,
  type MergedCell,
  TABLE_LIMITS,
  TableError,
  type Table,
  type TableOptions,
  type TableRow,
} from './table';
import { boundedWorkbook } from './xlsx-archive';
import { signsOfStyles, type Sheet, type SheetFacts, sheetFacts, sheetNotes, sheetsOf } from './xlsx-sheets';

/**
 * Reads a sheet of an XLSX workbook as a table: the first visible one that begins with a header of known column
 * names, otherwise the first visible one that is not empty. Numbers are returned as their shortest decimal text,
 * dates as ISO texts, formulas as their last result.
 * @throws TableError if the file is damaged, encrypted, empty or exceeds the limits
 */
export async function xlsxTable(content: Buffer, options: TableOptions = {}): Promise<Table> {
  const { limits = TABLE_LIMITS, knownNames = () => [] } = options;
  const { parts, workbook } = await boundedWorkbook(content, limits);
  const sheets = sheetsOf(parts);
  const {
    sheet,
    rows,
    first: found,
  } = await chosenSheet(
    candidates(sheets, options.sheet),
    (position) => sheetRows(new Uint8Array(workbook).buffer, position),
    (cells) => knownNames(cells).length > 0,
    options.headerRow,
  );
  const facts = sheetFacts(
    parts.get(sheet.path) ?? Buffer.alloc(0),
    limits,
    signsOfStyles(parts.get('xl/styles.xml')),
  );
  const first = lastHeaderRow(found, facts.covered);
  const header = headerOf(headerNames(rows, first, facts.covered, knownNames), limits);
  const above = rows.slice(0, first).map((row, index) => ({ line: index + 1, row }));
  const filled = above.filter(({ row }) => !isBlank(row));

  const textAt = (line: number) => (cell: unknown, column: number) =>
    typeof cell === 'number' && facts.signs.get(line)?.get(column) === '%'
      ? `${numberText(cell * 100)}%`
      : cellText(cell);
  const mergedCells = (line: number) =>
    new Map(
      [...(facts.covered.get(line) ?? [])].map(([at, { row, column }]): [number, MergedCell] => {
        const into = `${columnLetters(column)}${row}`;
        const isAbove = row < line && column === at;
        return [at, { into, ...(isAbove && { text: textAt(row)(rows[row - 1]?.[column], column) }) }];
      }),
    );

  // eslint-disable-next-line @typescript-eslint/require-await -- a Table is read asynchronously
  async function* tableRows(): AsyncGenerator<TableRow> {
    // The library returns no row for one that contains only errors.
    const last = [...facts.faults.keys()].reduce((a, b) => Math.max(a, b), rows.length);
    for (let line = first + 2; line <= last; line++) {
      const cells = rows[line - 1] ?? [];
      const faults = [...(facts.faults.get(line) ?? [])].filter(([column]) => column < header.length);
      if (isBlank(cells) && faults.length === 0) continue;
      yield {
        ...fitToHeader(line, cells.map(textAt(line)), header.length),
        kinds: cells.map((cell, column) =>
          typeof cell === 'number' && facts.signs.get(line)?.get(column) === '%' ? 'percent' : kindOf(cell),
        ),
        cellFaults: new Map(faults),
        merged: mergedCells(line),
        signs: facts.signs.get(line),
      };
    }
  }
  const notes = [
    ...sheetNotes(sheet, sheets, facts, { row: first + 1, columns: header.length }),
    ...aboveHeader(filled.map(({ line }) => line)),
  ];
  return { header, notes, above: filled.map(({ row }) => row.map(cellText)), rows: tableRows() };
}

/** @throws TableError if there is no sheet of this name, or all are hidden */
function candidates(sheets: readonly Sheet[], name: string | undefined): Sheet[] {
  const names = sheets.map((sheet) => `"${sheet.name}"`);
  const found = sheets.filter((sheet) => (name === undefined ? !sheet.isHidden : sheet.name === name));
  if (found.length > 0) return found;
  throw new TableError(
    name === undefined && sheets.length > 0
      ? importText('import.hidden-sheets', { names })
      : name === undefined
        ? importText('import.without-sheet')
        : importText('import.no-such-sheet', { name, names }),
  );
}

type Rows = unknown[][];

async function chosenSheet(
  sheets: readonly Sheet[],
  rowsOf: (position: number) => Promise<Rows>,
  isHeader: (cells: string[]) => boolean,
  headerRow?: number,
): Promise<{ sheet: Sheet; rows: Rows; first: number }> {
  let other: { sheet: Sheet; rows: Rows; first: number } | undefined;
  for (const sheet of sheets) {
    const rows = await rowsOf(sheet.position);
    if (headerRow !== undefined && isBlank(rows[headerRow - 1] ?? [])) continue;
    if (headerRow !== undefined) return { sheet, rows, first: headerRow - 1 };
    const header = rows.slice(0, HEADER_ROWS).findIndex((_, at) => isHeader(headerCells(rows, at)));
    if (header >= 0) return { sheet, rows, first: header };
    const first = rows.findIndex((row) => !isBlank(row));
    if (first >= 0) other ??= { sheet, rows, first };
  }
  if (other) return other;
  if (headerRow !== undefined)
    throw new TableError(importText('import.no-header-in-sheets', { row: headerRow }));
  throw new TableError(
    sheets.length === 1
      ? importText('import.empty-sheet', { name: sheets[0]!.name })
      : importText('import.empty-sheets'),
  );
}

/** If names are merged with the row below, that row is the header, because it contains the other names. */
function lastHeaderRow(first: number, covered: SheetFacts['covered']): number {
  const below = [...(covered.get(first + 2)?.values() ?? [])];
  return below.some(({ row }) => row === first + 1) ? first + 1 : first;
}

/** Adds to an unknown name the name in the row above that spans it and others: `Price €/kg 25 kg`. */
function headerNames(
  rows: Rows,
  first: number,
  covered: SheetFacts['covered'],
  knownNames: NonNullable<TableOptions['knownNames']>,
): string[] {
  const cells = headerCells(rows, first);
  const known = new Set(knownNames(cells));
  const spans = new Map<number, number>();
  for (const [at, { row, column }] of covered.get(first) ?? []) {
    if (row === first) spans.set(at, column).set(column, column);
  }
  // A title above known names is not a part of them.
  const titles = new Set([...spans].filter(([at]) => known.has(cells[at] ?? '')).map(([, column]) => column));
  return cells.map((name, at) => {
    const span = titles.has(spans.get(at) ?? -1)
      ? ''
      : cellText(rows[first - 1]?.[spans.get(at) ?? -1]).trim();
    const isPart = span !== '' && name.trim() !== '' && name.trim() !== span;
    return isPart ? `${span} ${name.trim()}` : name;
  });
}

/** In a header of two rows, names that are merged downwards are in the upper row. */
function headerCells(rows: Rows, at: number): string[] {
  const [row = [], upper = []] = [rows[at], rows[at - 1]];
  return Array.from({ length: Math.max(row.length, upper.length) }, (_, column) => {
    const name = cellText(row[column]);
    return name.trim() === '' ? cellText(upper[column]) : name;
  });
}

async function sheetRows(workbook: ArrayBuffer, position: number): Promise<Rows> {
  try {
    // Imported on demand: its types are for ES modules only, and few commands read a workbook.
    const { readSheet } = await import('read-excel-file/universal');
    const rows = await readSheet(workbook, position, { trim: false });
    rows.forEach((row) => row.forEach(checkLength));
    return rows;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TableError(importText('import.unreadable-workbook', { reason }));
  }
}

/** Most characters of a cell in Excel. Thousands of cells may share one text, and be reported with it. */
const LONGEST_CELL = 32_767;

function checkLength(cell: unknown): void {
  if (typeof cell === 'string' && cell.length > LONGEST_CELL) {
    throw new Error(`a cell has more than ${LONGEST_CELL} characters`);
  }
}

const isBlank = (row: readonly unknown[]) => row.every((cell) => cellText(cell).trim() === '');

function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return numberText(cell);
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return cell instanceof Date ? cell.toISOString() : '';
}

/** Excel shows 15 digits: the last digit of `12.350000000000001` is a binary rounding error. */
function numberText(number: number): string {
  const shown = String(Number(number.toPrecision(15)));
  return shown.length < String(number).length - 3 ? shown : String(number);
}

function kindOf(cell: unknown): CellKind | undefined {
  if (typeof cell === 'number') return 'number';
  return cell instanceof Date ? 'date' : undefined;
}
