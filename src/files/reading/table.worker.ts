import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Reason } from '../import-report';
import { type ImportTableOptions, openImportTable } from './open-table';
import { type Table, TableError, type TableRow } from './table';

export interface TableRequest {
  readonly content: Uint8Array;
  readonly options: ImportTableOptions;
}

/** Messages in this order: the header, the rows in parts, then the end or a fault. */
export type TableMessage =
  | { readonly table: Omit<Table, 'rows'> }
  | { readonly rows: readonly TableRow[] }
  | { readonly isEnd: true }
  /** The file cannot be read. */
  | { readonly fault: Reason };

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
