import type { RowFilter } from '../../platform/access/row-filter';
import type { ExportFilter, FileImport, FileImportDescription } from '../file-import';
import {
  type FileCell,
  csvPieces,
  type FileFormat,
  jsonPieces,
  type Pieces,
  type FileRows,
} from './file-pieces';
import { workbookPieces } from './workbook-pieces';

/**
 * Yields a file of all records that the user may read, written while they are read.
 * @param onRecords called with each page of records, except for a JSON file with a format of its own
 */
export function exportPieces(
  source: Pick<FileImport, 'records' | 'json'>,
  { exported, cellsOf = (record) => record }: Pick<FileImportDescription, 'exported' | 'cellsOf'>,
  format: FileFormat,
  filter: RowFilter,
  query: ExportFilter = {},
  onRecords?: (records: readonly Record<string, unknown>[]) => void,
): Pieces {
  if (format === 'json' && source.json) return source.json(filter, query);
  const records = noted(source.records(filter, query), onRecords);
  if (format === 'json') return jsonPieces(records);
  const rows = rowsOf(records, (record) => {
    const cells = cellsOf(record);
    return exported.map((name) => cells[name] as FileCell);
  });
  return format === 'csv' ? csvPieces(exported, rows) : workbookPieces(exported, rows);
}

type Records = Record<string, unknown>[];

async function* noted(pages: AsyncIterable<Records>, onRecords?: (records: Records) => void) {
  for await (const records of pages) {
    onRecords?.(records);
    yield records;
  }
}

async function* rowsOf(
  pages: AsyncIterable<Records>,
  cells: (record: Record<string, unknown>) => FileCell[],
): AsyncGenerator<FileRows> {
  for await (const records of pages) yield records.map(cells);
}
