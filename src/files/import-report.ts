import { inTurns } from '../platform/common/in-turns';
import { type Message, renderMessage } from '../platform/texts/define-texts';
import { shortened } from '../platform/texts/text';
import type { ImportAnswerDto } from './http/file.dto';
import { importText, listed } from './import.texts';

/** Why something is not imported, or what is worth knowing: a message, or a text of an extension. */
export type Reason = string | Message;

export const renderReason = (reason: Reason, language: string): string =>
  typeof reason === 'string' ? reason : renderMessage(reason, language);

/** A fault of a row, or of its cell for a field. */
export interface RowFault {
  field?: string;
  /** The name of the column that the field was read from. */
  column?: string;
  value?: string;
  reason: Reason;
}

/** A row that was not imported. */
export interface RefusedRow {
  line: number;
  faults: readonly RowFault[];
  /** True if the row itself has no fault, but another one of its record does. */
  isConsequence?: boolean;
}

/**
 * Renders all faults of a row in one text.
 * @param by names a cell by its field or by its column
 */
export const reasonOf = (
  { faults }: Pick<RefusedRow, 'faults'>,
  language: string,
  by: 'field' | 'column' = language === 'en' ? 'field' : 'column',
): string =>
  faults
    .map((fault) => {
      const reason = renderReason(fault.reason, language);
      return fault.column === undefined ? reason : `${fault[by]}: ${reason}`;
    })
    .join('; ');

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
  notes: Reason[];
  /** False for a dry run, and if refused rows prevented the import. */
  applied: boolean;
}

/** Most faults in an answer. */
const MOST_FAULTS = 200;

/** Longest value and reason of a fault, in characters: a cell may be as large as a file. */
const MAX_VALUE = 250;
const MAX_REASON = 1000;

/** A report, as endpoints and commands return it in JSON. */
type ImportAnswer = Omit<ImportAnswerDto, 'refusedRows'>;

/** @param columnOf returns the name of the column that a field is read from */
export function importAnswer(
  { applied, rows, created, updated, unchanged, replaced, refused, notes }: ImportReport,
  language: string,
  columnOf: (field: string) => string | undefined = () => undefined,
): ImportAnswer {
  const faults: (RowFault & { line: number })[] = [];
  for (const { line, faults: own, isConsequence } of refused) {
    if (faults.length >= MOST_FAULTS) break;
    if (!isConsequence) for (const fault of own) faults.push({ line, ...fault });
  }
  return {
    ...{ applied, rows, created, updated, unchanged },
    replaced: replaced.length,
    refused: refused.length,
    faults: faults.slice(0, MOST_FAULTS).map(({ line, field, column, value = null, reason }) => ({
      row: line,
      column: column ?? (field === undefined ? null : (columnOf(field) ?? field)),
      value: value === null ? null : shortened(value, MAX_VALUE),
      reason: shortened(renderReason(reason, language), MAX_REASON),
    })),
    notes: [...notes, ...replacedRows(replaced)].map((note) => renderReason(note, language)),
  };
}

/** Returns a note that lists the columns that were not read. */
export const ignoredColumns = (names: readonly string[]): Reason[] =>
  names.length > 0 ? [importText('import.ignored-columns', { names: names.join(', ') })] : [];

/** Returns a note that names the rows in whose place later ones count. */
function replacedRows(replaced: readonly ReplacedRow[]): Reason[] {
  const rows = replaced.map(({ line, replacedBy }) => `${line} → ${replacedBy}`);
  return rows.length > 0 ? [importText('import.replaced', { rows: listed(rows) })] : [];
}

/** Keeps only the last of the rows with the same key. */
export async function lastOfEachKey<Row extends { line: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  label: (row: Row) => string,
): Promise<{ kept: Row[]; replaced: ReplacedRow[] }> {
  const last = new Map<string, Row>();
  const keys = await inTurns(rows, keyOf);
  await inTurns(rows, (row, index) => void last.set(keys[index]!, row));
  const kept: Row[] = [];
  const replaced: ReplacedRow[] = [];
  await inTurns(rows, (row, index) => {
    const winner = last.get(keys[index]!)!;
    if (winner === row) kept.push(row);
    else replaced.push({ line: row.line, replacedBy: winner.line, key: label(row) });
  });
  return { kept, replaced };
}

/** Splits a list into parts of at most `size` items, in order. */
export function batches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
