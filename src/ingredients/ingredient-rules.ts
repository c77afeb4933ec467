import { normalizedName } from '../common/normalized-name';
import type { ImportDraft } from '../imports/file-import';
import { type ImportRules, keyOf } from '../imports/import-plan';
import type { FunctionCategory } from './function-category';
import { IngredientFields } from './ingredient.fields';

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
  kind: 'ingredient',
  records: 'ingredients',
  store: 'the catalogue',
  suggest: ({ suggestedCategory }) => ({ functionCategory: suggestedCategory }),
  missing: { functionCategory: 'functionCategory (or cosingFunctions)' },
};

const key = (draft: IngredientDraft) => keyOf(INGREDIENT_RULES, draft);

/**
 * Rows whose names differ in white space inside only, or whose suppliers do in their spelling: different
 * ingredients by the rules, but perhaps by mistake.
 */
export function lookAlikes(drafts: readonly IngredientDraft[]): string[] {
  const first = new Map<string, IngredientDraft>();
  return drafts.flatMap((draft) => {
    // Files that are matched by another name need not have it.
    if (draft.inciName === undefined) return [];
    const alike = JSON.stringify([draft.inciName, draft.supplier ?? ''].map(normalizedName));
    const twin = first.get(alike);
    first.set(alike, twin ?? draft);
    if (!twin || key(twin) === key(draft)) return [];
    const lines = `lines ${twin.line} and ${draft.line}`;
    return (twin.supplier ?? '') === (draft.supplier ?? '')
      ? [`${lines}: "${twin.inciName}" and "${draft.inciName}" differ in spaces only`]
      : [
          `${lines}: "${draft.inciName}" of "${twin.supplier}" and "${draft.supplier}", suppliers whose names look alike`,
        ];
  });
}
