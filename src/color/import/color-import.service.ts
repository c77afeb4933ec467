import { Injectable } from '@nestjs/common';
import { FileImport, type ImportRequest, ImportsFiles } from '../../common/import/file-import';
import { type ImportReport, lastOfEachKey } from '../../common/import/import-report';
import { nameKey } from '../../common/import/name-key';
import { type ImportTarget, runImport } from '../../common/import/run-import';
import { COLOR_COLUMNS } from './color-columns';
import { type NewColor, planColorImport, type StoredColor } from './color-import-plan';
import { EventPublisher } from '../../events/event-publisher';
import { CHANGED, ColorImportRepository } from './color-import.repository';
import { type ColorDraft, readColorRow } from './color-row';

/** Colour formulas from a file. */
@Injectable()
@ImportsFiles<ColorDraft>({
  command: 'colors',
  help: {
    command: 'Colour formulas from a file',
    import: 'Create and update colour formulas from a file; a row is the colour of its name',
    file:
      'CSV or XLSX file with a header row: name, L, a, b (CIELAB, D65); measuredL, measuredA, measuredB, ' +
      'deltaE, composition (JSON, or a list like "CI 77491: 2.4; CI 77891: 5.1")',
  },
  records: 'colours',
  store: 'the stored colours',
  columns: COLOR_COLUMNS,
  readRow: readColorRow,
  owned: true,
})
export class ColorImportService extends FileImport<ColorDraft> {
  constructor(
    private readonly colors: ColorImportRepository,
    private readonly events: EventPublisher,
  ) {
    super();
  }

  /**
   * Creates and updates colours in one transaction. A row is the colour of its name, ignoring case; of rows
   * with one name the last counts.
   * @throws Error without `createdBy`
   */
  async import({
    drafts,
    createdBy,
    notes = [],
    ...options
  }: ImportRequest<ColorDraft>): Promise<ImportReport> {
    if (createdBy === undefined) throw new Error('New colours belong to a user: createdBy is missing');
    const rows = lastOfEachKey(
      drafts,
      ({ name }) => nameKey(name),
      ({ name }) => name,
    );
    return { ...(await runImport(this.targetOf(createdBy), rows, options)), notes: [...notes] };
  }

  private targetOf(owner: string): ImportTarget<ColorDraft, NewColor, StoredColor> {
    const { colors, events } = this;
    return {
      transaction: (work) => colors.transaction(work),
      lock: () => colors.lock(),
      plan: async (drafts) =>
        planColorImport(drafts, await colors.findByNames(drafts.map(({ name }) => name))),
      insert: async (creations) => {
        const ids = await colors.insert(creations, owner);
        await events.tell('color.created', () =>
          ids.map((id, index) => ({ recordId: id, data: { name: creations[index]!.name } })),
        );
      },
      update: async (changes) => {
        await colors.update(changes);
        await events.tell('color.updated', () =>
          changes.map(({ id }) => ({ recordId: id, data: { changed: CHANGED } })),
        );
      },
    };
  }
}
