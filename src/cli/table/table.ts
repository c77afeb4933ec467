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
}

export interface Table {
  /** Column names as written, without surrounding white space. */
  header: string[];
  /** Reads on as it is iterated; throws `TableError` where the file turns out to be broken. */
  rows: AsyncIterable<TableRow>;
}

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

/**
 * The file cannot be read as a table. The message tells a user what is wrong and, where known, in which line.
 */
export class TableError extends Error {
  override readonly name = 'TableError';
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
