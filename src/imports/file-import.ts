import { SetMetadata, type Type } from '@nestjs/common';
import type { RowFilter } from '../access/row-filter';
import type { CurrentUser } from '../common/current-user';
import type { ImportReport, RefusedRow } from './import-report';
import type { ImportColumn } from './mapping/file-column';
import type { Cell } from './mapping/read-fields';
import type { Pieces } from './writing/file-pieces';

/** A valid row: its line, and its values by field. An absent value says nothing about the field. */
export interface ImportDraft {
  line: number;
  [field: string]: unknown;
}

export interface RowReading<Draft = ImportDraft> {
  draft?: Draft;
  /** Why the row is refused, when there is no draft. */
  reasons: readonly string[];
  /** Things about the row that do not keep it out; the report counts equal ones of all rows. */
  remarks?: readonly string[];
}

/** How rows of a file are read. */
export interface FileReading<Draft = ImportDraft> {
  columns: readonly ImportColumn[];
  /** A row with nothing but such a text in a cell is a note: it is no record, and the report has it. */
  notes?: RegExp;
  /**
   * Where a record of a JSON file has the values of the columns, by their fields: `versions.phases.name`, through
   * lists. Absent: under the fields.
   */
  jsonPaths?: Readonly<Record<string, string>>;
  /** @param nameOf the name of the column that a field's cell is in */
  readRow: (line: number, cell: Cell, nameOf?: Cell) => RowReading<Draft>;
}

/** What a file of a resource looks like. It is known before the service is opened. */
export interface FileImportDescription<Draft = ImportDraft> extends FileReading<Draft> {
  /** The command that has `import`, and `export`, below it. */
  command: string;
  /** What the command, its `import` with its file, and its `export` say of themselves in the help. */
  help: { command: string; import: string; file?: string; export?: string };
  /** The records, in the plural: `ingredients`. */
  records: string;
  /** What they are in: `the catalogue`. */
  store: string;
  /** Names of the columns that an export writes; without it there is none. */
  exported?: readonly string[];
  /** The cells of an exported record by column, where they are not its fields of the same names. */
  cellsOf?: (record: Record<string, unknown>) => Record<string, unknown>;
  /** What an import tells records apart by, and how a report names it: an export says which ones share it. */
  keyOf?: (record: Record<string, unknown>) => { key: string; label: string };
  /** Other ways to find the record of a row, by their names. */
  matches?: Readonly<Record<string, MatchDescription<Draft>>>;
  /** New records belong to a user. */
  owned?: boolean;
  /** An export may have all versions of the records, or only those of one project. */
  versioned?: boolean;
  /** What a file looks like whose rows do not name their one record. */
  named?: (name: string) => FileReading<Draft>;
  /** What an import can create where rows refer to it and it is missing: `ingredients`. */
  creates?: string;
}

/** Another way to find the record of a row: by which fields, and what a file for it looks like. */
export interface MatchDescription<Draft = ImportDraft> extends FileReading<Draft> {
  key: readonly [string, ...string[]];
}

/** What the user of a request may do with an import. */
export interface ImportAccess {
  /** Rows match only what the user may read. */
  filter: RowFilter;
  /** Why a record may not be created with these values, or changed by them; undefined where it may. */
  refusal: (values: Record<string, unknown>, record?: MatchedRecord) => Promise<string | undefined>;
}

/** A record that a row matches; of records with an owner the owner. */
export interface MatchedRecord {
  id: string;
  createdBy?: string;
}

export interface ImportRequest<Draft = ImportDraft> {
  /** Valid rows, in the order of the file. */
  drafts: readonly Draft[];
  /** Rows that were refused while they were read. */
  refused?: readonly RefusedRow[];
  /** What the report also says. */
  notes?: readonly string[];
  /** Only report what would be done. */
  dryRun?: boolean;
  /** Import the other rows although some are refused; otherwise one refused row keeps the complete file out. */
  skipRefused?: boolean;
  /** Id of the user whom new records belong to, where the description says `owned`. */
  createdBy?: string;
  /** By which fields a row finds its record, where not by those of the rules. */
  key?: readonly [string, ...string[]];
  /** Absent for the service's own imports, which may do everything. */
  access?: ImportAccess;
  /** Create what rows refer to and is missing, where an import can. */
  createMissing?: boolean;
  onProgress?: (step: 'compared' | 'written', rows: number, of: number) => void;
}

/** Which records an export has, where a kind of records knows such differences. */
export interface ExportFilter {
  readonly versions?: 'current' | 'all';
  readonly projectId?: string;
}

/** Rows of a file in and out of the service. The command line finds it among the modules' providers. */
export abstract class FileImport<Draft = ImportDraft> {
  /**
   * How files are read.
   * @param match one of the description's `matches`
   * @returns undefined where this service has no such match
   */
  reading(match?: string): (FileReading<Draft> & { key?: MatchDescription['key'] }) | undefined {
    const description = fileImportOf(this.constructor as Type) as FileImportDescription<Draft> | undefined;
    return match === undefined ? description : description?.matches?.[match];
  }

  /** How files are written. */
  writing(): Pick<FileImportDescription, 'exported' | 'cellsOf'> {
    return fileImportOf(this.constructor as Type) ?? {};
  }

  /** Creates and updates records in one transaction. */
  abstract import(request: ImportRequest<Draft>): Promise<ImportReport>;

  /**
   * The same for a user: only what this user may read is matched, and rows that the user may not write are refused.
   * @throws ForbiddenError where the user may not create such records
   */
  importFor?(user: CurrentUser, request: ImportRequest<Draft>): Promise<ImportReport>;

  /** Pages of the records that a reader may see, with the values of the columns. */
  records?(filter: RowFilter, query?: ExportFilter): AsyncGenerator<Record<string, unknown>[]>;

  /** A JSON file of them, where it is not the list of these records. */
  json?(filter: RowFilter, query?: ExportFilter): Pieces;
}

const DESCRIPTION = Symbol('file import');

/** Describes a `FileImport`. */
export const ImportsFiles = <Draft>(description: FileImportDescription<Draft>) =>
  SetMetadata(DESCRIPTION, description);

/** Undefined for a class that imports no files. */
export const fileImportOf = (type: Type): FileImportDescription | undefined =>
  Reflect.getMetadata(DESCRIPTION, type) as FileImportDescription | undefined;
