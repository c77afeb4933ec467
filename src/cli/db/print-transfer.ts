import type { TransferReport } from '../../database/transfer/database-writer';
import { type CliIo, number } from '../cli-io';

/** One line for each table: its rows, and the checksum that both sides have. */
export function printTransfer(io: CliIo, report: TransferReport): void {
  let all = 0;
  for (const [table, { rows, checksum }] of report) {
    io.print(`${table}\t${rows}\t${checksum}`);
    all += rows;
  }
  io.tell(`${number(all)} rows of ${report.size} tables, each with the count and checksum that was read`);
}
