import { Inject, Injectable } from '@nestjs/common';
import { AccessPolicy } from '../platform/access/access-policy';
import { requireAllowed } from '../platform/access/require-allowed';
import { RowFilterService } from '../platform/access/row-filter';
import type { CurrentUser } from '../platform/common/current-user';
import { WriteValidators } from '../platform/events/write-validators';
import type { ImportAccess, ImportRequest, MatchDescription } from '../files/file-import';
import type { ImportReport } from '../files/import-report';
import { EventPublisher, importedChange } from '../platform/events/event-publisher';
import { entityImport } from '../files/entity-import';
import { importColumns } from '../files/mapping/file-column';
import type { ImportRecord } from '../files/import-plan';
import type { MatchedRow, RowRemarks } from '../files/matched-rows';
import { IngredientEntity } from './ingredient.entity';
import { COSING_COLUMN, PACK_COLUMN, readIngredientRow } from './ingredient-row';
import { INGREDIENT_RULES, type IngredientDraft, lookAlikes, remarkOnPrices } from './ingredient-rules';

const columns = (...required: string[]) => [
  ...importColumns(INGREDIENT_RULES.fields, required),
  COSING_COLUMN,
  PACK_COLUMN,
];

/**
 * Matches a row that only has a name: a heading or a note, which would change nothing. A price alone does not match.
 */
const NOTES = /^(?![¥$€£]?\s*\d[\d.,'\s]*\S{0,4}$).*\p{L}/su;

/** Returns the description of files whose rows are matched with ingredients by these fields. */
const match = (...key: [string, ...string[]]): MatchDescription<IngredientDraft> => ({
  key,
  columns: columns(...key),
  notes: NOTES,
  readRow: (line, cell, nameOf) => readIngredientRow(line, cell, nameOf, key),
});

const DESCRIPTION = {
  command: 'ingredients',
  help: {
    command: 'The ingredient catalogue as a file',
    import: 'Create and update ingredients from a file',
    export: 'Write the catalogue as a CSV, XLSX or JSON file that import reads',
  },
  columns: columns('inciName'),
  notes: NOTES,
  readRow: readIngredientRow,
  matches: {
    inci: match('inciName'),
    chinese: match('chineseName'),
    'inci+supplier': match('inciName', 'supplier'),
    // Works if an extension adds CAS numbers to the columns.
    cas: match('casNumbers'),
  },
};

/** Bulk import and export of the complete ingredient catalogue. */
@Injectable()
export class IngredientImportService extends entityImport(IngredientEntity, INGREDIENT_RULES, DESCRIPTION) {
  @Inject(EventPublisher)
  private readonly events!: EventPublisher;

  @Inject(AccessPolicy)
  private readonly policy!: AccessPolicy;

  @Inject(RowFilterService)
  private readonly rowFilters!: RowFilterService;

  @Inject(WriteValidators)
  private readonly validators!: WriteValidators;

  override async importFor(
    user: CurrentUser,
    request: ImportRequest<IngredientDraft>,
  ): Promise<ImportReport> {
    await requireAllowed(this.policy.canCreate(user, 'ingredient'));
    const filter = await this.rowFilters.of(user);
    const refusal: ImportAccess['refusal'] = async (values, record) => {
      const mayWrite = !record || (await this.policy.canChangeIngredient(user, record.id));
      if (!mayWrite) return 'is an ingredient that you may not change';
      const event = record ? 'ingredient.updated' : 'ingredient.created';
      return this.validators.objection(event, values, record?.id);
    };
    return this.import({ ...request, access: { filter, refusal } });
  }

  protected override created(rows: readonly Record<string, unknown>[], ids: readonly string[]) {
    return this.events.publishAll(
      'ingredient.created',
      ids.map((id, index) => ({ recordId: id, data: { inciName: rows[index]!.inciName as string } })),
    );
  }

  protected override updated(changes: readonly ImportRecord[]) {
    return this.events.publishAll('ingredient.updated', changes.map(importedChange));
  }

  protected override notesOn(drafts: readonly IngredientDraft[]): string[] {
    return lookAlikes(drafts);
  }

  protected override remarkOn(matched: readonly MatchedRow<IngredientDraft>[], remarks: RowRemarks): void {
    remarkOnPrices(matched, remarks);
  }
}
