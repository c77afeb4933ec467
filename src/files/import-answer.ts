import { shortened } from '../platform/texts/text';
import {
  type ImportReport,
  type RefusedRow,
  type ReplacedRow,
  shortened as shortenedList,
} from './import-report';

/** Most faults in an answer. */
const MOST_FAULTS = 200;

/** Longest value and reason of a fault, in characters: a cell may be as large as a file. */
const MAX_VALUE = 250;
const MAX_REASON = 1000;

/** A fault in a cell of a file, or in a row without a column. */
export interface ImportFault {
  row: number;
  column: string | null;
  value: string | null;
  reason: string;
}

/** A report, as endpoints and commands return it in JSON. */
export interface ImportAnswer {
  applied: boolean;
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  replaced: number;
  refused: number;
  faults: ImportFault[];
  notes: string[];
}

/** @param columnOf returns the name of the column that a field is read from */
export const importAnswer = (
  { applied, rows, created, updated, unchanged, replaced, refused, notes }: ImportReport,
  columnOf: (field: string) => string | undefined = () => undefined,
): ImportAnswer => ({
  ...{ applied, rows, created, updated, unchanged },
  replaced: replaced.length,
  refused: refused.length,
  faults: refused
    .filter(({ isConsequence }) => !isConsequence)
    .slice(0, MOST_FAULTS)
    .flatMap((row) => faultsOf(row, columnOf))
    .slice(0, MOST_FAULTS),
  notes,
});

const faultsOf = (
  { line, reason, faults = [{ reason }] }: RefusedRow,
  columnOf: (field: string) => string | undefined,
): ImportFault[] =>
  faults.map(({ column, field, value = null, reason: fault }) => ({
    row: line,
    column: column ?? (field === undefined ? null : (columnOf(field) ?? field)),
    value: value === null ? null : shortened(value, MAX_VALUE),
    reason: shortened(fault, MAX_REASON),
  }));

/** Returns a note that lists the columns that were not read. */
export const ignoredColumns = (names: readonly string[]): string[] =>
  names.length > 0 ? [`Columns without a field, not read: ${names.join(', ')}`] : [];

/** Returns a note that names the rows in whose place later ones count. */
export const replacedRows = (replaced: readonly ReplacedRow[]): string[] => {
  const rows = replaced.map(({ line, replacedBy }) => `${line} → ${replacedBy}`);
  return rows.length > 0
    ? [`Rows in whose place a later one of the same record counts: ${shortenedList(rows)}`]
    : [];
};
