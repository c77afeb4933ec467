/** What a transfer begins with: whose rows follow. */
export interface TransferHead {
  readonly kind: 'head';
  /** Names of the migrations that the rows were written under, in the order in which they ran. */
  readonly migrations: readonly string[];
  /** When the rows were read (ISO 8601). */
  readonly readAt: string;
  /**
   * Sealed settings by name, as they are among the rows: a secret is tried on them before anything is
   * done.
   */
  readonly sealed: Readonly<Record<string, string>>;
}

export interface TransferTable {
  readonly kind: 'table';
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Rows of the table before them, each the text of a JSON array of its columns' texts, as PostgreSQL
 * writes it.
 */
export interface TransferRows {
  readonly kind: 'rows';
  readonly rows: readonly string[];
}

/**
 * The longest text of a row, in bytes. JavaScript's longest has 512 MB, and on its way to a database a row is
 * quoted once more.
 */
export const LONGEST_ROW_BYTES = 250_000_000;

/** Where the sequences stand: at or behind every number among the rows. */
export interface TransferSequences {
  readonly kind: 'sequences';
  readonly sequences: readonly SequenceState[];
}

export interface SequenceState {
  readonly name: string;
  /** A number of 64 bits. */
  readonly value: string;
  /** Whether the value has been given out. */
  readonly isCalled: boolean;
}

/** A head, each table with its rows, and the sequences, in this order. */
export type TransferPart = TransferHead | TransferTable | TransferRows | TransferSequences;

export type TransferParts = AsyncIterable<TransferPart>;

export type RowValues = (string | null)[];

/** The rows of one table, changed on their way. */
export async function* withChangedRows(
  parts: TransferParts,
  table: string,
  change: (values: RowValues, columns: readonly string[]) => RowValues,
): AsyncGenerator<TransferPart> {
  let columns: readonly string[] | undefined;
  for await (const part of parts) {
    if (part.kind === 'table') columns = part.name === table ? part.columns : undefined;
    if (part.kind !== 'rows' || !columns) yield part;
    else {
      const [names, { rows }] = [columns, part];
      yield {
        kind: 'rows',
        rows: rows.map((row) => JSON.stringify(change(JSON.parse(row) as RowValues, names))),
      };
    }
  }
}
