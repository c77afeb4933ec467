import { Injectable } from '@nestjs/common';
import {
  BATCH_ROWS,
  compareRows,
  emptyPlan,
  type ImportMatch,
  type ImportPlan,
  type ImportRules,
  recordKey,
  labelOf,
  reportOf,
} from '../files/compare-rows';
import type { FileImport, ImportAccess, ImportRequest } from '../files/file-import';
import { batches, type ImportReport, lastOfEachKey, type Reason } from '../files/import-report';
import { ImportRepository } from '../files/import-repository';
import { importText, listed } from '../files/import.texts';
import { inTurns } from '../platform/common/in-turns';
import { distinct } from '../platform/common/collections';
import { nameKey, plainText } from '../platform/common/name-forms';
import { AccessPolicy, requireAllowed } from '../platform/access/access-policy';
import { RowFilter, RowFilterService } from '../platform/access/row-filter';
import type { CurrentUser } from '../platform/common/current-user';
import { DatabaseService } from '../platform/database/database.service';
import { TransactionManager } from '../platform/database/transaction-manager';
import { EventPublisher, importedChange } from '../platform/events/event-publisher';
import { WriteValidators } from '../platform/events/write-validators';
import { INGREDIENT_RULES, type IngredientDraft, lookAlikes, withoutUnit } from './ingredient-file';
import { ingredientImportText } from './ingredient-import.texts';
import { IngredientEntity } from './ingredient.entity';
import { IngredientResolver } from './names/ingredient-resolver';
import { exactOf, type Resolution } from './names/resolution';
import { fieldWithTooMany, namesByField, type StoredName } from './names/other-names-rules';
import { FIELD_OF_KIND, MAX_NAMES } from './names/other-names.dto';
import { OtherNamesRepository } from './names/other-names.repository';

/** Bulk import and export of the complete ingredient catalogue. Of several rows with the same key, the last counts. */
@Injectable()
export class IngredientImportService implements FileImport<IngredientDraft> {
  private readonly repository: ImportRepository;

  constructor(
    database: DatabaseService,
    transactions: TransactionManager,
    private readonly names: OtherNamesRepository,
    private readonly events: EventPublisher,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly validators: WriteValidators,
    private readonly resolver: IngredientResolver,
  ) {
    this.repository = new ImportRepository(database, transactions, IngredientEntity, INGREDIENT_RULES);
  }

  async importFor(user: CurrentUser, request: ImportRequest<IngredientDraft>): Promise<ImportReport> {
    await requireAllowed(this.policy.canCreate(user, 'ingredient'));
    const filter = await this.rowFilters.of(user);
    const refusal: ImportAccess['refusal'] = async (values, record) => {
      const mayWrite = !record || (await this.policy.canChangeIngredient(user, record.id));
      if (!mayWrite) return ingredientImportText('ingredient-import.not-allowed');
      const event = record ? 'ingredient.updated' : 'ingredient.created';
      return this.validators.objection(event, values, record?.id);
    };
    return this.import({ ...request, access: { filter, refusal } });
  }

  /** @param request its rows either all have a field of the key (perhaps null), or none has it */
  async import(request: ImportRequest<IngredientDraft>): Promise<ImportReport> {
    const { key } = request;
    const rules = { ...INGREDIENT_RULES, ...(key && { key, fixed: INGREDIENT_RULES.key }) };
    const { kept, replaced } = await lastOfEachKey(
      request.drafts,
      (draft) => recordKey(rules, draft),
      (draft) => labelOf(rules, draft),
    );
    return this.repository.transaction(async () => {
      if (!request.dryRun) await this.repository.lock();
      const { plan, notes } = await this.compare(kept, rules, request);
      const report = reportOf(request, plan, { replaced, notes: [...(await lookAlikes(kept)), ...notes] });
      if (report.applied) await this.write(plan, request.onProgress);
      return report;
    });
  }

  /** Ordered by INCI name. */
  async *records(filter: RowFilter): AsyncGenerator<Record<string, unknown>[]> {
    for await (const records of this.repository.pages(filter)) {
      const names = await this.namesOf(records.map(({ id }) => id));
      yield records.map((record) => ({ ...record, ...namesByField(names.get(record.id) ?? []) }));
    }
  }

  private async compare(
    drafts: readonly IngredientDraft[],
    rules: ImportRules<IngredientDraft>,
    { access, onProgress }: ImportRequest<IngredientDraft>,
  ): Promise<{ plan: ImportPlan; notes: Reason[] }> {
    const plan = emptyPlan();
    const lines = new Map<string, number>();
    const renamed: string[] = [];
    const priced: string[] = [];
    let compared = 0;
    for (const batch of batches(drafts, BATCH_ROWS)) {
      const matches = await this.matches(batch, rules, access?.filter);
      await this.compareNames(batch, matches);
      await compareRows(plan, batch, matches, rules, lines, access);
      for (const [draft, record] of onlyMatches(batch, matches)) {
        if (record.refusal) continue;
        const { line, inciName } = draft;
        const stored = record.inciName as string;
        if (withoutUnit(draft, record)) priced.push(`${line} (${record.unit as string})`);
        const isRenamed = inciName !== undefined && nameKey(inciName) !== nameKey(stored);
        if (isRenamed) renamed.push(`${line} "${inciName}" = "${stored}"`);
      }
      onProgress?.('compared', (compared += batch.length), drafts.length);
    }
    return {
      plan,
      notes: [
        ...(priced.length > 0
          ? [ingredientImportText('ingredient-import.without-unit', { rows: listed(priced) })]
          : []),
        ...(renamed.length > 0
          ? [importText('import.found-by', { fields: [...rules.key], rows: listed(renamed) })]
          : []),
      ],
    };
  }

