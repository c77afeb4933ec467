import { visibleText } from '../../platform/common/name-forms';
import Big from 'big.js';
import type { Message } from '../../platform/texts/define-texts';
import { isUuid } from '../../platform/validation/uuid';
import { LONG_TEXT, MAX_NAME } from '../formula.fields';
import { readDecimal } from '../../platform/validation/decimal';
import type { RowReading } from '../../files/file-import';
import type { RowFault } from '../../files/import-report';
import { importText } from '../../files/import.texts';
import type { CellReader } from '../../files/mapping/read-fields';
import { ingredientImportText } from '../../ingredients/ingredient-import.texts';
import { FIELD_OF_KIND } from '../../ingredients/names/other-names.dto';
import { readNameCells } from '../../ingredients/names/import/name-columns';
import { type Profile, profileOfText } from '../profile/profile.fields';
import { formulaImportText } from './formula-import.texts';
import { isSum } from '../../formula-text/sums';
import { isProcedure } from '../../formula-text/text-lines';
import { shortened } from '../../platform/texts/text';
import { BALANCE, KILOGRAM_UNIT, LITER_UNIT, MILLILITER_UNIT } from './formula-row.words';

export interface FormulaRow {
  line: number;
  formulaId: string | null;
  formula: string;
  project: string | null;
  description: string | null;
  version: number | null;
  versionDescription: string | null;
  phase: string | null;
  phaseOrder: number | null;
  ingredientId: string | null;
  inciName: string | null;
  chineseName: string | null;
  /** Either the INCI name or the Chinese name. */
  ingredient: string | null;
  casNumbers: readonly string[];
  /** Undefined if the file has no such column. */
  supplier: string | null | undefined;
  /** In percent or grams; `rest` for the balance line. */
  amount: Big | 'rest';
  /** Total of all lines in the cell of a balance line, if given. */
  total?: Big;
  unit: 'percent' | 'grams';
  /** A volume, whose amount in grams is known with the density of its ingredient. */
  milliliters?: Big;
  /** The field and the cell of the amount. */
  field: (typeof AMOUNTS)[number];
  written: string;
  /** Grams in addition to percent. */
  grams?: Big;
  processNotes: string | null;
  profile: Profile | null;
}

/** A number in percent or grams, the step of its last decimal, and the size of its unit. */
export interface Quantity {
  value: Big;
  step: Big;
  scale: number;
}

/** A row with the sum of others. It is compared with them. */
export interface SumRow {
  line: number;
  /** The word for it; empty if the row has nothing but an amount. */
  sum: string;
  percentage?: Quantity;
  grams?: Quantity;
}

export type FormulaFileRow = FormulaRow | SumRow;

export const isSumRow = (row: FormulaFileRow): row is SumRow => 'sum' in row;
export const isLine = (row: FormulaFileRow): row is FormulaRow => !isSumRow(row);

const CAS = FIELD_OF_KIND.cas;
const MAX_ORDER = 2_147_483_647;
/** Fields of amounts. The first one that a row has counts. */
const AMOUNTS = ['percentage', 'grams', 'milliliters'] as const;

