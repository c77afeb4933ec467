import { Injectable } from '@nestjs/common';
import { type ImportReport, lastOfEachKey } from '../../common/import/import-report';
import { type ImportOptions, type ImportTarget, runImport } from '../../common/import/run-import';
import { CatalogueRepository } from './catalogue.repository';
import {
  type CatalogueChange,
  type CatalogueCreation,
  type CatalogueRecord,
  planImport,
} from './import-plan';
import { type IngredientDraft, ingredientKey, ingredientLabel, lookAlikes } from './ingredient-row';

export interface ImportRequest extends ImportOptions {
  /** Valid rows, in the order of the file. Either all have a supplier (perhaps null) or none. */
  drafts: readonly IngredientDraft[];
  notes?: readonly string[];
}

/** The ingredient catalogue as a whole: bulk import and export. */
@Injectable()
export class CatalogueService {
  private readonly target: ImportTarget<IngredientDraft, CatalogueCreation, CatalogueChange>;

  constructor(private readonly catalogue: CatalogueRepository) {
    this.target = {
      transaction: (work) => catalogue.transaction(work),
      lock: () => catalogue.lock(),
      plan: async (drafts) => planImport(drafts, await catalogue.findMatches(drafts)),
      insert: (creations) => catalogue.insert(creations),
      update: (changes) => catalogue.update(changes),
    };
  }

  /**
   * Creates and updates ingredients in one transaction. A row is the record with its INCI name, ignoring case, and
   * its supplier (any supplier, if the rows say nothing about it); of rows with one key the last counts.
   */
  async import({ drafts, notes = [], ...options }: ImportRequest): Promise<ImportReport> {
    const rows = lastOfEachKey(drafts, ingredientKey, ingredientLabel);
    const report = await runImport(this.target, rows, options);
    return { ...report, notes: [...notes, ...lookAlikes(rows.kept)] };
  }

  /** All ingredients by INCI name, as they were at one moment. `take` is waited for. */
  async export(take: (records: CatalogueRecord[]) => Promise<void>): Promise<void> {
    await this.catalogue.eachPage(take);
  }
}
