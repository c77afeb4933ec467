import { openTable } from '../reading/open-table';
import { type Table, TABLE_LIMITS } from '../reading/table';
import { type ColumnChoice, knownNames } from './column-mapping';
import type { ImportColumn } from './file-column';

/** How the table in a file is found. Plain data, which a thread can be given. */
export interface ImportTableOptions {
  readonly columns: readonly ImportColumn[];
  readonly choices: readonly ColumnChoice[];
  readonly encoding?: string;
  readonly sheet?: string;
  readonly headerRow?: number;
  /** Most rows below the header. */
  readonly maxRows?: number;
}

/**
 * Opens a CSV or XLSX file whose header has names of the columns.
 * @throws TableError when it cannot be read as a table within the limits
 */
export function openImportTable(
  content: Buffer,
  { columns, choices, encoding, sheet, headerRow, maxRows = TABLE_LIMITS.rows }: ImportTableOptions,
): Promise<Table> {
  return openTable(content, {
    encoding,
    sheet,
    headerRow,
    limits: { ...TABLE_LIMITS, rows: maxRows },
    knownNames: (cells) => knownNames(cells, columns, choices),
  });
}
