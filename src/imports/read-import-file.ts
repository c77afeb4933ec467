import type { FileReading, ImportDraft } from './file-import';
import type { RefusedRow } from './import-report';
import type { ColumnChoice } from './mapping/column-mapping';
import { readRows, type ReadOptions } from './mapping/read-rows';
import type { TableLimits } from './reading/table';

/** Most different remarks on rows that a report has. */
const MAX_REMARKS = 200;

/** How a file is read, where its content does not say so. */
export interface ImportFileOptions {
  /** Fields of columns that the user chose. */
  choices?: readonly ColumnChoice[];
  /** Of a CSV file: a name that `TextDecoder` knows. */
  encoding?: string;
  /** Of an XLSX file: the name of the sheet. */
  sheet?: string;
  /** The line, of an XLSX file the row of the sheet, that is the header. */
  headerRow?: number;
  /** Most rows below the header; absent: as many as any file may have. */
  maxRows?: number;
  /** Absent: those of a file in a request. */
  limits?: TableLimits;
}

export interface ImportFileReading<Draft = ImportDraft> {
  /** Rows below the header. */
  rows: number;
  drafts: Draft[];
  refused: RefusedRow[];
  /** What the report says of the file. */
  notes: string[];
  /** Cells of the rows above the header that are not empty. */
  above: string[][];
  /** Columns that fill no field. */
  ignored: string[];
  /** Names of all columns. */
  header: readonly string[];
  /** The cells of rows by their lines, as the file has them. */
  cells: ReadonlyMap<number, readonly string[]>;
}

/**
 * Reads the rows of a CSV, XLSX or JSON file. Pass the result to `FileImport.import`.
 * @throws TableError when the file cannot be read, ColumnChoiceError for a choice that makes no sense
 */
export async function readImportFile<Draft = ImportDraft>(
  content: Buffer,
  { columns, notes: noteRows, readRow, jsonPaths }: FileReading<Draft>,
  options: ImportFileOptions & Pick<ReadOptions, 'open'> = {},
): Promise<ImportFileReading<Draft>> {
  const drafts: Draft[] = [];
  const remarks = new Map<string, number>();
  const { notes, ...read } = await readRows(
    content,
    columns,
    { ...options, noteRows, jsonPaths },
    (line, cell, nameOf) => {
      const reading = readRow(line, cell, nameOf);
      if (reading.draft) drafts.push(reading.draft);
      for (const remark of reading.remarks ?? []) remarks.set(remark, (remarks.get(remark) ?? 0) + 1);
      return reading.reasons;
    },
  );
  const counted = [...remarks].map(
    ([remark, count]) => `${remark} (${count} ${count === 1 ? 'row' : 'rows'})`,
  );
  const more = counted.length - MAX_REMARKS;
  const shown = [...notes, ...counted.slice(0, MAX_REMARKS)];
  return { ...read, drafts, notes: more > 0 ? [...shown, `and ${more} more notes on rows`] : shown };
}
