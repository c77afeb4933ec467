import { keyOf } from '../../common/import/plan-import';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-rules';

const key = (draft: IngredientDraft) => keyOf(INGREDIENT_RULES, draft);

/**
 * Rows that differ in white space inside the name only: different ingredients by the rules, but perhaps by
 * mistake.
 */
export function lookAlikes(drafts: readonly IngredientDraft[]): string[] {
  const first = new Map<string, IngredientDraft>();
  return drafts.flatMap((draft) => {
    const spaced = key({ ...draft, inciName: draft.inciName.replace(/\s+/g, ' ') });
    const twin = first.get(spaced);
    first.set(spaced, twin ?? draft);
    return twin && key(twin) !== key(draft)
      ? [
          `lines ${twin.line} and ${draft.line}: "${twin.inciName}" and "${draft.inciName}" differ in spaces only`,
        ]
      : [];
  });
}
