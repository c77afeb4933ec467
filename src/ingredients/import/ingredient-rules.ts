import type { ImportDraft, ImportRules } from '../../common/import/plan-import';
import type { FunctionCategory } from '../function-category';
import { IngredientFields } from '../ingredient.fields';

/** One valid row of an ingredient file. */
export interface IngredientDraft extends ImportDraft {
  inciName: string;
  /** Part of the key when the file has a supplier column; null where its cell is empty. */
  supplier?: string | null;
  /**
   * What the CosIng functions suggest: for new records only, so that it never overrides somebody's decision.
   */
  suggestedCategory?: FunctionCategory;
}

/** White space inside a name counts: CosIng has entries that differ in it only. */
export const INGREDIENT_RULES: ImportRules<IngredientDraft> = {
  fields: IngredientFields,
  key: ['inciName', 'supplier'],
  records: 'ingredients',
  store: 'the catalogue',
  suggest: ({ suggestedCategory }) => ({ functionCategory: suggestedCategory }),
  missing: { functionCategory: 'functionCategory (or cosingFunctions)' },
};
