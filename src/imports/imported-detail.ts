import type { FileReading, MatchDescription } from './file-import';
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
  /** Reads the cells of a row; no value where they say nothing. */
  readRow(cell: Cell, nameOf: Cell): { value?: Value; reasons: readonly string[]; remarks: readonly string[] };
  /** For each record of a batch, in the same order, how its row changes it. */
  changes(rows: readonly DetailRow<Value>[]): Promise<DetailChange<Value>[]>;
  /** Stores what `changes` returned, and the values of new records. */
  store(rows: readonly DetailRow<Value>[]): Promise<void>;
  /** Ways to find the records of rows, by their names. */
  readonly matches?: Readonly<Record<string, DetailMatch>>;
}

/** Finds the records of rows by a detail. */
export interface DetailMatch {
  /** The field of a draft that says which record the row is. */
  readonly key: string;
  /** For each text, in the same order, the ids of the records that it means. */
  find(texts: readonly string[]): Promise<string[][]>;
}

/** How files with the columns of details are read, too. */
export function withDetails<Draft>(
  reading: FileReading<Draft>,
  details: readonly ImportedDetail[],
): FileReading<Draft> {
  if (details.length === 0) return reading;
  return {
    ...reading,
    columns: [...reading.columns, ...details.flatMap(({ columns }) => columns)],
    readRow: (line, cell, nameOf = () => undefined) => {
      const row = reading.readRow(line, cell, nameOf);
      const read = details.map((detail) => ({ field: detail.field, ...detail.readRow(cell, nameOf) }));
      const reasons = [...row.reasons, ...read.flatMap((detail) => detail.reasons)];
      const remarks = [...(row.remarks ?? []), ...read.flatMap((detail) => detail.remarks)];
      if (reasons.length > 0 || !row.draft) return { reasons, remarks };
      const values = read.flatMap(({ field, value }) => (value === undefined ? [] : [[field, value]]));
      return { draft: { ...row.draft, ...Object.fromEntries(values) } as Draft, reasons, remarks };
    },
  };
}
