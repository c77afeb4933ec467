import type { FileReading } from './file-import';
import type { ImportColumn } from './mapping/file-column';
import type { Cell } from './mapping/read-fields';

/** The value of a detail that a row gives to a record. */
export interface DetailRow<Value> {
  readonly id: string;
  readonly value: Value;
}

/** How a row changes a record's detail. */
export interface DetailChange<Value> {
  /** What `store` is to store; absent where the record has it already. */
  readonly value?: Value;
  /** Why the row is refused. */
  readonly refusal?: string;
}

/**
 * Columns of import files whose values another module stores beside the records, in the transaction of the import.
 * The module adds it with `EntityImport.addDetail` when it starts.
 */
export interface ImportedDetail<Value = unknown> {
  /** The field that drafts have, and that events name as changed. */
  readonly field: string;
  readonly columns: readonly ImportColumn[];
  /** Reads the cells of a row: `field`, and `finds`, are absent from the values where they say nothing. */
  readRow(cell: Cell, nameOf: Cell): DetailReading;
  /** For each record of a batch, in the same order, how its row changes it. */
  changes(rows: readonly DetailRow<Value>[]): Promise<DetailChange<Value>[]>;
  /** Stores what `changes` returned, and the values of new records. */
  store(rows: readonly DetailRow<Value>[]): Promise<void>;
  /** For each record, in the same order, the values that an export has of it, by the fields of the columns. */
  exported(ids: readonly string[]): Promise<Record<string, unknown>[]>;
  /** One of these values as a cell that `readRow` reads back. */
  cellOf(value: unknown): string;
  /** A field of drafts by which `find` finds records. */
  readonly finds?: string;
  /** For each text of that field, in the same order, the ids of the records that it means. */
  find?(texts: readonly string[]): Promise<string[][]>;
}

interface DetailReading {
  readonly values: Readonly<Record<string, unknown>>;
  readonly reasons: readonly string[];
  readonly remarks: readonly string[];
}

/**
 * How files with the columns of details are read, too.
 * @param key the field that says which record a row is, where a detail finds it
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
      if (key !== undefined && values[key] === undefined) reasons.push(`${key}: is empty`);
      if (reasons.length > 0 || !row.draft) return { reasons, remarks };
      return { draft: { ...row.draft, ...values }, reasons, remarks };
    },
  };
}
