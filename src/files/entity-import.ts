import { Injectable, type Type } from '@nestjs/common';
import { DatabaseService } from '../platform/database/database.service';
import { TransactionManager } from '../platform/database/transaction-manager';
import type { RowFilter } from '../platform/access/row-filter';
import {
  FileImport,
  type FileImportDescription,
  type FileReading,
  type ImportDraft,
  type ImportRequest,
  ImportsFiles,
  type MatchDescription,
} from './file-import';
import {
  addPlan,
  emptyPlan,
  importedFields,
  type ImportMatch,
  type ImportPlan,
  type ImportRecord,
  type ImportRules,
  keyOf,
  labelOf,
  planImport,
} from './import-plan';
import { batches, type ImportReport, lastOfEachKey } from './import-report';
import { type ExportCursor, ImportRepository, PAGE_ROWS } from './import-repository';
import { type ImportedDetail, withDetails } from './imported-detail';
import { importColumns } from './mapping/file-column';
import { readFields } from './mapping/read-fields';
import {
  allowedPlan,
  type MatchedRow,
  matchedRows,
  refuseSecondRows,
  remarkOnNames,
  RowRemarks,
} from './matched-rows';

/** Rows per statement: few round trips, but no statement that delays other requests noticeably. */
const BATCH_ROWS = 2000;

type OnProgress = ImportRequest['onProgress'];

/**
 * Imports rows of files into the table of an entity. A row belongs to the record with its key. Of several rows with
 * the same key, the last counts.
 */
export class EntityImport<Draft extends ImportDraft = ImportDraft> extends FileImport<Draft> {
  private readonly details: ImportedDetail<never>[] = [];

  constructor(
    protected readonly repository: ImportRepository,
    private readonly rules: ImportRules<Draft>,
  ) {
    super();
  }

  /** Lets another module read further columns, and store their values in the transaction of an import. */
  addDetail<Value>(detail: ImportedDetail<Value>): void {
    this.details.push(detail as unknown as ImportedDetail<never>);
  }

  override reading(match?: string): (FileReading<Draft> & { key?: MatchDescription['key'] }) | undefined {
    const reading = super.reading(match);
    if (!reading) return undefined;
    const key = reading.key?.[0];
    const isColumn = key === undefined || importedFields(this.rules).some(({ field }) => field === key);
    if (!isColumn && !this.finder(key)) return undefined;
    return { ...reading, ...withDetails<Draft>(reading, this.details, isColumn ? undefined : key) };
  }

  override writing(): Pick<FileImportDescription, 'exported' | 'cellsOf'> {
    const { exported = [], cellsOf = (record) => record } = super.writing();
    const columns = this.details.flatMap((detail) => detail.columns.map(({ field }) => ({ field, detail })));
    const cellsOfDetails = (record: Record<string, unknown>) =>
      Object.fromEntries(columns.map(({ field, detail }) => [field, detail.cellOf(record[field])]));
    return {
      exported: [...exported, ...columns.map(({ field }) => field)],
      cellsOf: (record) => ({ ...cellsOf(record), ...cellsOfDetails(record) }),
    };
  }

  /** @param request its rows either all have a field of the key (perhaps null), or none has it */
  async import(request: ImportRequest<Draft>): Promise<ImportReport> {
    const { drafts, refused = [], notes = [], dryRun = false, skipRefused = false, key } = request;
    const details = this.details.map(({ field }) => field);
    const rules = { ...this.rules, ...(key && { key, fixed: this.rules.key }), details };
    const { kept, replaced } = lastOfEachKey(
      drafts,
      (draft) => this.rowKey(rules, draft),
      (draft) => labelOf(rules, draft),
    );
    return this.repository.transaction(async () => {
      if (!dryRun) await this.repository.lock();
      const remarks = new RowRemarks();
      const plan = await this.plan(kept, rules, request, remarks);
      const allRefused = [...refused, ...plan.refused].sort((a, b) => a.line - b.line);
      const applied = !dryRun && (skipRefused || allRefused.length === 0);
      if (applied) await this.write(plan, request.createdBy, request.onProgress);
      return {
        rows: drafts.length + refused.length,
        created: plan.creations.length,
        updated: plan.changes.length,
        unchanged: plan.unchanged,
        replaced,
        refused: allRefused,
        notes: [...notes, ...this.notesOn(kept), ...remarks.notes()],
        applied,
      };
    });
  }

  /** Ordered by the first field of the key. */
  override async *records(filter: RowFilter): AsyncGenerator<Record<string, unknown>[]> {
    let last: ExportCursor | undefined;
    for (;;) {
      const page = await this.repository.readPage(filter, last);
      if (page.length > 0) yield this.withDetailValues(page.map(({ sortName: _, ...record }) => record));
      last = page.at(-1);
      if (page.length < PAGE_ROWS) return;
    }
  }

  /** Returns notes on the rows that are imported, for the report. */
  protected notesOn(_drafts: readonly Draft[]): string[] {
    return [];
  }

  /** Adds remarks on rows of one batch and the records that they match. */
  protected remarkOn(_matched: readonly MatchedRow<Draft>[], _remarks: RowRemarks): void {}

  /** Called within the transaction after these were written; `ids` are in the same order. */
  protected async created(
    _creations: readonly Record<string, unknown>[],
    _ids: readonly string[],
  ): Promise<void> {}

