import type { RowFilter } from '../platform/access/row-filter';
import type { CurrentUser } from '../platform/common/current-user';
import type { ImportReport, Reason, RefusedRow, RowFault } from './import-report';
import type { ImportColumn } from './mapping/file-column';
import type { CellReader } from './mapping/read-fields';
import type { Pieces } from './writing/file-pieces';

/** A valid row: its line, and its values by field. An absent value leaves the field unchanged. */
export interface ImportDraft {
  line: number;
  [field: string]: unknown;
}

export interface RowReading<Draft = ImportDraft> {
  draft?: Draft;
  /** Why the row is refused, if there is no draft. */
  faults: readonly Pick<RowFault, 'field' | 'reason'>[];
  /** Remarks that do not refuse the row. The report counts equal remarks of all rows. */
  remarks?: readonly Reason[];
}

/** Describes how rows of a file are read. */
export interface FileReading<Draft = ImportDraft> {
  columns: readonly ImportColumn[];
  /** A row whose only cell matches is a note. It is not imported, and the report lists it. */
  notes?: RegExp;
  /**
   * Paths of the columns' values in a record of a JSON file, by field. A name with `[]` is a list, whose items are
   * rows: `versions[].phases[].name`. A record, and each item, has one such list at most.
   * Absent: the fields themselves.
   */
  jsonPaths?: Readonly<Record<string, string>>;
  /** @param nameOf returns the name of the column that a field is read from */
  readRow: (line: number, cell: CellReader, nameOf?: CellReader) => RowReading<Draft>;
}

/** Describes the files of a resource. It is known before the service starts. */
export interface FileImportDescription<Draft = ImportDraft> extends FileReading<Draft> {
  /** The command that has the subcommands `import` and `export`. */
  command: string;
  /** Help texts of the command, of its `import`, of the file argument, and of its `export`. */
  help: { command: string; import: string; file?: string; export: string };
  /** The name of the records, in the plural: `ingredients`. */
  records: string;
  /** The name of the place where they are stored: `the catalogue`. */
  store: string;
  /** Names of the columns that an export writes. */
  exported: readonly string[];
  /** Returns the cells of an exported record by column; by default its fields of the same names. */
  cellsOf?: (record: Record<string, unknown>) => Record<string, unknown>;
  /** Returns the key and label of a record, as an import would. An export reports records that share a key. */
  keyOf?: (record: Record<string, unknown>) => { key: string; label: string };
  /** Other ways to find the record of a row, by name. */
  matches?: Readonly<Record<string, MatchDescription<Draft>>>;
  /** New records have an owner. */
  owned?: boolean;
  /** An export can include all versions of the records, or be limited to one project. */
  versioned?: boolean;
  /** Describes a file whose rows belong to one record that they do not name. */
  named?: (name: string) => FileReading<Draft>;
  /** Name of the records that an import can create if rows refer to missing ones: `ingredients`. */
  creates?: string;
}

/** Another way to find the record of a row: the fields of the key, and the description of such a file. */
export interface MatchDescription<Draft = ImportDraft> extends FileReading<Draft> {
  key: readonly [string, ...string[]];
}

/** Permissions of the user who imports. */
export interface ImportAccess {
  /** Rows match only records that the user may read. */
  filter: RowFilter;
  /** Returns why a record may not be created with these values or changed by them; undefined if it may. */
  refusal: (values: Record<string, unknown>, record?: MatchedRecord) => Promise<Reason | undefined>;
}

/** A record that a row matches, with its owner if it has one. */
export interface MatchedRecord {
  id: string;
  createdBy?: string;
}

export interface ImportRequest<Draft = ImportDraft> {
  /** Valid rows, in the order of the file. */
  drafts: readonly Draft[];
  /** Rows that were refused while the file was read. */
  refused?: readonly RefusedRow[];
  /** Name of the file, if it has one. */
  source?: string;
  /** Further notes for the report. */
  notes?: readonly Reason[];
  /** Only report what would be done. */
  dryRun?: boolean;
  /** Import the other rows although some are refused. By default one refused row prevents the entire import. */
  skipRefused?: boolean;
  /** Id of the user who owns new records, if the description is `owned`. */
  createdBy?: string;
  /** Fields that identify the record of a row, instead of the key of the rules. */
  key?: readonly [string, ...string[]];
  /** Absent for the service's own imports, which have all permissions. */
  access?: ImportAccess;
  /** Create missing records that rows refer to, if the import supports it. */
  createMissing?: boolean;
  onProgress?: (step: 'compared' | 'written', rows: number, of: number) => void;
}

/** Selects the records of an export, if their kind supports it. */
export interface ExportFilter {
  readonly versions?: 'current' | 'all';
  readonly projectId?: string;
}

/** Imports and exports the files of one kind of records. */
export interface FileImport<Draft = ImportDraft> {
  /** Creates and updates records, in one transaction if there are not too many. */
  import(request: ImportRequest<Draft>): Promise<ImportReport>;

  /**
   * Imports for a user: rows match only records that the user may read, and rows that the user may not write are
   * refused.
   * @throws ForbiddenError if the user may not create such records
   */
  importFor(user: CurrentUser, request: ImportRequest<Draft>): Promise<ImportReport>;

  /** Yields pages of the records that the user may read, with the values of the columns. */
  records(filter: RowFilter, query?: ExportFilter): AsyncGenerator<Record<string, unknown>[]>;

  /** Yields the records as a JSON file, if that is not simply the list of `records`. */
  json?(filter: RowFilter, query?: ExportFilter): Pieces;
}
