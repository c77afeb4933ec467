import { Injectable } from '@nestjs/common';
import {
  BATCH_ROWS,
  compareRows,
  emptyPlan,
  type ImportMatch,
  type ImportPlan,
  labelOf,
  reportOf,
} from '../../files/compare-rows';
import type { FileImport, ImportAccess, ImportRequest } from '../../files/file-import';
import { batches, type ImportReport, lastOfEachKey, type Reason } from '../../files/import-report';
import { ImportRepository } from '../../files/import-repository';
import { listed } from '../../files/import.texts';
import { plainText } from '../../platform/common/name-forms';
import { AccessPolicy, requireAllowed } from '../../platform/access/access-policy';
import { RowFilter, RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { DatabaseService } from '../../platform/database/database.service';
import { violates } from '../../platform/database/pg-errors';
import { TransactionManager } from '../../platform/database/transaction-manager';
import { EventPublisher, importedChange } from '../../platform/events/event-publisher';
import { WriteValidators } from '../../platform/events/write-validators';
import { ColorFormulaEntity } from '../color.entity';
import { FormulasRepository } from '../../formulas/formulas.repository';
import { LINKED_FORMULA } from '../color-formulas.repository';
import { unknownFormula } from '../color.service';
import { COLOR_RULES } from './color-columns';
import { colorImportText } from './color-import.texts';
import type { ColorDraft } from './color-row';
import { ColorsByName } from './colors-by-name';
import { measuredAlike } from './measured-alike';

/** Imports and exports colour formulas. Of several rows with the same id, or else name, the last counts. */
@Injectable()
export class ColorImportService implements FileImport<ColorDraft> {
  private readonly repository: ImportRepository;

  constructor(
    database: DatabaseService,
    transactions: TransactionManager,
    private readonly formulas: FormulasRepository,
    private readonly events: EventPublisher,
    private readonly policy: AccessPolicy,
    private readonly rowFilters: RowFilterService,
    private readonly validators: WriteValidators,
  ) {
    this.repository = new ImportRepository(database, transactions, ColorFormulaEntity, COLOR_RULES);
  }

  async importFor(user: CurrentUser, request: ImportRequest<ColorDraft>): Promise<ImportReport> {
    await requireAllowed(this.policy.canCreate(user, 'color'));
    const filter = await this.rowFilters.of(user);
    const refusal: ImportAccess['refusal'] = async (values, record) => {
      if (!record) return this.validators.objection('color.created', values);
      const { id, createdBy = '' } = record;
      const mayChange = await this.policy.canChange(user, { kind: 'color', id, createdBy });
      return mayChange ? undefined : colorImportText('color-import.not-allowed');
    };
    return this.import({ ...request, createdBy: user.id, access: { filter, refusal } });
  }

  /** @throws Error without `createdBy` */
  async import(request: ImportRequest<ColorDraft>): Promise<ImportReport> {
    const { createdBy, dryRun, onProgress } = request;
    if (createdBy === undefined) throw new Error('New colours belong to a user: createdBy is missing');
    const links = await this.readableLinks(request);
    const { drafts, refused, notes } = await measuredAlike(links.drafts);
    const { kept, replaced } = await lastOfEachKey(
      drafts,
      ({ id, name }) => id ?? plainText(name),
      (draft) => labelOf(COLOR_RULES, draft),
    );
    try {
      return await this.repository.transaction(async () => {
        if (!dryRun) await this.repository.lock();
        const plan = await this.compare(kept, { ...request, createdBy });
        for (const row of refused) plan.refused.push(row);
        const report = reportOf(request, plan, { replaced, notes: [...links.notes, ...notes] });
        if (report.applied) await this.write(plan, createdBy, onProgress);
        return report;
      });
    } catch (error) {
      throw violates(error, LINKED_FORMULA) ? unknownFormula() : error;
    }
  }

  /** Ordered by name. */
  records(filter: RowFilter): AsyncGenerator<Record<string, unknown>[]> {
    return this.repository.pages(filter);
  }

  /** Removes links to formulas that do not exist or that the user may not read, and notes their rows. */
  private async readableLinks({
    drafts,
    access,
  }: ImportRequest<ColorDraft>): Promise<{ drafts: readonly ColorDraft[]; notes: Reason[] }> {
    const filter = access?.filter ?? RowFilter.EVERYTHING;
    const ids = new Set(drafts.flatMap(({ formulaId }) => formulaId ?? []));
    if (ids.size === 0) return { drafts, notes: [] };
    const readable = await this.formulas.findOwners(filter, [...ids]);
    const isLost = ({ formulaId }: ColorDraft) => formulaId !== undefined && !readable.has(formulaId);
    const lost = drafts.filter(isLost).map(({ line }) => line);
    return {
      drafts: drafts.map((draft) => (isLost(draft) ? { ...draft, formulaId: undefined } : draft)),
      notes: lost.length > 0 ? [colorImportText('color-import.not-linked', { lines: listed(lost) })] : [],
    };
  }

  private async compare(
    drafts: readonly ColorDraft[],
    request: ImportRequest<ColorDraft> & { createdBy: string },
  ): Promise<ImportPlan> {
    const plan = emptyPlan();
    const lines = new Map<string, number>();
    let compared = 0;
    for (const batch of batches(drafts, BATCH_ROWS)) {
      const matches = await this.matches(batch, request, lines);
      await compareRows(plan, batch, matches, COLOR_RULES, lines, request.access);
      request.onProgress?.('compared', (compared += batch.length), drafts.length);
    }
    return plan;
  }

  /**
   * Returns for each row, in the same order, the colours that it matches: that of its id, an equal one for an unknown
   * id, otherwise the user's own of its name, otherwise those of its name that the user may change.
   */
  private async matches(
    batch: readonly ColorDraft[],
    { access, createdBy }: ImportRequest<ColorDraft> & { createdBy: string },
    lines: ReadonlyMap<string, number>,
  ): Promise<ImportMatch[][]> {
    const byId = await this.repository.findByIds(
      batch.map(({ id }) => (id ? [id] : [])),
      access?.filter,
    );
    const others = batch.filter((_, index) => byId[index]!.length === 0);
    const names = [...new Map(others.map((draft) => [plainText(draft.name), draft])).values()];
    const byName = await this.repository.findMatches(names, access?.filter);
    const colors = new ColorsByName(createdBy, [...lines.keys(), ...byId.flat().map(({ id }) => id)]);
    names.forEach(({ name }, index) => colors.add(name, byName[index]!));
    return Promise.all(
      batch.map(async (draft, index) => {
        if (byId[index]!.length > 0) return byId[index]!;
        if (draft.id !== undefined) return colors.takeEqual(draft);
        const { own, all } = colors.named(draft.name);
        if (own.length === 1) return own;
        if (!access) return [...all];
        const mayChange = await Promise.all(
          all.map(async (record) => (await access.refusal({}, record)) === undefined),
        );
        return all.filter((_, at) => mayChange[at]);
      }),
    );
  }

  private async write(
    { creations, changes }: ImportPlan,
    createdBy: string,
    onProgress: ImportRequest['onProgress'],
  ): Promise<void> {
    const total = creations.length + changes.length;
    let written = 0;
    for (const batch of batches(creations, BATCH_ROWS)) {
      const ids = await this.repository.insert(batch, createdBy);
      await this.events.publishAll(
        'color.created',
        ids.map((id, index) => ({ recordId: id, data: { name: batch[index]!.name as string } })),
      );
      onProgress?.('written', (written += batch.length), total);
    }
    for (const batch of batches(changes, BATCH_ROWS)) {
      await this.repository.update(batch);
      await this.events.publishAll('color.updated', batch.map(importedChange));
      onProgress?.('written', (written += batch.length), total);
    }
  }
}
