import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../../platform/common/formula-escape';

export const FILE_FORMATS = ['json', 'csv', 'xlsx'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export type FileCell = string | number | null;
export type FileRows = readonly (readonly FileCell[])[];

/** The parts of a file, in order. */
export type Pieces = AsyncGenerator<string | Uint8Array>;

/** Without it, Excel reads a file in the encoding of the computer. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Yields a CSV file. */
export async function* csvPieces(columns: readonly string[], pages: AsyncIterable<FileRows>): Pieces {
  // The header is sent with the first rows: if reading fails before, the client gets an error answer.
  let header = BYTE_ORDER_MARK + csvText([columns]);
  for await (const rows of pages) {
    yield header + csvText(rows);
    header = '';
  }
  if (header) yield header;
}

/** Returns rows as lines of a CSV file. No text can become a formula in a spreadsheet program. */
export const csvText = (rows: FileRows): string =>
  stringify(
    rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell))),
    // The library itself quotes only a complete CRLF.
    { record_delimiter: '\r\n', quoted_match: /[\r\n]/ },
  );

/** Yields `{"data":[…]}`. */
export async function* jsonPieces(pages: AsyncIterable<readonly object[]>): Pieces {
  let separator = '{"data":[';
  for await (const records of pages) {
    if (records.length === 0) continue;
    yield separator + records.map((record) => JSON.stringify(record)).join(',');
    separator = ',';
  }
  yield separator === ',' ? ']}' : `${separator}]}`;
}