/** @param name name of the formula, if the row has none */
export function readFormulaRow(
  line: number,
  cell: CellReader,
  name = '',
  nameOf: CellReader = () => undefined,
): RowReading<FormulaFileRow> {
  const faults: RowFault[] = [];
  const refuse = (field: string, reason: Message) => faults.push({ field, reason });
  const readText = (field: string, max: number) => {
    const found = cell(field)?.trim() ?? '';
    if (Array.from(found).length > max) refuse(field, importText('import.too-long', { max }));
    if (found.includes('\u0000')) refuse(field, importText('import.nul-character'));
    return found === '' ? null : found;
  };
  const readId = (field: string) => {
    const found = readText(field, MAX_NAME);
    if (found !== null && !isUuid(found)) refuse(field, importText('import.no-id', { value: found }));
    return found?.toLowerCase() ?? null;
  };
  const readInteger = (field: string, min: number) => {
    const found = readText(field, MAX_NAME);
    const number = found === null ? null : readDecimal(found);
    const isFine = number === null || (Number.isInteger(number) && number! >= min && number! <= MAX_ORDER);
    if (!isFine) {
      refuse(field, formulaImportText('formula-import.not-whole', { value: found!, min, max: MAX_ORDER }));
    }
    return isFine ? (number ?? null) : null;
  };
  const readProfile = () => {
    const written = cell('profile')?.trim();
    const read = written ? profileOfText(written) : null;
    if (read === null || !('fault' in read)) return read;
    refuse('profile', formulaImportText('formula-import.profile', { field: read.fault }));
    return null;
  };

  const names = ['ingredientId', 'inciName', 'chineseName', 'ingredient'].map(
    (field) => cell(field)?.trim() ?? '',
  );
  const kilograms = KILOGRAM_UNIT.test(visibleText(nameOf('grams') ?? '')) ? 1000 : 1;
  const sum = sumWord(names, cell);
  if (sum !== undefined) {
    const percentage = readQuantity(cell('percentage') ?? '', 'percent', 1);
    const grams = readQuantity(cell('grams') ?? '', 'grams', kilograms);
    const remarks = [formulaImportText('formula-import.sum-row')];
    if (percentage || grams) return { draft: { line, sum, percentage, grams }, faults, remarks };
    if (sum !== '') return { faults, remarks };
  }
  const remark = names.filter((text) => text !== '');
  const isEmpty = [...AMOUNTS, CAS].every((field) => !cell(field)?.trim());
  if (isEmpty && remark.length === 1 && remark[0]!.length > 12 && isProcedure(remark[0]!)) {
    const lines = `${line} ("${shortened(remark[0]!, MAX_NAME)}")`;
    return { faults, remarks: [importText('import.notes-not-read', { lines })] };
  }
  const formula = readText('formula', MAX_NAME) ?? name;
  const formulaId = readId('formulaId');
  if (formula === '') refuse('formula', formulaImportText('formula-import.no-name'));
  const numbers = readNameCells((one) => (one === CAS ? cell(one) : undefined), nameOf);
  const casNumbers = numbers.names.map((number) => number.name);
  const remarks = numbers.remarks;
  if (names.every((text) => text === '') && casNumbers.length === 0) {
    const cas = cell(CAS)?.trim();
    if (cas) refuse(CAS, ingredientImportText('ingredient-import.no-cas-number', { value: cas }));
    else refuse('inciName', formulaImportText('formula-import.no-ingredient'));
  }
  const [field = 'percentage', ...others] = AMOUNTS.filter((one) => readText(one, MAX_NAME) !== null);
  if (others.includes('milliliters')) {
    refuse('milliliters', formulaImportText('formula-import.second-amount'));
  }
  const unit: FormulaRow['unit'] = field === 'percentage' ? 'percent' : 'grams';
  const written = cell(field)?.trim() ?? '';
  const isVolume = field === 'milliliters';
  const volume = unit === 'grams' ? readVolume(written, isVolume ? nameOf(field) : '') : undefined;
  const amount = volume
    ? positive(volume, written)
    : readAmount(written, unit, isVolume ? undefined : kilograms);
  if ('fault' in amount) refuse(field, amount.fault);
  // Rows with the same keys in the same order share their layout: a row takes 360 bytes instead of 900.
  const row: FormulaRow = {
    line,
    formulaId,
    formula,
    project: readText('project', MAX_NAME),
    description: readText('description', LONG_TEXT),
    version: readInteger('version', 1),
    versionDescription: readText('versionDescription', LONG_TEXT),
    phase: readText('phase', MAX_NAME),
    phaseOrder: readInteger('phaseOrder', -MAX_ORDER),
    ingredientId: readId('ingredientId'),
    inciName: readText('inciName', MAX_NAME),
    chineseName: readText('chineseName', MAX_NAME),
    ingredient: readText('ingredient', MAX_NAME),
    supplier: cell('supplier') === undefined ? undefined : readText('supplier', MAX_NAME),
    casNumbers,
    unit,
    milliliters: volume?.value,
    field,
    written,
    grams: unit === 'percent' ? gramsBeside(cell('grams')?.trim() ?? '') : undefined,
    processNotes: readText('processNotes', LONG_TEXT),
    profile: readProfile(),
    amount: 'fault' in amount ? 'rest' : amount.amount,
    total: 'fault' in amount ? undefined : amount.total,
  };
  return faults.length > 0 ? { faults } : { draft: row, faults, remarks };
}

