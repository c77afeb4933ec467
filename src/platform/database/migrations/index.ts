import type { MigrationInterface } from 'typeorm';
import { Baseline1767225600001 } from './1767225600001-baseline';
import { ImportRefusals1795820000004 } from './1795820000004-import-refusals';
import { IngredientSubstances1795812571974 } from './1795812571974-ingredient-substances';
import { Limits1795820000000 } from './1795820000000-limits';
import { IngredientNames1795820000001 } from './1795820000001-ingredient-names';
import { ColourListAndTrash1795820000002 } from './1795820000002-colour-list-and-trash';

/** The service's migrations, in the order in which they run. Add new ones at the end. */
export const coreMigrations: (new () => MigrationInterface)[] = [
  Baseline1767225600001,
  IngredientSubstances1795812571974,
  Limits1795820000000,
  IngredientNames1795820000001,
  ColourListAndTrash1795820000002,
  ImportRefusals1795820000004,
];
