import type { RowReading } from '../imports/file-import';
import { type Cell, readFields } from '../imports/mapping/read-fields';
import { categoryFromCosing } from './cosing-categories';
import { saysOnRequest, unitCalled, unitOfPrices } from './price-column';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-rules';

/** A column of ingredient files beside those of the fields: what CosIng says of an ingredient's functions. */
export const COSING_COLUMN = {
  field: 'cosingFunctions',
  aliases: ['CosIng functions', 'function', 'functions', 'COSING 功能'],
};

/**
 * Checks one row.
 * @param key the fields that say which ingredient it is, where not INCI name and supplier
 * @param nameOf the name of the column of prices may say which unit they are per
 */
export function readIngredientRow(
  line: number,
  cell: Cell,
  nameOf: Cell = () => undefined,
  key: readonly string[] = INGREDIENT_RULES.key,
): RowReading<IngredientDraft> {
  const onRequest = saysOnRequest(cell('unitPrice'));
  const { values, reasons } = readFields(INGREDIENT_RULES.fields, key, (field) =>
    field === 'unitPrice' && onRequest ? undefined : cell(field),
  );
  const inciName = values.inciName as string | undefined;
  const functions = cell(COSING_COLUMN.field);
  const cosing =
    functions === undefined || inciName === undefined ? undefined : categoryFromCosing(inciName, functions);
  const remarks = (cosing?.unknownFunctions ?? []).map(
    (name) => `"${name}" is no CosIng function and was not used`,
  );
  if (onRequest) remarks.push(`"${nameOf('unitPrice') ?? 'unitPrice'}": prices on request are no prices`);
  const priceColumn = nameOf('unitPrice') ?? '';
  const per = values.unitPrice === undefined ? undefined : unitOfPrices(priceColumn);
  const unit = values.unit ?? per;
  if (per !== undefined) {
    remarks.push(`"${priceColumn}": prices are per ${per}`);
    if (unitCalled(unit as string) !== per) {
      reasons.push(`unit: is "${unit as string}", and prices are per ${per} ("${priceColumn}")`);
    }
  }
  if (reasons.length > 0) return { reasons, remarks };
  return {
    draft: { ...values, inciName: inciName!, unit, line, suggestedCategory: cosing?.category },
    reasons,
    remarks,
  };
}