/**
 * Returns the word for a sum in a row, empty if it names nothing at all; undefined for any other row.
 * @param names the id and the names of its ingredient
 */
function sumWord([id, ...names]: readonly string[], cell: CellReader): string | undefined {
  const filled = names.filter((name) => name !== '');
  if (id !== '') return undefined;
  if (filled.length > 0) return filled.every(isSum) ? filled[0] : undefined;
  const word = ['phase', 'formula'].map((field) => cell(field)?.trim() ?? '').find(isSum);
  return word ?? (cell(CAS)?.trim() || cell('processNotes')?.trim() ? undefined : '');
}

type RowAmount = Pick<FormulaRow, 'amount' | 'total'>;

/** @param factor grams of the column's unit; absent where it is a volume */
function readAmount(cell: string, unit: FormulaRow['unit'], factor?: number): RowAmount | { fault: Message } {
  if (cell === '') return { fault: importText('import.empty') };
  const balance = BALANCE.exec(visibleText(cell));
  if (balance) {
    const { total, sign } = balance.groups ?? {};
    // "to 100 %" gives no total in grams.
    const grams = unit === 'percent' ? 1 : sign === '%' ? undefined : gramsIn(sign, factor);
    return {
      amount: 'rest',
      ...(total && grams && { total: new Big(total.replace(',', '.')).times(grams) }),
    };
  }
  const quantity = readQuantity(cell, unit, factor);
  if (!quantity) {
    const example = factor === undefined ? '2.5 mL' : 2.5;
    return { fault: importText('import.no-number-like', { value: cell, example }) };
  }
  if (unit === 'percent' && quantity.value.gt(100)) {
    return { fault: importText('import.above', { max: 100, value: cell }) };
  }
  return positive(quantity, cell);
}

const positive = ({ value }: Quantity, cell: string): RowAmount | { fault: Message } =>
  value.gt(0) ? { amount: value } : { fault: importText('import.not-above', { min: 0, value: cell }) };

/** Returns undefined if the cell has no number in this unit. */
function readQuantity(cell: string, unit: FormulaRow['unit'], factor?: number): Quantity | undefined {
  const [, number = '', sign] =
    (unit === 'percent'
      ? /^(.*?)\s*(?:(%|‰|ppm)\s*(?:w\s*\/\s*w|m\s*\/\s*m|wt)?)?$/is
      : /^(.*?)\s*(kg|g|千克|公斤|克)?$/is
    ).exec(visibleText(cell.trim())) ?? [];
  const scale = unit === 'percent' ? (PARTS[sign?.toLowerCase() ?? ''] ?? 1) : gramsIn(sign, factor);
  return quantityOf(number, scale);
}

/**
 * The volume of a cell in millilitres, if it has one.
 * @param heading whose unit a number without one has
 */
function readVolume(cell: string, heading = ''): Quantity | undefined {
  const [, number = '', sign = visibleText(heading)] =
    /^(.*?)\s*(m?l|毫升|公?升)?$/is.exec(visibleText(cell)) ?? [];
  return quantityOf(number, MILLILITER_UNIT.test(sign) ? 1 : LITER_UNIT.test(sign) ? 1000 : undefined);
}

function quantityOf(number: string, scale: number | undefined): Quantity | undefined {
  const value = readDecimal(number);
  if (value === undefined || !Number.isFinite(value) || scale === undefined) return undefined;
  const decimals = /\.(\d+)/.exec(number)?.[1]!.length ?? 0;
  return { value: new Big(value).times(scale), step: new Big(10).pow(-decimals).times(scale), scale };
}

/** Percent of other units of shares. */
const PARTS: Readonly<Record<string, number>> = { '‰': 0.1, ppm: 0.0001 };

const gramsIn = (sign: string | undefined, factor?: number): number | undefined =>
  sign === undefined ? factor : KILOGRAM_UNIT.test(sign) ? 1000 : 1;

function gramsBeside(cell: string): Big | undefined {
  const amount = readAmount(cell, 'grams', 1);
  return 'amount' in amount && amount.amount !== 'rest' ? amount.amount : undefined;
}
