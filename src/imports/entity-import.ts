import { Injectable, type Type } from '@nestjs/common';
import { DatabaseService } from '../database/database.service';
import { TransactionManager } from '../database/transaction-manager';
import type { RowFilter } from '../access/row-filter';
import {
  type ExportCursor,
  type ExportedRecord,
  FileImport,
  type FileImportDescription,
  type ImportDraft,
  type ImportRequest,
  ImportsFiles,
} from './file-import';
import {
  importedFields,
  type ImportPlan,
  type ImportRecord,
  type ImportRules,
  keyOf,
  labelOf,
  planImport,
} from './import-plan';
import { batches, type ImportReport, lastOfEachKey } from './import-report';
import { ImportRepository } from './import-repository';
import { importColumns } from './mapping/file-column';
import { readFields } from './mapping/read-fields';

/** Rows per statement: few round trips, and none so large that it delays other requests noticeably. */
const BATCH_ROWS = 2000;

type OnProgress = ImportRequest['onProgress'];

/**
 * Imports rows of files into the table of an entity: a row is the record with its key, of rows with one key the
 * last counts.
 */
export class EntityImport<Draft extends ImportDraft = ImportDraft> extends FileImport<Draft> {
  constructor(
    private readonly repository: ImportRepository,
    private readonly rules: ImportRules<Draft>,
  ) {
    super();
  }

  /** @param request its rows either all have a field of the key (perhaps null), or none has it */
  async import(request: ImportRequest<Draft>): Promise<ImportReport> {
    const { drafts, refused = [], notes = [], dryRun = false, skipRefused = false, onProgress } = request;
    const { kept, replaced } = lastOfEachKey(
      drafts,
      (draft) => keyOf(this.rules, draft),
      (draft) => labelOf(this.rules, draft),
    );
    return this.repository.transaction(async () => {
      if (!dryRun) await this.repository.lock();
      const plan = await this.plan(kept, onProgress);
      const allRefused = [...refused, ...plan.refused].sort((a, b) => a.line - b.line);
      const applied = !dryRun && (skipRefused || allRefused.length === 0);
      if (applied) await this.write(plan, request.createdBy, onProgress);
      return {
        rows: drafts.length + refused.length,
        created: plan.creations.length,
        updated: plan.changes.length,
        unchanged: plan.unchanged,
        replaced,
        refused: allRefused,
        notes: [...notes, ...this.notesOn(kept)],
        applied,
      };
    });
  }

  override export(take: (records: Record<string, unknown>[]) => Promise<void>): Promise<void> {
    return this.repository.eachPage(take);
  }

  override readPage(filter: RowFilter, after?: ExportCursor): Promise<ExportedRecord[]> {
    return this.repository.readPage(filter, after);
  }

  /** What is worth knowing about the rows that count. */
  protected notesOn(_drafts: readonly Draft[]): string[] {
    return [];
  }

  /** Called within the transaction when these were written; `ids` in the same order. */
  protected async created(
    _creations: readonly Record<string, unknown>[],
    _ids: readonly string[],
  ): Promise<void> {}

  /** Called within the transaction when these were written. */
  protected async updated(_changes: readonly ImportRecord[]): Promise<void> {}

  private async plan(drafts: readonly Draft[], onProgress: OnProgress): Promise<ImportPlan> {
    const all: ImportPlan = { creations: [], changes: [], unchanged: 0, refused: [] };
    let compared = 0;
    for (const batch of batches(drafts, BATCH_ROWS)) {
      const plan = planImport(batch, await this.repository.findMatches(batch), this.rules);
      all.creations.push(...plan.creations);
      all.changes.push(...plan.changes);
      all.refused.push(...plan.refused);
      all.unchanged += plan.unchanged;
      onProgress?.('compared', (compared += batch.length), drafts.length);
    }
    return all;
  }

  private async write(
    { creations, changes }: ImportPlan,
    createdBy: string | undefined,
    onProgress: OnProgress,
  ): Promise<void> {
    const total = creations.length + changes.length;
    let written = 0;
    for (const batch of batches(creations, BATCH_ROWS)) {
      await this.created(batch, await this.repository.insert(batch, createdBy));
      onProgress?.('written', (written += batch.length), total);
    }
    for (const batch of batches(changes, BATCH_ROWS)) {
      await this.repository.update(batch);
      await this.updated(batch);
      onProgress?.('written', (written += batch.length), total);
    }
  }
}

/**
 * Makes a provider that imports rows of files into the table of an entity, as it is or to be extended.
 * @param description whose columns and checks are those of the class of fields, unless it has others
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

/** What files of a class of fields look like. */
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
