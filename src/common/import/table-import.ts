import { FileImport, type FileImportDescription, type ImportRequest } from './file-import';
import { fileColumns, importColumns } from './import-column';
import { type ImportReport, lastOfEachKey } from './import-report';
import {
  type ImportChange,
  type ImportDraft,
  type ImportRecord,
  type ImportRules,
  keyOf,
  labelOf,
  planImport,
} from './plan-import';
import { readFields } from './read-fields';
import { runImport } from './run-import';

/** Where the rows are stored: statements for many at once, never one by one. */
export interface ImportStore {
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Keeps others from writing until the current transaction ends. */
  lock(): Promise<void>;
  /** For each draft, in the same order, the records with its key. */
  findMatches(drafts: readonly ImportDraft[]): Promise<ImportRecord[][]>;
  /** Gives their ids, in the same order. */
  insert(creations: readonly Record<string, unknown>[]): Promise<string[]>;
  update(changes: readonly ImportChange[]): Promise<void>;
  /** All records by the first field of the key, as they were at one moment. */
  eachPage(take: (records: ImportRecord[]) => Promise<void>): Promise<void>;
}

/**
 * Creates and updates the records of one table in one transaction: a row is the record with its key, of rows
 * with one key the last counts.
 */
export class TableImport<Draft extends ImportDraft = ImportDraft> extends FileImport<Draft> {
  constructor(
    private readonly store: ImportStore,
    private readonly rules: ImportRules<Draft>,
  ) {
    super();
  }

  /** @param request its rows either all have a field of the key (perhaps null), or none has it */
  async import({ drafts, notes = [], ...options }: ImportRequest<Draft>): Promise<ImportReport> {
    const { store, rules } = this;
    const rows = lastOfEachKey(
      drafts,
      (draft) => keyOf(rules, draft),
      (draft) => labelOf(rules, draft),
    );
    const target = {
      transaction: <T>(work: () => Promise<T>) => store.transaction(work),
      lock: () => store.lock(),
      plan: async (batch: readonly Draft[]) => planImport(batch, await store.findMatches(batch), rules),
      insert: async (creations: readonly Record<string, unknown>[]) =>
        this.created(creations, await store.insert(creations)),
      update: async (changes: readonly ImportChange[]) => {
        await store.update(changes);
        await this.updated(changes);
      },
    };
    const report = await runImport(target, rows, options);
    return { ...report, notes: [...notes, ...this.notesOn(rows.kept)] };
  }

  override export(take: (records: Record<string, unknown>[]) => Promise<void>): Promise<void> {
    return this.store.eachPage(take);
  }

  /** What is worth knowing about the rows that count. */
  protected notesOn(_drafts: readonly Draft[]): string[] {
    return [];
  }

  /** Within the transaction, when these were written; `ids` in the same order. */
  protected async created(
    _creations: readonly Record<string, unknown>[],
    _ids: readonly string[],
  ): Promise<void> {}

  /** Within the transaction, when these were written. */
  protected async updated(_changes: readonly ImportChange[]): Promise<void> {}
}

/**
 * What the command line knows of a `TableImport`: columns and their checks are those of the class of fields.
 */
export function describeTable<Draft extends ImportDraft>(
  rules: ImportRules<Draft>,
  { command, help }: Pick<FileImportDescription<Draft>, 'command' | 'help'>,
): FileImportDescription<Draft> {
  const { fields, key, records, store } = rules;
  return {
    command,
    help,
    records,
    store,
    columns: importColumns(fields, [key[0]]),
    exported: help.export === undefined ? undefined : fileColumns(fields).map(({ field }) => field),
    keyOf: (record) => {
      const trimmed = key.map((field) => [field, (record[field] as string | null)?.trim() || null]);
      const draft = { ...Object.fromEntries(trimmed), line: 0 } as ImportDraft;
      return { key: keyOf(rules, draft), label: labelOf(rules, draft) };
    },
    readRow: (line, cell) => {
      const { values, reasons } = readFields(fields, key, cell);
      return reasons.length > 0 ? { reasons } : { draft: { line, ...values } as Draft, reasons };
    },
  };
}
