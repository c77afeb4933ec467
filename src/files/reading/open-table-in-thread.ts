import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { importText } from '../import.texts';
import { type ImportTableOptions, openImportTable } from './open-table';
import { type Table, TableError, type TableRow } from './table';
import type { TableMessage, TableRequest } from './table.worker';

/** Missing if the service runs from its TypeScript sources, as in tests. It then reads in its own thread. */
const COMPILED_WORKER = join(__dirname, 'table.worker.js');

/** A file that needs more time or memory is refused. */
const TIMEOUT_MS = 60_000;
const MAX_HEAP_MB = 768;

const tooDemanding = () => new TableError(importText('import.too-demanding'));

/**
 * Opens a table as `openImportTable` does, in a worker thread. Unpacking and parsing a large file takes seconds,
 * during which the service could answer no other request.
 * @throws TableError if the file cannot be read within the limits
 */
export function openTableInThread(content: Buffer, options: ImportTableOptions): Promise<Table> {
  if (!existsSync(COMPILED_WORKER)) return openImportTable(content, options);
  return new Promise((resolve, reject) => {
    const workerData: TableRequest = { content, options };
    const worker = new Worker(COMPILED_WORKER, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    let table: Omit<Table, 'rows'> | undefined;
    const rows: TableRow[] = [];
    const timer = setTimeout(() => end(() => reject(tooDemanding())), TIMEOUT_MS);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      void worker.terminate();
      settle();
    };
    worker.on('message', (message: TableMessage) => {
      if ('table' in message) ({ table } = message);
      else if ('rows' in message) for (const row of message.rows) rows.push(row);
      else if ('fault' in message) end(() => reject(new TableError(message.fault)));
      else end(() => resolve({ ...table!, rows: inOrder(rows) }));
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooDemanding() : error)),
    );
  });
}

// eslint-disable-next-line @typescript-eslint/require-await -- a Table is read asynchronously
async function* inOrder(rows: readonly TableRow[]): AsyncGenerator<TableRow> {
  yield* rows;
}
