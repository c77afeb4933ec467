import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { importText } from '../import.texts';
import { type ColumnChoice, knownNames } from '../mapping/column-mapping';
import type { ImportColumn } from '../mapping/file-column';
import { csvTable } from './csv-table';
import { isJson, jsonTable } from './json-table';
import {
  type FileOptions,
  megabytes,
  TABLE_LIMITS,
  TableError,
  type Table,
  type TableLimits,
  type TableOptions,
} from './table';
import { xlsxTable } from './xlsx-table';

const CHUNK_BYTES = 1024 * 1024;
const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const OLD_OFFICE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

const FILE_FAULTS = new Map([
  ['ENOENT', 'There is no such file.'],
  ['EISDIR', 'This is a directory, not a file.'],
  ['EACCES', 'The file may not be read: permission denied.'],
  ['EPERM', 'The file may not be read: permission denied.'],
]);

/**
 * Opens a CSV, XLSX or JSON file. The content determines the format, not the file name.
 * @throws TableError if it cannot be read as a table within the limits
 */
export async function openTable(content: Buffer, options: TableOptions = {}): Promise<Table> {
  const { encoding, sheet } = options;
  if (content.length === 0) throw new TableError(importText('import.empty-file'));
  if (content.subarray(0, ZIP.length).equals(ZIP)) {
    if (encoding !== undefined) throw new TableError(importText('import.workbook-encoding'));
    return xlsxTable(content, options);
  }
  if (content.subarray(0, OLD_OFFICE.length).equals(OLD_OFFICE)) {
    throw new TableError(importText('import.old-workbook'));
  }
  if (options.json && isJson(content)) {
    if (sheet !== undefined || options.headerRow !== undefined) {
      throw new TableError(importText('import.json-sheet'));
    }
    return jsonTable(content, options.json, options.limits ?? TABLE_LIMITS);
  }
  if (sheet !== undefined) throw new TableError(importText('import.no-sheet-in-file'));
  return csvTable(content, options);
}

/** How the table in a file is found. Plain data, so that it can be sent to a worker thread. */
export interface ImportTableOptions extends FileOptions {
  columns: readonly ImportColumn[];
  /** Fields of columns that the user chose. */
  choices: readonly ColumnChoice[];
  /** Most rows below the header; absent: the limit of all files. */
  maxRows?: number;
  /** Paths of the columns' values in records of a JSON file. */
  jsonPaths?: Readonly<Record<string, string>>;
}

/**
 * Opens a CSV or XLSX file whose header contains names of the columns, or a JSON file of such records.
 * @throws TableError if it cannot be read as a table within the limits
 */
export function openImportTable(
  content: Buffer,
  { columns, choices, jsonPaths, limits = TABLE_LIMITS, maxRows, ...options }: ImportTableOptions,
): Promise<Table> {
  return openTable(content, {
    ...options,
    limits: { ...limits, rows: maxRows ?? limits.rows },
    knownNames: (cells) => knownNames(cells, columns, choices),
    json: { columns, paths: jsonPaths },
  });
}

/** @throws TableError if there is no such file, or it is larger than the limits allow */
export async function readFileContent(
  source: string | Readable,
  { fileBytes }: Pick<TableLimits, 'fileBytes'> = TABLE_LIMITS,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  try {
    // The size of a pipe or of a growing file is unknown, so the received bytes are counted.
    const chunksRead: AsyncIterable<Buffer> =
      typeof source === 'string' ? createReadStream(source, { highWaterMark: CHUNK_BYTES }) : source;
    for await (const chunk of chunksRead) {
      total += chunk.length;
      if (total > fileBytes) {
        throw new TableError(importText('import.too-large', { size: megabytes(fileBytes) }));
      }
      chunks.push(chunk);
    }
  } catch (error) {
    const fault = FILE_FAULTS.get((error as NodeJS.ErrnoException).code ?? '');
    throw fault === undefined ? error : new TableError(fault);
  }
  return Buffer.concat(chunks);
}
