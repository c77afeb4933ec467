import type { RowReading } from '../files/file-import';
import { type Cell, readFields } from '../files/mapping/read-fields';
import { categoryFromCosing } from './cosing-categories';
import {
  baseIn,
  baseOfPrices,
  baseText,
  isOtherMultiple,
  isPackSize,
  perUnit,
  type PriceBase,
  saysNoPrice,
  unitCalled,
} from './price-column';
import { INGREDIENT_RULES, type IngredientDraft } from './ingredient-rules';

/** A column of ingredient files that is not a field: the functions of an ingredient according to CosIng. */
export const COSING_COLUMN = {
  field: 'cosingFunctions',
  aliases: ['CosIng functions', 'function', 'functions', 'COSING 功能'],
};

/** Column with the size of a pack. A price may be that of a pack. */
export const PACK_COLUMN = {
  field: 'packSize',
  isHint: true,
  aliases: [
    ...['pack size', 'package size', 'packaging', 'size', 'pack', 'quantity', 'qty', 'net weight', 'content'],
    ...['Gebinde', 'Gebindegröße', 'Packung', 'Verpackung', 'Inhalt', 'Conditionnement', 'Confezione'],
    ...['规格', '包装规格', '包装', '規格', '包裝', '荷姿', '容量', '净含量', '净重'],
  ],
  pattern:
    /^(?:pack(?:age)?size|size|quantity|qty|netweight|content|inhalt|规格|包装|净含量|净重|容量)(?:kg|g|ml|l|lbs?|oz|克|千克|公斤|升)$/,
};

/**
 * Checks one row.
 * @param key the fields that identify the ingredient, if not INCI name and supplier
 * @param nameOf returns the heading of a column; the heading of the price column may name its unit
 */
export function readIngredientRow(
  line: number,
  cell: Cell,
  nameOf: Cell = () => undefined,
  key: readonly string[] = INGREDIENT_RULES.key,
): RowReading<IngredientDraft> {
  const noPrice = saysNoPrice(cell('unitPrice'));
  const price = /^(?<number>[^/]+)(?<per>\/\s*\d*\s*\p{L}+)$/u.exec(cell('unitPrice')?.trim() ?? '')?.groups;
  const { values, reasons } = readFields(INGREDIENT_RULES.fields, key, (field) => {
    if (field === 'unitPrice' && noPrice) return undefined;
    return field === 'unitPrice' && price ? price.number : cell(field);
  });
  const inciName = values.inciName as string | undefined;
  const functions = cell(COSING_COLUMN.field);
  const cosing =
    functions === undefined || inciName === undefined ? undefined : categoryFromCosing(inciName, functions);
  const remarks = (cosing?.unknownFunctions ?? []).map(
    (name) => `"${name}" is no CosIng function and was not used`,
  );
  const priceColumn = nameOf('unitPrice') ?? 'unitPrice';
  if (noPrice === 'on request') remarks.push(`"${priceColumn}": prices on request are no prices`);
  if (noPrice === 'none') remarks.push(`"${priceColumn}": "${cell('unitPrice')!.trim()}" is no price`);
  if (values.unitPrice !== undefined) {
    const bases = [price && baseIn(price.per!), baseOfPrices(priceColumn)].filter(
      (base) => base !== undefined,
    );
    const fault =
      multipleFault(priceColumn) ??
      baseFault(bases, values.unit as string | undefined, priceColumn) ??
      packFault(bases, values, cell, nameOf);
    if (fault) reasons.push(fault);
    const [base] = bases;
    if (base) {
      const { price: unitPrice, unit } = perUnit(values.unitPrice as number, base);
      const read = unit === baseText(base) ? '' : `, read as per ${unit}`;
      remarks.push(`"${priceColumn}": prices are per ${baseText(base)}${read}`);
      Object.assign(values, { unitPrice, unit: values.unit ?? unit });
    }
  }
  if (reasons.length > 0) return { reasons, remarks };
  return {
    draft: { ...values, inciName: inciName!, line, suggestedCategory: cosing?.category },
    reasons,
    remarks,
  };
}

function baseFault(
  bases: readonly PriceBase[],
  unit: string | undefined,
  column: string,
): string | undefined {
  const [base, other] = bases.map(baseText);
  if (other !== undefined && base !== other) {
    return `unitPrice: is per ${base}, and prices are per ${other} ("${column}")`;
  }
  return base === undefined || unit === undefined || unitCalled(unit) === base
    ? undefined
    : `unit: is "${unit}", and prices are per ${base} ("${column}")`;
}

const multipleFault = (column: string): string | undefined =>
  isOtherMultiple(column)
    ? `unitPrice: "${column}" is in hundredths or thousands: write amounts of the currency`
    : undefined;

/** Without a unit, a price beside a pack of 25 kg may be per kilogram or per pack. */
function packFault(bases: readonly PriceBase[], { unit }: Record<string, unknown>, cell: Cell, nameOf: Cell) {
  if (
    bases.length > 0 ||
    unit !== undefined ||
    !isPackSize(cell(PACK_COLUMN.field), nameOf(PACK_COLUMN.field))
  )
    return undefined;
  const [price, pack] = [nameOf('unitPrice') ?? 'unitPrice', nameOf(PACK_COLUMN.field) ?? PACK_COLUMN.field];
  return (
    `packSize: is "${cell(PACK_COLUMN.field)!.trim()}", and "${price}" does not say what it is per: ` +
    `leave the packs out if it is per kg (map "${pack}="), or make them the unit (map "${pack}=unit")`
  );
}
