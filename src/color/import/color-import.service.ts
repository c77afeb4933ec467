import { Injectable } from '@nestjs/common';
import { type ImportReport, lastOfEachKey } from '../../common/import/import-report';
import { type ImportOptions, type ImportTarget, runImport } from '../../common/import/run-import';
import { type NewColor, planColorImport, type StoredColor } from './color-import-plan';
import { ColorImportRepository } from './color-import.repository';
import { type ColorDraft, colorKey } from './color-row';

export interface ColorImportRequest extends ImportOptions {
  /** Valid rows, in the order of the file. */
  drafts: readonly ColorDraft[];
  /** Id of the user whom new colours belong to. */
  createdBy: string;
}

/** Colour formulas from a file. */
@Injectable()
export class ColorImportService {
  constructor(private readonly colors: ColorImportRepository) {}

  /**
   * Creates and updates colours in one transaction. A row is the colour of its name, ignoring case; of rows
   * with one name the last counts.
   */
  import({ drafts, createdBy, ...options }: ColorImportRequest): Promise<ImportReport> {
    const rows = lastOfEachKey(
      drafts,
      ({ name }) => colorKey(name),
      ({ name }) => name,
    );
    return runImport(this.colorsOf(createdBy), rows, options);
  }

  private colorsOf(owner: string): ImportTarget<ColorDraft, NewColor, StoredColor> {
    const { colors } = this;
    return {
      transaction: (work) => colors.transaction(work),
      lock: () => colors.lock(),
      plan: async (drafts) =>
        planColorImport(drafts, await colors.findByNames(drafts.map(({ name }) => name))),
      insert: (creations) => colors.insert(creations, owner),
      update: (changes) => colors.update(changes),
    };
  }
}
