import { FUNCTION_CATEGORIES, type FunctionCategory } from '../function-category';
import { INGREDIENT_LIMITS } from '../ingredient-limits';
import { categoryFromCosing } from './cosing-categories';

/** What a column of an ingredient file can hold. */
export type IngredientField =
  | 'inciName'
  | 'chineseName'
  | 'functionCategory'
  | 'cosingFunctions'
  | 'supplier'
  | 'unit'
  | 'unitPrice'
  | 'description';

/**
 * One valid row. An absent value says nothing about the field: an existing record keeps what it has, a new one
 * gets the default. An empty cell is an absent value.
 */
export interface IngredientDraft {
  line: number;
  inciName: string;
  /** Part of the key when the file has a supplier column; null where its cell is empty. */
  supplier?: string | null;
  chineseName?: string;
  functionCategory?: FunctionCategory;
  /** What the CosIng functions suggest: for new records only, so that it never overrides somebody's decision. */
  suggestedCategory?: FunctionCategory;
  unit?: string;
  /** Currency per unit, 0 or more. */
  unitPrice?: number;
  description?: string;
}

export interface IngredientRow {
  draft?: IngredientDraft;
  /** Why the row is refused, when there is no draft. */
  reasons: string[];
  /** Functions in the row that CosIng does not have. */
  unknownFunctions: string[];
}

const CHINESE_CATEGORIES = new Map<string, FunctionCategory>([
  ['乳化剂', 'emulsifier'],
  ['保湿剂', 'humectant'],
  ['增稠剂', 'thickener'],
  ['防腐剂', 'preservative'],
  ['抗氧化剂', 'antioxidant'],
  ['香精', 'fragrance'],
  ['香料', 'fragrance'],
  ['着色剂', 'colorant'],
  ['ph调节剂', 'ph_adjuster'],
  ['防晒剂', 'sunscreen'],
  ['表面活性剂', 'surfactant'],
  ['润肤剂', 'emollient'],
  ['其他', 'other'],
]);

/** Plain decimal notation; no thousands separators, currency signs or units. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Checks one row.
 * @param cell the row's text for a field, undefined when the file has no such column
 */
export function readIngredientRow(
  line: number,
  cell: (field: IngredientField) => string | undefined,
): IngredientRow {
  const reasons: string[] = [];
  const refuse = (field: IngredientField, reason: string) => {
    reasons.push(`${field}: ${reason}`);
    return undefined;
  };

  const text = (field: IngredientField, max: number, trim = true): string | undefined => {
    const raw = cell(field);
    const value = trim ? raw?.trim() : raw;
    if (value === undefined || value.trim() === '') return undefined;
    if (value.includes('\u0000')) return refuse(field, 'contains a NUL character');
    if (value.length > max && Array.from(value).length > max)
      return refuse(field, `is longer than ${max} characters`);
    return value;
  };

  const category = (): FunctionCategory | undefined => {
    const value = cell('functionCategory')?.trim() ?? '';
    if (value === '') return undefined;
    const plain = value.toLowerCase().replace(/[\s-]+/g, '_');
    const known =
      FUNCTION_CATEGORIES.find((name) => name === plain) ?? CHINESE_CATEGORIES.get(value.toLowerCase());
    if (known) return known;
    return refuse(
      'functionCategory',
      `"${value}" is no category; the categories are ${FUNCTION_CATEGORIES.join(', ')}`,
    );
  };

  const price = (): number | undefined => {
    const value = cell('unitPrice')?.trim() ?? '';
    if (value === '') return undefined;
    const number = NUMBER.test(value) ? Number(value) : NaN;
    if (!Number.isFinite(number)) {
      return refuse('unitPrice', `"${value}" is not a number (digits and a decimal point, like 12.5)`);
    }
    if (number < 0) return refuse('unitPrice', `must not be negative, is ${value}`);
    return number;
  };

  const inciName = text('inciName', INGREDIENT_LIMITS.name);
  if (inciName === undefined && reasons.length === 0) refuse('inciName', 'is empty');
  const functions = cell('cosingFunctions');
  const cosing =
    functions === undefined || inciName === undefined ? undefined : categoryFromCosing(inciName, functions);
  const draft: Omit<IngredientDraft, 'inciName'> = {
    line,
    ...(cell('supplier') === undefined ? {} : { supplier: text('supplier', INGREDIENT_LIMITS.name) ?? null }),
    chineseName: text('chineseName', INGREDIENT_LIMITS.name),
    functionCategory: category(),
    suggestedCategory: cosing?.category,
    unit: text('unit', INGREDIENT_LIMITS.unit),
    unitPrice: price(),
    // A description may begin or end with white space on purpose (a list, say); names may not.
    description: text('description', INGREDIENT_LIMITS.description, false),
  };
  return {
    ...(inciName === undefined || reasons.length > 0 ? {} : { draft: { ...draft, inciName } }),
    reasons,
    unknownFunctions: cosing?.unknownFunctions ?? [],
  };
}

/**
 * What makes two rows, or a row and a record, the same ingredient: the INCI name regardless of case, and the
 * supplier where the file tells it. White space inside a name counts: CosIng has entries that differ in it only.
 */
export function ingredientKey({
  inciName,
  supplier,
}: Pick<IngredientDraft, 'inciName' | 'supplier'>): string {
  return JSON.stringify([inciName.trim().toLowerCase(), supplier ?? null]);
}

export function ingredientLabel({
  inciName,
  supplier,
}: Pick<IngredientDraft, 'inciName' | 'supplier'>): string {
  return supplier ? `${inciName} (${supplier})` : inciName;
}

/** Rows that differ in white space inside the name only: different ingredients by the rules, but perhaps by mistake. */
export function lookAlikes(drafts: readonly IngredientDraft[]): string[] {
  const first = new Map<string, IngredientDraft>();
  return drafts.flatMap((draft) => {
    const spaced = ingredientKey({ ...draft, inciName: draft.inciName.replace(/\s+/g, ' ') });
    const twin = first.get(spaced);
    first.set(spaced, twin ?? draft);
    return twin && ingredientKey(twin) !== ingredientKey(draft)
      ? [
          `lines ${twin.line} and ${draft.line}: "${twin.inciName}" and "${draft.inciName}" differ in spaces only`,
        ]
      : [];
  });
}
