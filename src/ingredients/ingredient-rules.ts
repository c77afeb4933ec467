import { nameKey } from '../platform/common/name-forms';
import type { ImportDraft } from '../files/file-import';
import type { MatchedRow, RowRemarks } from '../files/matched-rows';
import { type ImportRules, keyOf } from '../files/import-plan';
import type { FunctionCategory } from './function-category';
import { IngredientFields } from './ingredient.fields';
import { unitCalled } from './price-column';

/** A valid row of an ingredient file. */
export interface IngredientDraft extends ImportDraft {
  inciName: string;
  /** Part of the key if the file has a supplier column; null if the cell is empty. */
  supplier?: string | null;
  /** The category for the CosIng functions. Used for new records only, so that it never overrides a user's choice. */
  suggestedCategory?: FunctionCategory;
}

export const INGREDIENT_RULES: ImportRules<IngredientDraft> = {
  fields: IngredientFields,
  key: ['inciName', 'supplier'],
  nameKeys: { inciName: 'inci_key', chineseName: 'chinese_key' },
  kind: 'ingredient',
  records: 'ingredients',
  store: 'the catalogue',
  suggest: ({ suggestedCategory }) => ({ functionCategory: suggestedCategory }),
  missing: { functionCategory: 'functionCategory (or cosingFunctions)' },
};

const key = (draft: IngredientDraft) => keyOf(INGREDIENT_RULES, draft);

/**
 * Returns remarks on rows with one INCI name whose suppliers differ only in spelling. The rules treat them as different
 * ingredients, but they may be a mistake.
 */
export function lookAlikes(drafts: readonly IngredientDraft[]): string[] {
  const first = new Map<string, IngredientDraft>();
  return drafts.flatMap((draft) => {
    // Files that are matched by another field need not have INCI names.
    if (draft.inciName === undefined) return [];
    const alike = JSON.stringify([draft.inciName, draft.supplier ?? ''].map(nameKey));
    const twin = first.get(alike);
    first.set(alike, twin ?? draft);
    return !twin || key(twin) === key(draft)
      ? []
      : [
          `lines ${twin.line} and ${draft.line}: "${draft.inciName}" of "${twin.supplier}" and "${draft.supplier}", suppliers whose names look alike`,
        ];
  });
}

/**
 * Remarks on prices without a unit for ingredients whose price is not per kilogram or litre. Price lists without a
 * unit usually have prices per kilogram.
 */
export function remarkOnPrices(matched: readonly MatchedRow<IngredientDraft>[], remarks: RowRemarks): void {
  for (const { draft, record } of matched) {
    const { line, unit, unitPrice } = draft;
    const stored = record.unit as string;
    const isClear = unitPrice === undefined || unitPrice === record.unitPrice || unit !== undefined;
    if (isClear || ['kg', 'L'].includes(unitCalled(stored))) continue;
    remarks.add(
      'Prices without a unit count per unit of the catalogue, add a column "unit" if not',
      `${line} (${stored})`,
    );
  }
}
