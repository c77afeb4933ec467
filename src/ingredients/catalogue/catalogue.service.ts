import { Injectable } from '@nestjs/common';
import {
  batches,
  type ImportReport,
  lastOfEachKey,
  type RefusedRow,
} from '../../common/import/import-report';
import { CatalogueRepository } from './catalogue.repository';
import { type CatalogueRecord, type ImportPlan, planImport } from './import-plan';
import { type IngredientDraft, ingredientKey, ingredientLabel, lookAlikes } from './ingredient-row';

export interface ImportRequest {
  /** Valid rows, in the order of the file. Either all have a supplier (perhaps null) or none. */
  drafts: readonly IngredientDraft[];
  /** Rows that were refused while they were read. */
  refused?: readonly RefusedRow[];
  notes?: readonly string[];
  /** Only tell what would be done. */
  dryRun?: boolean;
  /** Take the other rows although some are refused; otherwise one refused row keeps the whole file out. */
  skipRefused?: boolean;
  onProgress?: (step: 'compared' | 'written', rows: number, of: number) => void;
}

/** Rows per statement: few round trips, and none so large that the embedded database holds its breath. */
const BATCH = 2000;

/** The ingredient catalogue as a whole: bulk import and export. */
@Injectable()
export class CatalogueService {
  constructor(private readonly catalogue: CatalogueRepository) {}

  /**
   * Creates and updates ingredients in one transaction. A row is the record with its INCI name, ignoring case, and
   * its supplier (any supplier, if the rows say nothing about it); of rows with one key the last counts.
   */
  async import(request: ImportRequest): Promise<ImportReport> {
    const { drafts, refused = [], notes = [], dryRun = false, skipRefused = false } = request;
    const { kept, replaced } = lastOfEachKey(drafts, ingredientKey, ingredientLabel);
    return this.catalogue.transaction(async () => {
      if (!dryRun) await this.catalogue.lock();
      const plan = await this.plan(kept, request);
      const allRefused = [...refused, ...plan.refused].sort((a, b) => a.line - b.line);
      const applied = !dryRun && (skipRefused || allRefused.length === 0);
      if (applied) await this.write(plan, request);
      return {
        rows: drafts.length + refused.length,
        created: plan.creations.length,
        updated: plan.changes.length,
        unchanged: plan.unchanged,
        replaced,
        refused: allRefused,
        notes: [...notes, ...lookAlikes(kept)],
        applied,
      };
    });
  }

  /** All ingredients by INCI name, as they were at one moment. `take` is waited for. */
  async export(take: (records: CatalogueRecord[]) => Promise<void>): Promise<void> {
    await this.catalogue.eachPage(take);
  }

  private async plan(drafts: readonly IngredientDraft[], { onProgress }: ImportRequest): Promise<ImportPlan> {
    const whole: ImportPlan = { creations: [], changes: [], unchanged: 0, refused: [] };
    let compared = 0;
    for (const batch of batches(drafts, BATCH)) {
      const part = planImport(batch, await this.catalogue.findMatches(batch));
      whole.creations.push(...part.creations);
      whole.changes.push(...part.changes);
      whole.refused.push(...part.refused);
      whole.unchanged += part.unchanged;
      onProgress?.('compared', (compared += batch.length), drafts.length);
    }
    return whole;
  }

  private async write({ creations, changes }: ImportPlan, { onProgress }: ImportRequest): Promise<void> {
    const total = creations.length + changes.length;
    let written = 0;
    for (const batch of batches(creations, BATCH)) {
      await this.catalogue.insert(batch);
      onProgress?.('written', (written += batch.length), total);
    }
    for (const batch of batches(changes, BATCH)) {
      await this.catalogue.update(batch);
      onProgress?.('written', (written += batch.length), total);
    }
  }
}
