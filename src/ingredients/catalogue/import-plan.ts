import type { ImportPlan } from '../../common/import/run-import';
import type { FunctionCategory } from '../function-category';
import { DEFAULT_UNIT } from '../ingredient-limits';
import { type IngredientDraft, ingredientLabel } from './ingredient-row';

/** The values of an ingredient that an import reads and writes. */
export interface CatalogueRecord {
  id: string;
  inciName: string;
  chineseName: string;
  functionCategory: FunctionCategory;
  supplier: string | null;
  unit: string;
  unitPrice: number | null;
  description: string | null;
}

export type CatalogueCreation = Omit<CatalogueRecord, 'id'>;

/** Null: the field stays as it is. Names and supplier are the key and never change by an import. */
export interface CatalogueChange {
  id: string;
  chineseName: string | null;
  functionCategory: FunctionCategory | null;
  unit: string | null;
  unitPrice: number | null;
  description: string | null;
}

type CataloguePlan = ImportPlan<CatalogueCreation, CatalogueChange>;

/**
 * What is to be done for each row, given the records that have its key.
 * @param matches for each draft, in the same order
 */
export function planImport(
  drafts: readonly IngredientDraft[],
  matches: readonly CatalogueRecord[][],
): CataloguePlan {
  const plan: CataloguePlan = { creations: [], changes: [], unchanged: 0, refused: [] };
  drafts.forEach((draft, index) => {
    const [record, ...others] = matches[index] ?? [];
    if (!record) create(draft, plan);
    else if (others.length > 0) {
      const of = draft.supplier === undefined && others.some(({ supplier }) => supplier !== record.supplier);
      const hint = of ? ': name the supplier in a column of its own' : '';
      plan.refused.push({
        line: draft.line,
        reason: `${ingredientLabel(draft)} matches ${others.length + 1} ingredients of the catalogue${hint}`,
      });
    } else update(draft, record, plan);
  });
  return plan;
}

function create(draft: IngredientDraft, plan: CataloguePlan): void {
  const functionCategory = draft.functionCategory ?? draft.suggestedCategory;
  if (draft.chineseName === undefined || functionCategory === undefined) {
    const missing = [
      ...(draft.chineseName === undefined ? ['chineseName'] : []),
      ...(functionCategory === undefined ? ['functionCategory (or cosingFunctions)'] : []),
    ];
    plan.refused.push({
      line: draft.line,
      reason: `${ingredientLabel(draft)} is not in the catalogue, and to create it ${missing.join(' and ')} is missing`,
    });
    return;
  }
  plan.creations.push({
    inciName: draft.inciName,
    chineseName: draft.chineseName,
    functionCategory,
    supplier: draft.supplier ?? null,
    unit: draft.unit ?? DEFAULT_UNIT,
    unitPrice: draft.unitPrice ?? null,
    description: draft.description ?? null,
  });
}

function update(draft: IngredientDraft, record: CatalogueRecord, plan: CataloguePlan): void {
  const different = <Value>(wanted: Value | undefined, stored: unknown): Value | null =>
    wanted === undefined || wanted === stored ? null : wanted;
  // Names and units are read without surrounding white space; a record that has some is not different for it.
  const change: CatalogueChange = {
    id: record.id,
    chineseName: different(draft.chineseName, record.chineseName.trim()),
    functionCategory: different(draft.functionCategory, record.functionCategory),
    unit: different(draft.unit, record.unit.trim()),
    unitPrice: different(draft.unitPrice, record.unitPrice),
    description: different(draft.description, record.description),
  };
  const { id: _, ...values } = change;
  if (Object.values(values).every((value) => value === null)) plan.unchanged++;
  else plan.changes.push(change);
}
