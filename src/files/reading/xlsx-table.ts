import type { Message } from '../../platform/texts/define-texts';
import { importText, listed } from '../import.texts';
import {
  aboveHeader,
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
import { workbookParts } from './xlsx-archive';
import { readSheet, type SheetContent, type SheetRow } from './xlsx-sheet';
import { type Sheet, workbookOf } from './xlsx-workbook';

/**
 * Reads a sheet of an XLSX workbook as a table: the first visible one that begins with a header of known column
 * names, otherwise the first visible one that is not empty. Formulas are returned as their last result.
 * @throws TableError if the file is damaged, encrypted, empty or exceeds the limits
 */
export async function xlsxTable(content: Buffer, options: TableOptions = {}): Promise<Table> {
  const { limits = TABLE_LIMITS, knownNames = () => [] } = options;
  const workbook = workbookOf(await workbookParts(content, limits));
  const { sheet, found, ...chosen } = chosenSheet(
    candidates(workbook.sheets, options.sheet),
    (sheet) => readSheet(workbook.xmlOf(sheet), workbook, limits),
    (cells) => knownNames(cells).length > 0,
    options.headerRow,
  );
  const { rows, covered } = chosen.content;
  const first = lastHeaderRow(found, covered);
  const header = headerOf(headerNames(rows, first, covered, knownNames), limits);
  const above = rows.slice(0, first).map((row, index) => ({ line: index + 1, row }));
  const filled = above.filter(({ row }) => !isBlank(row));

  const mergedCells = (line: number) =>
    new Map(
      [...(covered.get(line) ?? [])].map(([at, { row, column }]): [number, MergedCell] => {
        const into = `${columnLetters(column)}${row}`;
        const isAbove = row < line && column === at;
        return [at, { into, ...(isAbove && { text: rows[row - 1]?.texts[column] ?? '' }) }];
      }),
    );

  // eslint-disable-next-line @typescript-eslint/require-await -- a Table is read asynchronously
  async function* tableRows(): AsyncGenerator<TableRow> {
    for (let line = first + 2; line <= rows.length; line++) {
      const row = rows[line - 1]!;
      const faults = [...(row.faults ?? [])].filter(([column]) => column < header.length);
      if (isBlank(row) && faults.length === 0) continue;
      yield {
        ...fitToHeader(line, row.texts, header.length),
        kinds: row.kinds,
        cellFaults: new Map(faults),
        merged: mergedCells(line),
        signs: row.signs,
      };
    }
  }
  const notes = [
    ...sheetNotes(sheet, workbook.sheets),
    ...hiddenNotes(chosen.content, { row: first + 1, columns: header.length }),
    ...aboveHeader(filled.map(({ line }) => line)),
  ];
  return { header, notes, above: filled.map(({ row }) => row.texts), rows: tableRows() };
}

/** Most sheets that a message names: a workbook may have a hundred thousand. */
const MOST_SHEETS_NAMED = 50;

/** @throws TableError if there is no sheet of this name, or all are hidden */
function candidates(sheets: readonly Sheet[], name: string | undefined): Sheet[] {
  const names = listed(
    sheets.map((sheet) => `"${sheet.name}"`),
    MOST_SHEETS_NAMED,
  );
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

interface ChosenSheet {
  readonly sheet: Sheet;
  readonly content: SheetContent;
  /** Index of the first row of the header. */
  readonly found: number;
}

function chosenSheet(
  sheets: readonly Sheet[],
  contentOf: (sheet: Sheet) => SheetContent,
  isHeader: (cells: string[]) => boolean,
  headerRow?: number,
): ChosenSheet {
  let other: ChosenSheet | undefined;
  for (const sheet of sheets) {
    const content = contentOf(sheet);
    const { rows } = content;
    if (headerRow !== undefined && isBlank(rows[headerRow - 1])) continue;
    if (headerRow !== undefined) return { sheet, content, found: headerRow - 1 };
    const header = rows.slice(0, HEADER_ROWS).findIndex((_, at) => isHeader(headerCells(rows, at)));
    if (header >= 0) return { sheet, content, found: header };
    const filled = rows.findIndex((row) => !isBlank(row));
    if (filled >= 0) other ??= { sheet, content, found: filled };
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

/** Returns notes about the sheet that was read, and the other sheets. */
function sheetNotes(sheet: Sheet, sheets: readonly Sheet[]): Message[] {
  const quoted = ({ name, isHidden }: Sheet) =>
    isHidden ? importText('import.hidden', { name: `"${name}"` }) : `"${name}"`;
  const others = sheets.filter((other) => other !== sheet).map(quoted);
  return [
    others.length > 0
      ? importText('import.one-sheet-read', {
          name: quoted(sheet),
          others: listed(others, MOST_SHEETS_NAMED),
        })
      : importText('import.sheet-read', { name: quoted(sheet) }),
  ];
}

function hiddenNotes(
  { hiddenRows, hiddenColumns }: SheetContent,
  header: { row: number; columns: number },
): Message[] {
  const rows = hiddenRows.filter((row) => row > header.row);
  const columns = hiddenColumns.filter((column) => column < header.columns).map(columnLetters);
  return [
    ...(rows.length > 0 ? [importText('import.hidden-rows', { rows: listed(rows) })] : []),
    ...(columns.length > 0 ? [importText('import.hidden-columns', { columns: listed(columns) })] : []),
  ];
}

/** If names are merged with the row below, that row is the header, because it contains the other names. */
function lastHeaderRow(first: number, covered: SheetContent['covered']): number {
  const below = [...(covered.get(first + 2)?.values() ?? [])];
  return below.some(({ row }) => row === first + 1) ? first + 1 : first;
}

/** Adds to an unknown name the name in the row above that spans it and others: `Price €/kg 25 kg`. */
function headerNames(
  rows: readonly SheetRow[],
  first: number,
  covered: SheetContent['covered'],
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
      : (rows[first - 1]?.texts[spans.get(at) ?? -1] ?? '').trim();
    const isPart = span !== '' && name.trim() !== '' && name.trim() !== span;
    return isPart ? `${span} ${name.trim()}` : name;
  });
}

/** In a header of two rows, names that are merged downwards are in the upper row. */
function headerCells(rows: readonly SheetRow[], at: number): string[] {
  const [row = [], upper = []] = [rows[at]?.texts, rows[at - 1]?.texts];
  return Array.from({ length: Math.max(row.length, upper.length) }, (_, column) => {
    const name = row[column] ?? '';
    return name.trim() === '' ? (upper[column] ?? '') : name;
  });
}

const isBlank = (row: SheetRow | undefined): boolean =>
  row?.texts.every((text) => text.trim() === '') ?? true;
