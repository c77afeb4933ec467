import { SetMetadata, type Type } from '@nestjs/common';
import type { ImportColumn } from './import-column';
import type { ImportDraft } from './plan-import';
import type { ImportReport } from './import-report';
import type { Cell } from './read-fields';
import type { ImportOptions } from './run-import';

export interface RowReading<Draft> {
  draft?: Draft;
  /** Why the row is refused, when there is no draft. */
  reasons: readonly string[];
  /** Things about the row that do not keep it out; the report counts equal ones of all rows. */
  remarks?: readonly string[];
}

/** What the command line knows of an import before the service is opened. */
export interface FileImportDescription<Draft = ImportDraft> {
  /** The command that has `import`, and `export`, below it. */
  command: string;
  /** What the command, its `import` with its file, and its `export` say of themselves in the help. */
  help: { command: string; import: string; file?: string; export?: string };
  /** The records, in the plural: `ingredients`. */
  records: string;
  /** What they are in: `the catalogue`. */
  store: string;
  columns: readonly ImportColumn[];
  /** Names of the columns that an export writes; without it there is none. */
  exported?: readonly string[];
  /** What an import tells records apart by, and how a report names it: an export says which ones share it. */
  keyOf?: (record: Record<string, unknown>) => { key: string; label: string };
  /** @param nameOf the name of the column that a field's cell is in */
  readRow: (line: number, cell: Cell, nameOf?: Cell) => RowReading<Draft>;
  /** New records belong to a user, whom the command line names. */
  owned?: boolean;
}

export interface ImportRequest<Draft = ImportDraft> extends ImportOptions {
  /** Valid rows, in the order of the file. */
  drafts: readonly Draft[];
  /** What the report is to say besides. */
  notes?: readonly string[];
  /** Id of the user whom new records belong to, where the description says `owned`. */
  createdBy?: string;
}

/** Rows of a file in and out of the service. The command line finds it among the modules' providers. */
export abstract class FileImport<Draft = ImportDraft> {
  abstract import(request: ImportRequest<Draft>): Promise<ImportReport>;

  /**
   * All records as they were at one moment, some at a time, with the values of the columns. `take` is waited
   * for.
   */
  export?(take: (records: Record<string, unknown>[]) => Promise<void>): Promise<void>;
}

const DESCRIPTION = Symbol('file import');

/** Describes a `FileImport` to the command line. */
export const ImportsFiles = <Draft>(description: FileImportDescription<Draft>) =>
  SetMetadata(DESCRIPTION, description);

/** Undefined for a class that imports no files. */
export const fileImportOf = (type: Type): FileImportDescription | undefined =>
  Reflect.getMetadata(DESCRIPTION, type) as FileImportDescription | undefined;