  /** Returns for each row, in the same order, the ingredients that it matches. */
  private async matches(
    batch: readonly IngredientDraft[],
    { key }: Pick<ImportRules<IngredientDraft>, 'key'>,
    filter?: RowFilter,
  ): Promise<ImportMatch[][]> {
    if (key[0] !== FIELD_OF_KIND.cas) {
      const matches = await this.repository.findMatches(batch, filter, key);
      return key[0] === 'inciName' ? this.withMeant(batch, matches, filter) : matches;
    }
    const keys = await inTurns(batch, ({ casNumbers = '' }) => casNumbers.split(' ').map(nameKey));
    const found = await this.resolver.findByKeys(filter ?? RowFilter.EVERYTHING, distinct(keys.flat()));
    const idsOf = (key: string) =>
      (found.get(key) ?? []).flatMap(({ id, via }) => (via === 'cas' ? [id] : []));
    return this.repository.findByIds(
      keys.map((own) => distinct(own.flatMap(idsOf))),
      filter,
    );
  }

  /**
   * A row whose INCI name no ingredient has may be of one that is called so otherwise: by a synonym, a trade name or an
   * everyday name. It is of that ingredient if that is certain, and is refused if the name may mean several.
   */
  private async withMeant(
    batch: readonly IngredientDraft[],
    matches: ImportMatch[][],
    filter: RowFilter = RowFilter.EVERYTHING,
  ): Promise<ImportMatch[][]> {
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

  /** Notes with each match the names that its row adds. None is taken away. */
  private async compareNames(
    batch: readonly IngredientDraft[],
    matches: readonly ImportMatch[][],
  ): Promise<void> {
    const named = onlyMatches(batch, matches).filter(([{ names }]) => names !== undefined);
    const stored = await this.namesOf(named.map(([, { id }]) => id));
    for (const [{ names = [] }, record] of named) {
      const present = stored.get(record.id) ?? [];
      const added = names.filter(
        ({ kind, key }) => !present.some((name) => name.kind === kind && name.key === key),
      );
      if (added.length === 0) continue;
      if (fieldWithTooMany([...present, ...added])) {
        const values = { label: '', max: MAX_NAMES };
        record.refusal ??= ingredientImportText('ingredient-import.names-of-a-kind', values);
      } else record.details = { names: added };
    }
  }

  private async write(
    { creations, changes }: ImportPlan,
    onProgress: ImportRequest['onProgress'],
  ): Promise<void> {
    const total = creations.length + changes.length;
    let written = 0;
    for (const batch of batches(creations, BATCH_ROWS)) {
      const ids = await this.repository.insert(batch);
      await this.addNames(batch.map(({ names }, index) => ({ id: ids[index]!, names })));
      await this.events.publishAll(
        'ingredient.created',
        ids.map((id, index) => ({ recordId: id, data: { inciName: batch[index]!.inciName as string } })),
      );
      onProgress?.('written', (written += batch.length), total);
    }
    for (const batch of batches(changes, BATCH_ROWS)) {
      await this.repository.update(batch);
      await this.addNames(batch);
      await this.events.publishAll('ingredient.updated', batch.map(importedChange));
      onProgress?.('written', (written += batch.length), total);
    }
  }

  private async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly StoredName[]>> {
    const named = await this.names.find(RowFilter.EVERYTHING, ids);
    return new Map(named.map(({ id, names }) => [id, names]));
  }

  private async addNames(records: readonly { id: string; names?: unknown }[]): Promise<void> {
    const rows = records.flatMap(({ id, names }) => (names ? [{ id, names: names as StoredName[] }] : []));
    if (rows.length > 0) await this.names.add(rows);
  }
}

/** The rows that match exactly one ingredient, with it. */
const onlyMatches = (batch: readonly IngredientDraft[], matches: readonly ImportMatch[][]) =>
  batch.flatMap((draft, index): [IngredientDraft, ImportMatch][] => {
    const [record, ...others] = matches[index]!;
    return record && others.length === 0 ? [[draft, record]] : [];
  });

/** Most ingredients that a reason names. */
const MOST_NAMED = 3;

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
  const names = [...new Set(ingredients.map((one) => `"${one.inciName}"`))].slice(0, MOST_NAMED);
  return {
    ids: [ingredients[0]!.id],
    ...(!certain && { refusal: ingredientImportText('ingredient-import.may-mean', { label: '', names }) }),
  };
}
