/** A row that was not taken, and why. */
export interface RefusedRow {
  line: number;
  reason: string;
  /** The same by cell, where the row was refused while it was read. */
  faults?: readonly CellFault[];
}

/** What is wrong with a cell, or with a row as such. */
export interface CellFault {
  /** As the file calls it. */
  column?: string;
  value?: string;
  reason: string;
}

/** A row that a later row of the same file with the same key takes the place of. */
export interface ReplacedRow {
  line: number;
  replacedBy: number;
  /** What the two rows have in common, for the reader of the report. */
  key: string;
}

/** What an import did or, when nothing was written, would have done. */
export interface ImportReport {
  /** Rows below the header. */
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  /** In the order of their lines, as are the others. */
  replaced: ReplacedRow[];
  refused: RefusedRow[];
  /** Things worth knowing that kept no row out. */
  notes: string[];
  /** False for a dry run, and when refused rows kept the whole file out. */
  applied: boolean;
}

/** Of rows with the same key only the last counts. */
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

/** Pieces of a list of at most `size` items, in order. */
export function batches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

const MOST_NAMED = 10;

/** A list of which the first ten are named. */
export function shortened(items: readonly (string | number)[], separator = ', '): string {
  const named = items.slice(0, MOST_NAMED).join(separator);
  return items.length > MOST_NAMED ? `${named} and ${items.length - MOST_NAMED} more` : named;
}
