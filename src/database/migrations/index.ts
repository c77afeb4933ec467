import type { MigrationInterface } from 'typeorm';
import { Baseline1767225600001 } from './1767225600001-baseline';
import { ImportRefusals1796000000004 } from './1796000000004-import-refusals';
import { IngredientSubstances1795812571974 } from './1795812571974-ingredient-substances';

/** The service's migrations, in the order in which they run. Add a new one at the end. */
export const coreMigrations: (new () => MigrationInterface)[] = [
  Baseline1767225600001,
  IngredientSubstances1795812571974,
  ImportRefusals1796000000004,
];
