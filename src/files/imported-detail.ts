import type { FileReading } from './file-import';
import type { ImportColumn } from './mapping/file-column';
import type { Cell } from './mapping/read-fields';

/** The value of a detail in the row of a record. */
export interface DetailRow<Value> {
  readonly id: string;
  readonly value: Value;
}

/** The change of a record's detail by a row. */
export interface DetailChange<Value> {
  /** The value for `store`; absent if the record has it already. */
  readonly value?: Value;
  /** Why the row is refused. */
  readonly refusal?: string;
}

/**
 * Columns of import files whose values another module stores beside the records, in the transaction of the import.
 * The module adds it with `EntityImport.addDetail` when it starts.
 */
export interface ImportedDetail<Value = unknown> {
  /** The field in drafts, and in the changed fields of events. */
  readonly field: string;
  readonly columns: readonly ImportColumn[];
  /** Reads the cells of a row. `field` and `finds` are absent from the values if the cells are empty. */
  readRow(cell: Cell, nameOf: Cell): DetailReading;
  /** Returns for each record of a batch, in the same order, the change by its row. */
  changes(rows: readonly DetailRow<Value>[]): Promise<DetailChange<Value>[]>;
  /** Stores the result of `changes`, and the values of new records. */
  store(rows: readonly DetailRow<Value>[]): Promise<void>;
  /** Returns the exported values of each record, in the same order, by the fields of the columns. */
  exported(ids: readonly string[]): Promise<Record<string, unknown>[]>;
  /** Formats one of these values as a cell that `readRow` can read. */
  cellOf(value: unknown): string;
  /** A field of drafts by which `find` finds records. */
  readonly finds?: string;
  /** Returns for each text of that field, in the same order, the ids of the matching records. */
  find?(texts: readonly string[]): Promise<string[][]>;
}

interface DetailReading {
  readonly values: Readonly<Record<string, unknown>>;
  readonly reasons: readonly string[];
  readonly remarks: readonly string[];
}

/**
 * Extends the reading of a file by the columns of details.
 * @param key the field that identifies the record of a row, if a detail finds it
 */
export function withDetails<Draft>(
  reading: FileReading<Draft>,
  details: readonly ImportedDetail<never>[],
  key?: string,
): FileReading<Draft> {
  if (details.length === 0) return reading;
  const columns = details.flatMap((detail) => detail.columns);
  return {
    ...reading,
    columns: [
      ...reading.columns,
      ...columns.map((column) => (column.field === key ? { ...column, required: true } : column)),
    ],
    readRow: (line, cell, nameOf = () => undefined) => {
      const row = reading.readRow(line, cell, nameOf);
      const read = details.map((detail) => detail.readRow(cell, nameOf));
      const values = Object.fromEntries(read.flatMap((detail) => Object.entries(detail.values)));
      const reasons = [...row.reasons, ...read.flatMap((detail) => detail.reasons)];
      const remarks = [...(row.remarks ?? []), ...read.flatMap((detail) => detail.remarks)];
      if (key !== undefined && values[key] === undefined) {
        const written = cell(key)?.trim();
        reasons.push(`${key}: ${written ? `"${written}" is no CAS number` : 'is empty'}`);
      }
      if (reasons.length > 0 || !row.draft) return { reasons, remarks };
      return { draft: { ...row.draft, ...values }, reasons, remarks };
    },
  };
}
