import type { TransferParts, TransferPart } from '../../database/transfer/transfer-parts';
import type { Progress } from '../cli-io';

/** Says how far the reading of each table is. */
export async function* toldRows(parts: TransferParts, progress: Progress): AsyncGenerator<TransferPart> {
  let table = '';
  let rows = 0;
  for await (const part of parts) {
    if (part.kind === 'table') [table, rows] = [part.name, 0];
    if (part.kind === 'rows') progress.update(table, (rows += part.rows.length));
    yield part;
  }
}
