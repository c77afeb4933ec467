import type { MigrationInterface } from 'typeorm';
import { Baseline1767225600001 } from './1767225600001-baseline';
import { ImportRefusals1796000000004 } from './1796000000004-import-refusals';
import { IngredientSubstances1795812571974 } from './1795812571974-ingredient-substances';
import { Limits1796000000000 } from './1796000000000-limits';
import { IngredientNames1796000000001 } from './1796000000001-ingredient-names';
import { ColourListAndTrash1796000000002 } from './1796000000002-colour-list-and-trash';

/** The service's migrations, in the order in which they run. Add a new one at the end. */
export const coreMigrations: (new () => MigrationInterface)[] = [
  Baseline1767225600001,
  IngredientSubstances1795812571974,
  Limits1796000000000,
  IngredientNames1796000000001,
  ColourListAndTrash1796000000002,
  ImportRefusals1796000000004,
];
