import { Inject, Injectable } from '@nestjs/common';
import { AccessPolicy, requireAllowed } from '../platform/access/access-policy';
import { RowFilter, RowFilterService } from '../platform/access/row-filter';
import type { CurrentUser } from '../platform/common/current-user';
import { WriteValidators } from '../platform/events/write-validators';
import type { ImportAccess, ImportRequest, MatchDescription } from '../files/file-import';
import type { ImportReport } from '../files/import-report';
import { EventPublisher, importedChange } from '../platform/events/event-publisher';
import { entityImport } from '../files/entity-import';
import { importColumns } from '../files/mapping/file-column';
import type { ImportMatch, ImportRecord, ImportRules } from '../files/import-plan';
import type { MatchedRow, RowRemarks } from '../files/matched-rows';
import { IngredientEntity } from './ingredient.entity';
import { COSING_COLUMN, PACK_COLUMN, readIngredientRow } from './ingredient-row';
import { nameKey, plainText } from '../platform/common/name-forms';
import { IngredientResolver } from './names/ingredient-resolver';
import { exactOf, type Resolution } from './names/resolution';
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

/** Most ingredients that a reason names. */
const MOST_NAMED = 3;

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

  @Inject(IngredientResolver)
  private readonly resolver!: IngredientResolver;

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

  /**
   * A row whose INCI name no ingredient has may be of one that is called so otherwise: by a synonym, a trade name or an
   * everyday name. It is of that ingredient if that is certain, and is refused if the name may mean several.
   */
  protected override async findMatches(
    batch: readonly IngredientDraft[],
    rules: ImportRules<IngredientDraft>,
    request: ImportRequest<IngredientDraft>,
    lines: ReadonlyMap<string, number>,
  ): Promise<ImportMatch[][]> {
    const matches = await super.findMatches(batch, rules, request, lines);
    if (request.key && request.key[0] !== 'inciName') return matches;
    const filter = request.access?.filter ?? RowFilter.EVERYTHING;
    const unknown = batch.flatMap(({ inciName }, index) => (matches[index]!.length === 0 ? [inciName] : []));
    const resolutions = await this.resolver.resolve(filter, [...new Set(unknown)], { withSimilar: false });
    const byName = new Map(resolutions.map((resolution) => [resolution.name, resolution]));
    const meant = batch.map((draft, index) =>
      matches[index]!.length === 0 ? meantBy(draft, byName.get(draft.inciName)!) : undefined,
    );
    if (meant.every((one) => one === undefined)) return matches;
    const records = await this.repository.findByIds(
      meant.map((one) => one?.ids ?? []),
      filter,
    );
    return matches.map((found, index) => {
      const [record] = records[index]!;
      return record ? [{ ...record, refusal: meant[index]!.refusal }] : found;
    });
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

/**
 * Returns the ingredient that a name means which is the INCI name of none, or why the row is refused. Nothing for a
 * solution, which is another raw material, for a name that is itself the INCI name of a substance, and for that of
 * another supplier: these are new.
 */
function meantBy({ inciName, supplier }: IngredientDraft, resolution: Resolution) {
  const { certain, grade, inciNames } = resolution;
  const isInciName = inciNames.some((name) => nameKey(name) === nameKey(inciName));
  if (!certain && (grade !== null || isInciName)) return undefined;
  const ingredients = (certain ? exactOf(resolution).slice(0, 1) : exactOf(resolution)).filter(
    (one) => supplier === undefined || plainText(one.supplier ?? '') === plainText(supplier ?? ''),
  );
  if (ingredients.length === 0) return undefined;
  const names = [...new Set(ingredients.map((one) => `"${one.inciName}"`))].slice(0, MOST_NAMED).join(', ');
  return {
    ids: [ingredients[0]!.id],
    ...(!certain && { refusal: `may mean ${names}: write the INCI name that is meant` }),
  };
}
