import DataLoader from 'dataloader';

/** A row read by its id. */
export interface KeyedRow {
  id: string;
}

/** Most ids in one statement. */
const MAX_BATCH_SIZE = 100;

/**
 * Reads rows by id, those of one turn of the event loop in one statement. Nothing is cached.
 * @param readAll the rows with these ids, those that exist, in any order
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
