import DataLoader from 'dataloader';

/** A row that is read by its id. */
export interface KeyedRow {
  id: string;
}

/** Most ids in one statement. */
const MAX_BATCH_SIZE = 100;

/**
 * Reads rows by id. All reads of one turn of the event loop share a statement. Nothing is cached.
 * @param readAll returns the existing rows with these ids, in any order
 */
export const batchLoader = <Row extends KeyedRow>(
  readAll: (ids: readonly string[]) => Promise<readonly Row[]>,
): DataLoader<string, Row | undefined> =>
  new DataLoader<string, Row | undefined>(
    async (ids) => {
      const rows = new Map((await readAll([...new Set(ids)])).map((row) => [row.id, row]));
      return ids.map((id) => rows.get(id));
    },
    { cache: false, maxBatchSize: MAX_BATCH_SIZE, batchScheduleFn: (send) => setImmediate(send) },
  );
