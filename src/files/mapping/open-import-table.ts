import { openTable } from '../reading/open-table';
import { type Table, TABLE_LIMITS, type TableLimits } from '../reading/table';
import { type ColumnChoice, knownNames } from './column-mapping';
import type { ImportColumn } from './file-column';

/** How the table in a file is found. Plain data, so that it can be sent to a worker thread. */
export interface ImportTableOptions {
  readonly columns: readonly ImportColumn[];
  readonly choices: readonly ColumnChoice[];
  readonly encoding?: string;
  readonly sheet?: string;
  readonly headerRow?: number;
  /** Most rows below the header. */
  readonly maxRows?: number;
  readonly limits?: TableLimits;
  /** Paths of the columns' values in records of a JSON file. */
  readonly jsonPaths?: Readonly<Record<string, string>>;
}

/**
 * Opens a CSV or XLSX file whose header contains names of the columns, or a JSON file of such records.
 * @throws TableError if it cannot be read as a table within the limits
 */
export function openImportTable(
  content: Buffer,
  {
    columns,
    choices,
    limits = TABLE_LIMITS,
    maxRows = limits.rows,
    jsonPaths,
    ...options
  }: ImportTableOptions,
): Promise<Table> {
  return openTable(content, {
    ...options,
    limits: { ...limits, rows: maxRows },
    knownNames: (cells) => knownNames(cells, columns, choices),
    json: { columns, paths: jsonPaths },
  });
}