  /** Called within the transaction after these were written. */
  protected async updated(_changes: readonly ImportRecord[]): Promise<void> {}

  private async plan(
    drafts: readonly Draft[],
    rules: ImportRules<Draft>,
    request: ImportRequest<Draft>,
    remarks: RowRemarks,
  ): Promise<ImportPlan> {
    const { access, onProgress } = request;
    const all = emptyPlan();
    const lines = new Map<string, number>();
    let compared = 0;
    for (const batch of batches(drafts, BATCH_ROWS)) {
      const found = await this.findMatches(batch, rules, request, lines);
      const matches = await this.withDetailChanges(batch, found);
      refuseSecondRows(batch, matches, lines);
      const matched = matchedRows(batch, matches);
      this.remarkOn(matched, remarks);
      const by = request.key ?? (this.rules.distinguishedBy ? undefined : this.rules.key);
      if (by) remarkOnNames(matched, this.rules.key[0], by, remarks);
      addPlan(
        all,
        access ? await allowedPlan(batch, matches, rules, access) : planImport(batch, matches, rules),
      );
      onProgress?.('compared', (compared += batch.length), drafts.length);
    }
    return all;
  }

  private finder(field: string): ImportedDetail<never> | undefined {
    return this.details.find(({ finds }) => finds === field);
  }

  /** Returns a text that is the same for all rows of one record. */
  protected rowKey(rules: ImportRules<Draft>, draft: Draft): string {
    return keyOf(rules, draft);
  }

  /**
   * Returns for each row, in the same order, the records that it matches.
   * @param _lines first line by record id, of earlier batches
   */
  protected async findMatches(
    batch: readonly Draft[],
    { key }: ImportRules<Draft>,
    { access }: ImportRequest<Draft>,
    _lines: ReadonlyMap<string, number>,
  ): Promise<ImportMatch[][]> {
    const found = await this.finder(key[0])?.find?.(batch.map((draft) => draft[key[0]] as string));
    return found
      ? this.repository.findByIds(found, access?.filter)
      : this.repository.findMatches(batch, access?.filter, key);
  }

  /** Adds to the matched records the details that their rows would change. */
  private async withDetailChanges(
    batch: readonly Draft[],
    matches: readonly ImportMatch[][],
  ): Promise<readonly ImportMatch[][]> {
    for (const detail of this.details) {
      const rows = batch.flatMap((draft, index) => {
        const [record, ...others] = matches[index]!;
        const value = draft[detail.field] as never;
        return record && others.length === 0 && value !== undefined ? [{ record, id: record.id, value }] : [];
      });
      if (rows.length === 0) continue;
      const changes = await detail.changes(rows);
      rows.forEach(({ record }, index) => {
        const { value, refusal } = changes[index]!;
        if (value !== undefined) record.details = { ...record.details, [detail.field]: value };
        record.refusal ??= refusal;
      });
    }
    return matches;
  }

  private async withDetailValues(records: ({ id: string } & Record<string, unknown>)[]) {
    for (const detail of this.details) {
      const values = await detail.exported(records.map(({ id }) => id));
      records.forEach((record, index) => Object.assign(record, values[index]));
    }
    return records;
  }

  private async write(
    { creations, changes }: ImportPlan,
    createdBy: string | undefined,
    onProgress: OnProgress,
  ): Promise<void> {
    const total = creations.length + changes.length;
    let written = 0;
    for (const batch of batches(creations, BATCH_ROWS)) {
      const ids = await this.repository.insert(batch, createdBy);
      await this.storeDetails(batch.map((creation, index) => ({ ...creation, id: ids[index]! })));
      await this.created(batch, ids);
      onProgress?.('written', (written += batch.length), total);
    }
    for (const batch of batches(changes, BATCH_ROWS)) {
      await this.repository.update(batch);
      await this.storeDetails(batch);
      await this.updated(batch);
      onProgress?.('written', (written += batch.length), total);
    }
  }

  private async storeDetails(records: readonly ImportRecord[]): Promise<void> {
    for (const detail of this.details) {
      const rows = records.flatMap((record) => {
        const value = record[detail.field] as never;
        return value === null ? [] : [{ id: record.id, value }];
      });
      if (rows.length > 0) await detail.store(rows);
    }
  }
}

/**
 * Creates a provider that imports rows of files into the table of an entity, to be used as it is or extended.
 * @param description its columns and checks are by default those of the class of fields
 */
export function entityImport<Draft extends ImportDraft>(
  entity: Type<{ id: string }>,
  rules: ImportRules<Draft>,
  description: Pick<FileImportDescription<Draft>, 'command' | 'help'> & Partial<FileImportDescription<Draft>>,
): new (database: DatabaseService, transactions: TransactionManager) => EntityImport<Draft> {
  @Injectable()
  @ImportsFiles({ ...describeFields(rules, description), ...description })
  class ImportOfEntity extends EntityImport<Draft> {
    constructor(database: DatabaseService, transactions: TransactionManager) {
      super(new ImportRepository(database, transactions, entity, rules), rules);
    }
  }
  return ImportOfEntity;
}

/** Describes the files of a class of fields. */
export function describeFields<Draft extends ImportDraft>(
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
    exported: help.export === undefined ? undefined : importedFields(rules).map(({ field }) => field),
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
