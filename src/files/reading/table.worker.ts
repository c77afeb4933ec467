import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openImportTable } from '../mapping/open-import-table';
import { TableError, type TableRow } from './table';
import type { TableMessage, TableRequest } from './table-messages';

/** Small, because the main thread reads a message without interruption. */
const ROWS_PER_MESSAGE = 500;

async function answer(port: MessagePort, { content, options }: TableRequest): Promise<void> {
  const send = (message: TableMessage) => port.postMessage(message);
  try {
    const { rows, ...table } = await openImportTable(Buffer.from(content), options);
    send({ table });
    let piece: TableRow[] = [];
    for await (const row of rows) {
      if (piece.push(row) < ROWS_PER_MESSAGE) continue;
      send({ rows: piece });
      piece = [];
    }
    send({ rows: piece });
    send({ isEnd: true });
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    send({ fault: error.reason });
  }
}

if (parentPort) void answer(parentPort, workerData as TableRequest);
