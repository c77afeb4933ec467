import { Injectable } from '@nestjs/common';
import {
  batches,
  type ImportReport,
  lastOfEachKey,
  type RefusedRow,
} from '../../common/import/import-report';
import { type ColorImportPlan, planColorImport } from './color-import-plan';
import { ColorImportRepository } from './color-import.repository';
import { type ColorDraft, colorKey } from './color-row';

export interface ColorImportRequest {
  /** Valid rows, in the order of the file. */
  drafts: readonly ColorDraft[];
  /** Rows that were refused while they were read. */
  refused?: readonly RefusedRow[];
  /** Id of the user whom new colours belong to. */
  createdBy: string;
  /** Only tell what would be done. */
  dryRun?: boolean;
  /** Take the other rows although some are refused; otherwise one refused row keeps the whole file out. */
  skipRefused?: boolean;
  onProgress?: (step: 'compared' | 'written', rows: number, of: number) => void;
}

/** Rows per statement: few round trips, and none so large that the embedded database holds its breath. */
const BATCH = 2000;

/** Colour formulas from a file. */
@Injectable()
export class ColorImportService {
  constructor(private readonly colors: ColorImportRepository) {}

  /** Creates and updates colours in one transaction. A row is the colour of its name, ignoring case; of rows with one name the last counts. */
  async import(request: ColorImportRequest): Promise<ImportReport> {
    const { drafts, refused = [], dryRun = false, skipRefused = false } = request;
    const { kept, replaced } = lastOfEachKey(
      drafts,
      ({ name }) => colorKey(name),
      ({ name }) => name,
    );
    return this.colors.transaction(async () => {
      if (!dryRun) await this.colors.lock();
      const plan = await this.plan(kept, request);
      const allRefused = [...refused, ...plan.refused].sort((x, y) => x.line - y.line);
      const applied = !dryRun && (skipRefused || allRefused.length === 0);
      if (applied) await this.write(plan, request);
      return {
        rows: drafts.length + refused.length,
        created: plan.creations.length,
        updated: plan.changes.length,
        unchanged: plan.unchanged,
        replaced,
        refused: allRefused,
        notes: [],
        applied,
      };
    });
  }

  private async plan(
    drafts: readonly ColorDraft[],
    { onProgress }: ColorImportRequest,
  ): Promise<ColorImportPlan> {
    const whole: ColorImportPlan = { creations: [], changes: [], unchanged: 0, refused: [] };
    let compared = 0;
    for (const batch of batches(drafts, BATCH)) {
      const part = planColorImport(batch, await this.colors.findByNames(batch.map(({ name }) => name)));
      whole.creations.push(...part.creations);
      whole.changes.push(...part.changes);
      whole.refused.push(...part.refused);
      whole.unchanged += part.unchanged;
      onProgress?.('compared', (compared += batch.length), drafts.length);
    }
    return whole;
  }

  private async write(plan: ColorImportPlan, { createdBy, onProgress }: ColorImportRequest): Promise<void> {
    const total = plan.creations.length + plan.changes.length;
    let written = 0;
    for (const batch of batches(plan.creations, BATCH)) {
      await this.colors.insert(batch, createdBy);
      onProgress?.('written', (written += batch.length), total);
    }
    for (const batch of batches(plan.changes, BATCH)) {
      await this.colors.update(batch);
      onProgress?.('written', (written += batch.length), total);
    }
  }
}
