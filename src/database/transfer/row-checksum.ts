import { hash } from 'node:crypto';

/**
 * How many rows, and a number that depends on all of them but not on their order. It is the same from here
 * and from the database: of each row's text the first 64 bits of its MD5, added up. Against accidents, not
 * against forgers.
 */
export interface RowsSum {
  readonly rows: number;
  readonly checksum: string;
}

export class RowChecksum {
  private rows = 0;
  private sum = 0n;

  add(rows: readonly string[]): void {
    this.rows += rows.length;
    for (const row of rows) this.sum += hash('md5', row, 'buffer').readBigInt64BE(0);
  }

  get result(): RowsSum {
    return { rows: this.rows, checksum: String(this.sum) };
  }
}

/** @param rows a query whose one column, `row`, is a row's text */
export const rowsSumOf = (rows: string): string => `
  SELECT count(*)::text AS rows,
         coalesce(sum(('x' || left(md5(row), 16))::bit(64)::bigint), 0)::text AS checksum
    FROM (${rows}) AS summed`;
