import { Inject, Injectable } from '@nestjs/common';
import { EventPublisher, importedChange } from '../events/event-publisher';
import { entityImport } from '../imports/entity-import';
import { importColumns } from '../imports/mapping/file-column';
import type { ImportRecord } from '../imports/import-plan';
import { IngredientEntity } from './ingredient.entity';
import { COSING_COLUMN, readIngredientRow } from './ingredient-row';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-rules';
import { lookAlikes } from './ingredient-rules';

const DESCRIPTION = {
  command: 'ingredients',
  help: {
    command: 'The ingredient catalogue as a file',
    import: 'Create and update ingredients from a file',
    export: 'Write the catalogue as a CSV file that import reads and Excel opens',
  },
  columns: [...importColumns(INGREDIENT_RULES.fields, ['inciName']), COSING_COLUMN],
  readRow: readIngredientRow,
};

/** The complete ingredient catalogue: bulk import and export. */
@Injectable()
export class IngredientImportService extends entityImport(IngredientEntity, INGREDIENT_RULES, DESCRIPTION) {
  @Inject(EventPublisher)
  private readonly events!: EventPublisher;

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
}
