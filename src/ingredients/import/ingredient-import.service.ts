import { Inject, Injectable } from '@nestjs/common';
import { ImportsFiles } from '../../common/import/file-import';
import type { ImportChange } from '../../common/import/plan-import';
import { describeTable } from '../../common/import/table-import';
import { entityImport } from '../../database/entity-import';
import { importedChange } from '../../events/changed-record';
import { EventPublisher } from '../../events/event-publisher';
import { IngredientEntity } from '../ingredient.entity';
import { COSING_COLUMN, readIngredientRow } from './ingredient-row';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-rules';
import { lookAlikes } from './look-alikes';

const DESCRIPTION = {
  command: 'ingredients',
  help: {
    command: 'The ingredient catalogue as a file',
    import: 'Create and update ingredients from a file',
    export: 'Write the catalogue as a CSV file that import reads and Excel opens',
  },
};

const table = describeTable(INGREDIENT_RULES, DESCRIPTION);

/** The ingredient catalogue as a whole: bulk import and export. */
@Injectable()
@ImportsFiles({ ...table, columns: [...table.columns, COSING_COLUMN], readRow: readIngredientRow })
export class IngredientImportService extends entityImport(IngredientEntity, INGREDIENT_RULES, DESCRIPTION) {
  @Inject(EventPublisher)
  private readonly events!: EventPublisher;

  protected override created(rows: readonly Record<string, unknown>[], ids: readonly string[]) {
    return this.events.tell('ingredient.created', () =>
      ids.map((id, index) => ({ recordId: id, data: { inciName: rows[index]!.inciName as string } })),
    );
  }

  protected override updated(changes: readonly ImportChange[]) {
    return this.events.tell('ingredient.updated', () => changes.map(importedChange));
  }

  protected override notesOn(drafts: readonly IngredientDraft[]): string[] {
    return lookAlikes(drafts);
  }
}
