/** One row of a table file. */
export interface TableRow {
  /**
   * Where the row starts in the file: counted from 1, the header included; of an XLSX file the sheet's row
   * number.
   */
  line: number;
  /** As many as the header has; an absent cell is an empty text. Surrounding white space is kept. */
  cells: string[];
  /** Set when the row does not fit the header; its cells are then not to be trusted. */
  fault?: string;
  /** What is wrong with cells that hold nothing to read, by their index. */
  cellFaults?: ReadonlyMap<number, string>;
  /** Of an XLSX or JSON file: what cells are. */
  kinds?: readonly (CellKind | undefined)[];
  /** Of an XLSX file: what cells show beside their number, by their index: the sign of a currency. */
  signs?: ReadonlyMap<number, string>;
  /** Of an XLSX file: cells that are merged into another one, by their index. */
  merged?: ReadonlyMap<number, MergedCell>;
}

/** A percent comes as it is shown: `5%`. Texts of a JSON file are taken as they are. */
export type CellKind = 'number' | 'date' | 'percent' | 'text';

/** A cell that is merged into another one. */
export interface MergedCell {
  /** The address of the other one. */
  into: string;
  /** What the other one holds, where it is above. */
  text?: string;
}

export interface Table {
  /** Column names as written, without surrounding white space. */
  header: string[];
  /** What was read and what was not, for the report. */
  notes: string[];
  /** Cells of the rows above the header that are not empty. */
  above: string[][];
  /** Of a CSV file: what stands between its cells. */
  separator?: string;
  /** Reads on as it is iterated; throws `TableError` where the file turns out to be broken. */
  rows: AsyncIterable<TableRow>;
}

/** How a file is read, where its content does not say so. */
export interface TableOptions {
  limits?: TableLimits;
  /** The names of columns among the cells of a row that can be the header; none for any other row. */
  knownNames?: (cells: readonly string[]) => readonly string[];
  /** Of a CSV file: a name that `TextDecoder` knows. */
  encoding?: string;
  /** Of an XLSX file: the name of the sheet. */
  sheet?: string;
  /** The line, of an XLSX file the row of the sheet, that is the header. */
  headerRow?: number;
  /** Of a JSON file: how its records become rows. */
  json?: JsonOptions;
}

/** How the records of a JSON file become rows. */
export interface JsonOptions {
  readonly columns: readonly { readonly field: string; readonly holds?: string }[];
  /** Where a record has the value of a column, through objects and lists; absent: under the column's field. */
  readonly paths?: Readonly<Record<string, string>>;
}

/** Most rows in which the header is looked for. */
export const HEADER_ROWS = 50;

/** Bounds on what is read, so that no file can exhaust the memory. */
export interface TableLimits {
  /** Most bytes of the file. */
  fileBytes: number;
  /** Most bytes of an XLSX file's sheets and texts after unpacking. */
  unpackedBytes: number;
  /** Most rows below the header. */
  rows: number;
  columns: number;
  /** Most cells of the rectangle that an XLSX sheet spans, empty ones included. */
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

/** Those of a command, which nobody else waits for: also a complete export can be read. */
export const COMMAND_LIMITS: TableLimits = {
  ...TABLE_LIMITS,
  fileBytes: 256 * 1024 * 1024,
  unpackedBytes: 256 * 1024 * 1024,
  rows: 1_048_575,
  cells: 16_000_000,
};

/**
 * The file cannot be read as a table. The message tells a user what is wrong and, where known, in which line.
 */
export class TableError extends Error {
  override readonly name = 'TableError';
}

/** Column 0 is A, 26 is AA. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

/** Says that something stood above the header, if it did. */
export function aboveHeader(lines: readonly number[]): string[] {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined) return [];
  return [
    first === last
      ? `Line ${first}, above the header, was not read`
      : `Lines ${first} to ${last}, above the header, were not read`,
  ];
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024)).toLocaleString('en')} MB`;
}

/** A row brought to the width of its header: missing cells are empty, surplus empty ones are dropped. */
export function fitToHeader(line: number, cells: string[], width: number): TableRow {
  if (cells.length > width && cells.slice(width).some((cell) => cell.trim() !== '')) {
    const fault = `has ${cells.length} cells, the header has ${width} (is a cell that contains the separator not in quotes?)`;
    return { line, cells: cells.slice(0, width), fault };
  }
  return { line, cells: Array.from({ length: width }, (_, index) => cells[index] ?? '') };
}

/** Column names without surrounding white space; empty columns at the right end are dropped. */
export function headerOf(cells: string[], limits: TableLimits): string[] {
  const header = cells.map((cell) => cell.trim());
  while (header.at(-1) === '') header.pop();
  if (header.length === 0) throw new TableError('The file has no header row with column names.');
  if (header.length > limits.columns) {
    throw new TableError(`The header has ${header.length} columns, more than ${limits.columns}.`);
  }
  return header;
}
