import { Injectable } from '@nestjs/common';
import { ImportsFiles } from '../../common/import/file-import';
import { describeTable, TableImport } from '../../common/import/table-import';
import { IngredientImportRepository } from './ingredient-import.repository';
import { COSING_COLUMN, readIngredientRow } from './ingredient-row';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-rules';
import { lookAlikes } from './look-alikes';

const table = describeTable(INGREDIENT_RULES, {
  command: 'ingredients',
  help: {
    command: 'The ingredient catalogue as a file',
    import: 'Create and update ingredients from a file, in one transaction',
    export: 'Write the catalogue as a CSV file that import reads and Excel opens',
  },
});

/** The ingredient catalogue as a whole: bulk import and export. */
@Injectable()
@ImportsFiles({ ...table, columns: [...table.columns, COSING_COLUMN], readRow: readIngredientRow })
export class IngredientImportService extends TableImport<IngredientDraft> {
  constructor(ingredients: IngredientImportRepository) {
    super(ingredients, INGREDIENT_RULES);
  }

  protected override notesOn(drafts: readonly IngredientDraft[]): string[] {
    return lookAlikes(drafts);
  }
}
