import { keyOf } from '../../common/import/plan-import';
import { normalizedName } from '../../common/normalized-name';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-rules';

const key = (draft: IngredientDraft) => keyOf(INGREDIENT_RULES, draft);

/**
 * Rows whose names differ in white space inside only, or whose suppliers do in their spelling: different
 * ingredients by the rules, but perhaps by mistake.
 */
export function lookAlikes(drafts: readonly IngredientDraft[]): string[] {
  const first = new Map<string, IngredientDraft>();
  return drafts.flatMap((draft) => {
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
