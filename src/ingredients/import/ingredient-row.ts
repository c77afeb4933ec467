import type { RowReading } from '../../common/import/file-import';
import { type Cell, readFields } from '../../common/import/read-fields';
import { categoryFromCosing } from './cosing-categories';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-rules';

/** A column of ingredient files beside those of the fields: what CosIng says of an ingredient's functions. */
export const COSING_COLUMN = {
  field: 'cosingFunctions',
  aliases: ['CosIng functions', 'function', 'functions', 'COSING 功能'],
};

/** Checks one row. */
export function readIngredientRow(line: number, cell: Cell): RowReading<IngredientDraft> {
  const { values, reasons } = readFields(INGREDIENT_RULES.fields, INGREDIENT_RULES.key, cell);
  const inciName = values.inciName as string | undefined;
  const functions = cell(COSING_COLUMN.field);
  const cosing =
    functions === undefined || inciName === undefined ? undefined : categoryFromCosing(inciName, functions);
  const remarks = (cosing?.unknownFunctions ?? []).map(
    (name) => `"${name}" is no CosIng function and was not used`,
  );
  if (inciName === undefined || reasons.length > 0) return { reasons, remarks };
  return { draft: { ...values, line, inciName, suggestedCategory: cosing?.category }, reasons, remarks };
}
