import { z } from 'zod';

/** Format 1 had checksums of rows. No released build wrote it. */
export const BACKUP_FORMAT = 2;

/** The first line of a backup file, and the head of a copy. */
export const backupHeadSchema = z.object({
  formulaBackup: z.literal(BACKUP_FORMAT),
  /** The backup contains every write that was acknowledged before this time (ISO 8601). */
  readAt: z.string(),
  /** Names of the migrations of the schema that the rows belong to, in the order in which they ran. */
  migrations: z.array(z.string()),
  /** Encrypted settings by name, as in the rows, so that a secret can be checked before anything is written. */
  encryptedSettings: z.record(z.string(), z.string()),
  /** The tables in the order in which their rows follow. */
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int().min(0) }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
});

export type BackupHead = z.infer<typeof backupHeadSchema>;

/** Some rows of one table, each as the text of a JSON object: columns by name, values in PostgreSQL's text form. */
export interface RowBatch {
  readonly table: string;
  readonly rows: readonly string[];
}

export interface Backup {
  readonly head: BackupHead;
  readonly batches: AsyncIterable<RowBatch>;
}

/** Most rows of a batch. A row has at most about a megabyte, because one request wrote it. */
export const BATCH_ROWS = 100;

/** Approximate number of characters of a batch. */
export const BATCH_CHARACTERS = 1_000_000;

/** Changes the rows of one table while they are passed on. */
export async function* mapRows(
  batches: AsyncIterable<RowBatch>,
  table: string,
  change: (row: Record<string, string | null>) => void,
): AsyncGenerator<RowBatch> {
  for await (const batch of batches) {
    if (batch.table !== table) yield batch;
    else {
      const rows = batch.rows.map((text) => {
        const row = JSON.parse(text) as Record<string, string | null>;
        change(row);
        return JSON.stringify(row);
      });
      yield { table, rows };
    }
  }
}
