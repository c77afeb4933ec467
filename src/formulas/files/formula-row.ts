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
import { formulaImportText } from './formula-import.texts';
import { BALANCE, KILOGRAM_UNIT, SUM_ROW } from './formula-row.words';

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
  /** The cell of the amount. */
  written: string;
  /** Grams in addition to percent. */
  grams?: Big;
  processNotes: string | null;
}

const CAS = FIELD_OF_KIND.cas;
const MAX_ORDER = 2_147_483_647;

/** @param name name of the formula, if the row has none */
export function readFormulaRow(
  line: number,
  cell: CellReader,
  name = '',
  nameOf: CellReader = () => undefined,
): RowReading<FormulaRow> {
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

  const names = ['ingredientId', 'inciName', 'chineseName', 'ingredient'].map(
    (field) => cell(field)?.trim() ?? '',
  );
  const isSum = [...names, cell('phase')?.trim() ?? ''].some((text) => SUM_ROW.test(text)) && names[0] === '';
  if (isSum || isUnnamedSum(cell)) {
    return { faults, remarks: [formulaImportText('formula-import.sum-row')] };
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
  const unit: FormulaRow['unit'] =
    readText('percentage', MAX_NAME) === null && readText('grams', MAX_NAME) !== null ? 'grams' : 'percent';
  const field = unit === 'grams' ? 'grams' : 'percentage';
  const written = cell(field)?.trim() ?? '';
  const amount = readAmount(written, unit, KILOGRAM_UNIT.test(nameOf('grams') ?? '') ? 1000 : 1);
  if ('fault' in amount) refuse(field, amount.fault);
  const row = {
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
    written,
    ...(unit === 'percent' && gramsBeside(cell('grams')?.trim() ?? '')),
    processNotes: readText('processNotes', LONG_TEXT),
  };
  return faults.length > 0 ? { faults } : { draft: { ...row, ...(amount as RowAmount) }, faults, remarks };
}

/** A row with nothing but an amount of 100 is the sum, although it does not say so. */
function isUnnamedSum(cell: CellReader): boolean {
  const fields = ['ingredientId', 'inciName', 'chineseName', 'ingredient', CAS, 'processNotes'];
  if (fields.some((field) => cell(field)?.trim())) return false;
  const amounts = ['percentage', 'grams']
    .map((field) => cell(field)?.trim() ?? '')
    .filter((text) => text !== '');
  return (
    amounts.length > 0 &&
    amounts.every((text) => Number(visibleText(text).replace(/\s*(?:%|g|克)$/i, '')) === 100)
  );
}

type RowAmount = Pick<FormulaRow, 'amount' | 'total'>;

/** @param factor grams of the column's unit */
function readAmount(cell: string, unit: FormulaRow['unit'], factor: number): RowAmount | { fault: Message } {
  if (cell === '') return { fault: importText('import.empty') };
  const balance = BALANCE.exec(visibleText(cell));
  if (balance) {
    const { total, sign } = balance.groups ?? {};
    // "to 100 %" gives no total in grams.
    const isTotal = total !== undefined && (unit === 'percent' || sign !== '%');
    const grams = unit === 'percent' ? 1 : gramsIn(sign, factor);
    return { amount: 'rest', ...(isTotal && { total: new Big(total).times(grams) }) };
  }
  const [, number = '', sign] =
    (unit === 'percent' ? /^(.*?)\s*(%)?$/s : /^(.*?)\s*(kg|g|千克|公斤|克)?$/is).exec(visibleText(cell)) ??
    [];
  const value = readDecimal(number);
  if (value === undefined)
    return { fault: importText('import.no-number-like', { value: cell, example: 2.5 }) };
  if (!Number.isFinite(value) || value <= 0) {
    return { fault: importText('import.not-above', { min: 0, value: cell }) };
  }
  if (unit === 'percent' && value > 100) {
    return { fault: importText('import.above', { max: 100, value: cell }) };
  }
  return { amount: new Big(value).times(unit === 'percent' ? 1 : gramsIn(sign, factor)) };
}

const gramsIn = (sign: string | undefined, factor: number): number =>
  sign === undefined ? factor : KILOGRAM_UNIT.test(sign) ? 1000 : 1;

function gramsBeside(cell: string): { grams?: Big } {
  const amount = readAmount(cell, 'grams', 1);
  return 'amount' in amount && amount.amount !== 'rest' ? { grams: amount.amount } : {};
}
