/** A row that was not imported, with the reason. */
export interface RefusedRow {
  line: number;
  reason: string;
  /** The same faults by cell, if they are known. */
  faults?: readonly CellFault[];
  /** True if the row itself has no fault, but another one of its record does. */
  isConsequence?: boolean;
}

/** A fault in a cell, or in a row without a column. */
export interface CellFault {
  /** The name of the column in the file. */
  column?: string;
  /** The field of the column, if its name is not known. */
  field?: string;
  value?: string;
  reason: string;
}

/** A row that is replaced by a later row of the same file with the same key. */
export interface ReplacedRow {
  line: number;
  replacedBy: number;
  /** The common key of the two rows, as shown in the report. */
  key: string;
}

/** The result of an import, or of a dry run. */
export interface ImportReport {
  /** Number of rows below the header. */
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  /** All lists are ordered by line. */
  replaced: ReplacedRow[];
  refused: RefusedRow[];
  /** Remarks that refused no row. */
  notes: string[];
  /** False for a dry run, and if refused rows prevented the import. */
  applied: boolean;
}

/** Keeps only the last of the rows with the same key. */
export function lastOfEachKey<Row extends { line: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  label: (row: Row) => string,
): { kept: Row[]; replaced: ReplacedRow[] } {
  const last = new Map<string, Row>();
  for (const row of rows) last.set(keyOf(row), row);
  const kept: Row[] = [];
  const replaced: ReplacedRow[] = [];
  for (const row of rows) {
    const winner = last.get(keyOf(row)) ?? row;
    if (winner === row) kept.push(row);
    else replaced.push({ line: row.line, replacedBy: winner.line, key: label(row) });
  }
  return { kept, replaced };
}

/** Splits a list into parts of at most `size` items, in order. */
export function batches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

const MOST_NAMED = 10;

/** Joins a list. Of a long list, only the first ten items are listed. */
export function shortened(items: readonly (string | number)[], separator = ', '): string {
  const named = items.slice(0, MOST_NAMED).join(separator);
  return items.length > MOST_NAMED ? `${named} and ${items.length - MOST_NAMED} more` : named;
}
