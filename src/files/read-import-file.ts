import type { FileReading, ImportDraft } from './file-import';
import type { RefusedRow } from './import-report';
import type { ColumnChoice } from './mapping/column-mapping';
import { readRows, type ReadOptions } from './mapping/read-rows';
import type { TableLimits } from './reading/table';

/** Most different remarks on rows in a report. */
const MAX_REMARKS = 200;

/** How a file is read, if its content does not determine it. */
export interface ImportFileOptions {
  /** Fields of columns that the user chose. */
  choices?: readonly ColumnChoice[];
  /** Encoding of a CSV file: a name that `TextDecoder` accepts. */
  encoding?: string;
  /** Name of the sheet of an XLSX file. */
  sheet?: string;
  /** Number of the header's line, or of its row in an XLSX sheet. */
  headerRow?: number;
  /** Most rows below the header; absent: the limit of all files. */
  maxRows?: number;
  /** Absent: the limits of a file in a request. */
  limits?: TableLimits;
}

export interface ImportFileReading<Draft = ImportDraft> {
  /** Number of rows below the header. */
  rows: number;
  drafts: Draft[];
  refused: RefusedRow[];
  /** Notes on the file for the report. */
  notes: string[];
  /** Cells of the rows above the header that are not empty. */
  above: string[][];
  /** Columns that fill no field. */
  ignored: string[];
  /** Names of all columns. */
  header: readonly string[];
  /** The cells of rows by line, as in the file. */
  cells: ReadonlyMap<number, readonly string[]>;
  /** Returns the name of the column that a field is read from. */
  columnOf: (field: string) => string | undefined;
}

/**
 * Reads the rows of a CSV, XLSX or JSON file. Pass the result to `FileImport.import`.
 * @throws TableError if the file cannot be read, ColumnChoiceError for an invalid choice
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
