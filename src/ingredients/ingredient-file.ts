import type { ImportRecord, ImportRules } from '../files/compare-rows';
import { importedFields, labelOf, recordKey } from '../files/compare-rows';
import type { FileImportDescription, ImportDraft, MatchDescription, RowReading } from '../files/file-import';
import type { Reason, RowFault } from '../files/import-report';
import { importText } from '../files/import.texts';
import { importColumns } from '../files/mapping/file-column';
import { type CellReader, readFields } from '../files/mapping/read-fields';
import { inTurns } from '../platform/common/in-turns';
import { nameKey } from '../platform/common/name-forms';
import { categoryFromCosing } from './cosing-categories';
import type { FunctionCategory } from './function-category';
import { ingredientImportText } from './ingredient-import.texts';
import { IngredientFields } from './ingredient.fields';
import { NAME_COLUMNS, readNameCells, writtenNames } from './names/import/name-columns';
import { FIELD_OF_KIND } from './names/other-names.dto';
import type { StoredName } from './names/other-names-rules';
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

/** A valid row of an ingredient file. */
export interface IngredientDraft extends ImportDraft {
  inciName: string;
  /** Part of the key if the file has a supplier column; null if the cell is empty. */
  supplier?: string | null;
  /** The category for the CosIng functions. Used for new records only, so that it never overrides a user's choice. */
  suggestedCategory?: FunctionCategory;
  /** Names to add. */
  names?: readonly StoredName[];
  /** The CAS numbers among them, by which `--match cas` finds the ingredient. */
  casNumbers?: string;
}

export const INGREDIENT_RULES: ImportRules<IngredientDraft> = {
  fields: IngredientFields,
  key: ['inciName', 'supplier'],
  nameKeys: { inciName: 'inci_key', chineseName: 'chinese_key' },
  kind: 'ingredient',
  details: ['names'],
  suggest: ({ suggestedCategory }) => ({ functionCategory: suggestedCategory }),
  ambiguous: (values) => ingredientImportText('ingredient-import.ambiguous', values),
  incomplete: (values) => ingredientImportText('ingredient-import.incomplete', values),
  missing: { functionCategory: ingredientImportText('ingredient-import.category') },
};

