import { z } from 'zod';

/** The first format had checksums of rows; no build that was released wrote it. */
export const BACKUP_FORMAT = 2;

/** The first line of a backup file, and what a copy begins with. */
export const backupHeadSchema = z.object({
  formulaBackup: z.literal(BACKUP_FORMAT),
  /** Everything that was acknowledged before this moment (ISO 8601) is in the backup. */
  readAt: z.string(),
  /** Names of the migrations that the rows were written under, in the order in which they ran. */
  migrations: z.array(z.string()),
  /** Encrypted settings by name, as in the rows: a secret is tried on them before anything is written. */
  encryptedSettings: z.record(z.string(), z.string()),
  /** The tables in the order in which their rows follow. */
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int().min(0) }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
});

export type BackupHead = z.infer<typeof backupHeadSchema>;

/** Some rows of one table, each as the text of a JSON object: columns by name, values as PostgreSQL's text. */
export interface RowBatch {
  readonly table: string;
  readonly rows: readonly string[];
}

export interface Backup {
  readonly head: BackupHead;
  readonly batches: AsyncIterable<RowBatch>;
}

/** Rows of a batch at most. A row has at most about a megabyte: one request wrote it. */
export const BATCH_ROWS = 100;

/** Characters of a batch, about. */
export const BATCH_CHARACTERS = 1_000_000;

/** Changes the rows of one table on their way. */
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
