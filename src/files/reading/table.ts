import type { Message } from '../../platform/texts/define-texts';
import { type Reason, renderReason } from '../import-report';
import { importText } from '../import.texts';

/** A row of a table file. */
export interface TableRow {
  /** The line at which the row starts, counted from 1 with the header; in an XLSX file the row number of the sheet. */
  line: number;
  /** As many cells as the header has; an absent cell is an empty text. Surrounding white space is preserved. */
  cells: string[];
  /** Set if the row does not fit the header. Its cells are then not reliable. */
  fault?: Message;
  /** Faults of unreadable cells, by index. */
  cellFaults?: ReadonlyMap<number, Message>;
  /** Types of the cells of an XLSX or JSON file. */
  kinds?: readonly (CellKind | undefined)[];
  /** Signs that an XLSX file shows with numbers, such as that of a currency, by cell index. */
  signs?: ReadonlyMap<number, string>;
  /** Cells of an XLSX file that are merged into another one, by index. */
  merged?: ReadonlyMap<number, MergedCell>;
}

/** A percent is read as it is shown: `5%`. Texts of a JSON file are read unchanged. */
export type CellKind = 'number' | 'date' | 'percent' | 'text';

/** A cell that is merged into another one. */
export interface MergedCell {
  /** The address of the other cell. */
  into: string;
  /** The text of the other cell, if that is above. */
  text?: string;
}

export interface Table {
  /** Column names as written, without surrounding white space. */
  header: string[];
  /** Notes for the report about what was read and what was not. */
  notes: Reason[];
  /** Cells of the rows above the header that are not empty. */
  above: string[][];
  /** Separator of a CSV file. */
  separator?: string;
  /** Read while it is iterated; throws `TableError` if the file is broken. */
  rows: AsyncIterable<TableRow>;
}

/** How a file is read, if its content does not determine it. */
export interface FileOptions {
  /** Encoding of a CSV file: a name that `TextDecoder` accepts. */
  encoding?: string;
  /** Name of the sheet of an XLSX file. */
  sheet?: string;
  /** Number of the header's line, or of its row in an XLSX sheet. */
  headerRow?: number;
  /** Absent: the limits of a file in a request. */
  limits?: TableLimits;
}

export interface TableOptions extends FileOptions {
  /** Returns the names of columns among the cells of a row; empty if the row cannot be the header. */
  knownNames?: (cells: readonly string[]) => readonly string[];
  /** How the records of a JSON file become rows. */
  json?: JsonOptions;
}

/** Describes how the records of a JSON file become rows. */
export interface JsonOptions {
  readonly columns: readonly { readonly field: string; readonly holds?: string }[];
  /** Path of a column's value in a record, see `FileReading`; absent: the column's field. */
  readonly paths?: Readonly<Record<string, string>>;
}

/** Number of rows that are searched for the header. */
export const HEADER_ROWS = 50;

/** Limits of a file, so that none can exhaust the memory. */
export interface TableLimits {
  /** Most bytes of the file. */
  fileBytes: number;
  /** Most bytes of an XLSX file's sheets and texts after unpacking. */
  unpackedBytes: number;
  /** Most rows below the header. */
  rows: number;
  columns: number;
  /** Most cells of the rectangle that an XLSX sheet spans, including empty ones. */
  cells: number;
  /** Most characters of one row of a CSV file. */
  rowCharacters: number;
}

export const TABLE_LIMITS: TableLimits = {
  fileBytes: 32 * 1024 * 1024,
  unpackedBytes: 64 * 1024 * 1024,
  rows: 200_000,
  columns: 256,
  cells: 5_000_000,
  rowCharacters: 256 * 1024,
};

/** Limits of a command, which delays no requests: even a complete export can be read. */
export const COMMAND_LIMITS: TableLimits = {
  ...TABLE_LIMITS,
  fileBytes: 256 * 1024 * 1024,
  unpackedBytes: 256 * 1024 * 1024,
  rows: 1_048_575,
  cells: 16_000_000,
};

/** The file cannot be read as a table. The reason describes the fault to the user, with the line if it is known. */
export class TableError extends Error {
  override readonly name: string = 'TableError';

  constructor(readonly reason: Reason) {
    super(renderReason(reason, 'en'));
  }
}

/** Column 0 is A, 26 is AA. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

/** Returns a note about lines above the header, if there are any. */
export function aboveHeader(lines: readonly number[]): Message[] {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined) return [];
  return [
    first === last
      ? importText('import.line-above', { line: first })
      : importText('import.lines-above', { first, last: last! }),
  ];
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024)).toLocaleString('en')} MB`;
}

/** Fits a row to the width of its header: missing cells are empty, surplus empty cells are removed. */
export function fitToHeader(line: number, cells: string[], width: number): TableRow {
  if (cells.length > width && cells.slice(width).some((cell) => cell.trim() !== '')) {
    const fault = importText('import.wide-row', { count: cells.length, width });
    return { line, cells: cells.slice(0, width), fault };
  }
  return { line, cells: Array.from({ length: width }, (_, index) => cells[index] ?? '') };
}

/** Returns the column names without surrounding white space. Empty columns at the right end are removed. */
export function headerOf(cells: string[], limits: TableLimits): string[] {
  const header = cells.map((cell) => cell.trim());
  while (header.at(-1) === '') header.pop();
  if (header.length === 0) throw new TableError(importText('import.no-header'));
  if (header.length > limits.columns) {
    throw new TableError(
      importText('import.too-many-columns', { count: header.length, max: limits.columns }),
    );
  }
  return header;
}

/** @throws TableError if the file has more rows than the limits allow */
export function checkRowCount(count: number, { rows }: TableLimits): void {
  if (count > rows)
    throw new TableError(importText('import.too-many-rows', { max: rows.toLocaleString('en') }));
}