/** A column of ingredient files that is not a field: the functions of an ingredient according to CosIng. */
const COSING_COLUMN = {
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
 * Matches a row that only has a name: a heading or a note, which would change nothing. A price alone does not match.
 */
const NOTES = /^(?![¥$€£]?\s*\d[\d.,'\s]*\S{0,4}$).*\p{L}/su;

/** Returns the description of files whose rows are matched with ingredients by these fields. */
const match = (...key: [string, ...string[]]): MatchDescription<IngredientDraft> => ({
  key,
  columns: [
    ...importColumns(IngredientFields, key),
    COSING_COLUMN,
    PACK_COLUMN,
    ...NAME_COLUMNS.map((column) => (key.includes(column.field) ? { ...column, required: true } : column)),
  ],
  notes: NOTES,
  readRow: (line, cell, nameOf) => readIngredientRow(line, cell, nameOf, key),
});

export const INGREDIENT_FILE: FileImportDescription<IngredientDraft> = {
  command: 'ingredients',
  help: {
    command: 'The ingredient catalogue as a file',
    import: 'Create and update ingredients from a file',
    export: 'Write the catalogue as a CSV, XLSX or JSON file that import reads',
  },
  records: 'ingredients',
  store: 'the catalogue',
  columns: match('inciName').columns,
  notes: NOTES,
  readRow: readIngredientRow,
  matches: {
    inci: match('inciName'),
    chinese: match('chineseName'),
    'inci+supplier': match('inciName', 'supplier'),
    cas: match(FIELD_OF_KIND.cas),
  },
  exported: [...importedFields(INGREDIENT_RULES), ...NAME_COLUMNS].map(({ field }) => field),
  cellsOf: (record) => ({
    ...record,
    ...Object.fromEntries(NAME_COLUMNS.map(({ field }) => [field, writtenNames(record[field] as string[])])),
  }),
  keyOf: (record) => {
    const trimmed = INGREDIENT_RULES.key.map((field) => [
      field,
      (record[field] as string | null)?.trim() || null,
    ]);
    const draft = { ...Object.fromEntries(trimmed), line: 0 } as ImportDraft;
    return { key: recordKey(INGREDIENT_RULES, draft), label: labelOf(INGREDIENT_RULES, draft) };
  },
};

/**
 * Checks one row.
 * @param key the fields that identify the ingredient, if not INCI name and supplier
 * @param nameOf returns the heading of a column; the heading of the price column may name its unit
 */
export function readIngredientRow(
  line: number,
  cell: CellReader,
  nameOf: CellReader = () => undefined,
  key: readonly string[] = INGREDIENT_RULES.key,
): RowReading<IngredientDraft> {
  const noPrice = saysNoPrice(cell('unitPrice'));
  const price = /^(?<number>[^/]+)(?<per>\/\s*\d*\s*\p{L}+)$/u.exec(cell('unitPrice')?.trim() ?? '')?.groups;
  const { values, faults } = readFields(IngredientFields, key, (field) => {
    if (field === 'unitPrice' && noPrice) return undefined;
    return field === 'unitPrice' && price ? price.number : cell(field);
  });
  const inciName = values.inciName as string | undefined;
  const functions = cell(COSING_COLUMN.field);
  const cosing =
    functions === undefined || inciName === undefined ? undefined : categoryFromCosing(inciName, functions);
  const remarks: Reason[] = (cosing?.unknownFunctions ?? []).map((name) =>
    ingredientImportText('ingredient-import.no-function', { name }),
  );
  const column = nameOf('unitPrice') ?? 'unitPrice';
  if (noPrice === 'on request')
    remarks.push(ingredientImportText('ingredient-import.on-request', { column }));
  if (noPrice === 'none') {
    const value = cell('unitPrice')!.trim();
    remarks.push(ingredientImportText('ingredient-import.no-price', { column, value }));
  }
  if (values.unitPrice !== undefined) {
    const bases = [price && baseIn(price.per!), baseOfPrices(column)].filter((base) => base !== undefined);
    const fault = priceFault(bases, values.unit as string | undefined, cell, nameOf);
    if (fault) faults.push(fault);
    const [base] = bases;
    if (base) {
      const { price: unitPrice, unit } = perUnit(values.unitPrice as number, base);
      remarks.push(
        unit === baseText(base)
          ? ingredientImportText('ingredient-import.per', { column, base: unit })
          : ingredientImportText('ingredient-import.converted', { column, base: baseText(base), unit }),
      );
      Object.assign(values, { unitPrice, unit: values.unit ?? unit });
    }
  }
  const named = readNameCells(cell, nameOf);
  faults.push(...named.faults);
  remarks.push(...named.remarks);
  const numbers = named.names.filter(({ kind }) => kind === 'cas').map(({ name }) => name);
  if (key[0] === FIELD_OF_KIND.cas && numbers.length === 0) {
    const written = cell(FIELD_OF_KIND.cas)?.trim();
    const reason = written
      ? ingredientImportText('ingredient-import.no-cas-number', { value: written })
      : importText('import.empty');
    faults.push({ field: FIELD_OF_KIND.cas, reason });
  }
  if (faults.length > 0) return { faults, remarks };
  return {
    draft: {
      ...values,
      inciName: inciName!,
      line,
      suggestedCategory: cosing?.category,
      ...(named.names.length > 0 && { names: named.names }),
      ...(numbers.length > 0 && { [FIELD_OF_KIND.cas]: numbers.join(' ') }),
    },
    faults,
    remarks,
  };
}

/**
 * The fault of a row whose price could be another one than it seems: in cents, per another unit, or per pack.
 * @param bases the quantities that the row and the heading say that the price is for
 * @param unit that of the row
 * @param fields names of the fields of the price and of its unit
 */
export function priceFault(
  bases: readonly PriceBase[],
  unit: string | undefined,
  cell: CellReader,
  nameOf: CellReader,
  fields = { price: 'unitPrice', unit: 'unit' },
): RowFault | undefined {
  const column = nameOf(fields.price) ?? fields.price;
  if (isOtherMultiple(column)) {
    return {
      field: fields.price,
      reason: ingredientImportText('ingredient-import.other-multiple', { column }),
    };
  }
  const [base, other] = bases.map(baseText);
  if (base !== undefined && other !== undefined && base !== other) {
    const reason = ingredientImportText('ingredient-import.two-bases', { base, other, column });
    return { field: fields.price, reason };
  }
  if (base !== undefined && unit !== undefined && unitCalled(unit) !== base) {
    const reason = ingredientImportText('ingredient-import.other-unit', { unit, base, column });
    return { field: fields.unit, reason };
  }
  // Without a unit, a price beside a pack of 25 kg may be per kilogram or per pack.
  const { field } = PACK_COLUMN;
  if (base !== undefined || unit !== undefined || !isPackSize(cell(field), nameOf(field))) return undefined;
  const size = cell(field)!.trim();
  const values = { size, price: column, pack: nameOf(field) ?? field, unit: fields.unit };
  return { field, reason: ingredientImportText('ingredient-import.pack', values) };
}

const keyOfDraft = (draft: IngredientDraft) => recordKey(INGREDIENT_RULES, draft);

/**
 * Returns remarks on rows with one INCI name whose suppliers differ only in spelling. The rules treat them as different
 * ingredients, but they may be a mistake.
 */
export async function lookAlikes(drafts: readonly IngredientDraft[]): Promise<Reason[]> {
  const first = new Map<string, IngredientDraft>();
  const alikes = await inTurns(drafts, (draft): Reason[] => {
    // Files that are matched by another field need not have INCI names.
    if (draft.inciName === undefined) return [];
    const alike = JSON.stringify([draft.inciName, draft.supplier ?? ''].map(nameKey));
    const twin = first.get(alike);
    first.set(alike, twin ?? draft);
    if (!twin || keyOfDraft(twin) === keyOfDraft(draft)) return [];
    const values = { one: twin.line, other: draft.line, name: draft.inciName };
    const suppliers = { supplier: String(twin.supplier), twin: String(draft.supplier) };
    return [ingredientImportText('ingredient-import.suppliers-alike', { ...values, ...suppliers })];
  });
  return alikes.flat();
}

/**
 * Returns true for a price without a unit of an ingredient whose price is not per kilogram or litre. Price lists
 * without a unit usually have prices per kilogram.
 */
export function withoutUnit({ unit, unitPrice }: IngredientDraft, record: ImportRecord): boolean {
  const isClear = unitPrice === undefined || unitPrice === record.unitPrice || unit !== undefined;
  return !isClear && !['kg', 'L'].includes(unitCalled(record.unit as string));
}
