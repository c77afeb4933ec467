import Big from 'big.js';
import { sumOf } from '../../platform/common/collections';
import { roundToSteps } from '../costing/round-to-steps';
import type { RowFault } from '../../files/import-report';
import type { Message } from '../../platform/texts/define-texts';
import { formulaImportText } from './formula-import.texts';
import type { FormulaRow } from './formula-row';
import type { RowIngredient } from './row-ingredient';

const refused = ({ line }: Pick<FormulaRow, 'line'>, fault: Message) => ({ line, fault });

/** Grams become percent with so many decimals. */
const DECIMALS = 4;
const HUNDRED = new Big(100);

/**
 * The percentages of the lines of one version. A balance line has what is missing to 100 percent, or to the grams that
 * it names. Grams are percent of their sum, rounded so that together they are exactly 100.
 * @returns of each line its percentage and its amount, and which of them is the balance line, or why there is none
 */
export function percentagesOf(
  rows: readonly Pick<FormulaRow, 'amount' | 'unit' | 'line' | 'total'>[],
):
  | { percentages: number[]; amounts: Big[]; unit: FormulaRow['unit']; balance?: number }
  | { line: number; fault: Message } {
  const first = rows[0]!;
  const other = rows.find(({ unit, amount }) => unit !== first.unit && amount !== 'rest');
  if (other && rows.some(({ unit, amount }) => unit !== other.unit && amount !== 'rest')) {
    return refused(other, formulaImportText('formula-import.two-units'));
  }
  const unit = rows.find(({ amount }) => amount !== 'rest')?.unit ?? first.unit;
  const [rest, second] = rows.filter(({ amount }) => amount === 'rest');
  if (second) return refused(second, formulaImportText('formula-import.second-balance'));
  // "to 100" in a column of percent says nothing of the grams of the others.
  const named = rest?.unit === unit ? rest.total : undefined;
  const total = named ?? HUNDRED;
  const sum = sumOf(rows.flatMap(({ amount }) => (amount === 'rest' ? [] : [amount])));
  if (rest && unit === 'percent' && !total.eq(HUNDRED)) {
    return refused(rest, formulaImportText('formula-import.balance-of-percent', { total: total.toString() }));
  }
  if (rest && unit === 'grams' && !named) {
    return refused(rest, formulaImportText('formula-import.balance-without-total'));
  }
  if (rest && sum.gte(total)) {
    return refused(rest, formulaImportText('formula-import.no-balance', { sum: sum.toString() }));
  }
  const balance = rest && { balance: rows.indexOf(rest) };
  const amounts = rows.map(({ amount }) => (amount === 'rest' ? total.minus(sum) : amount));
  if (unit === 'percent') return { percentages: amounts.map(Number), amounts, unit, ...balance };
  const steps = HUNDRED.times(new Big(10).pow(DECIMALS));
  const parts = roundToSteps(steps, amounts);
  const nothing = parts.findIndex((part) => part.steps.eq(0));
  if (nothing >= 0) return refused(rows[nothing]!, formulaImportText('formula-import.too-little'));
  return {
    percentages: parts.map((part) => part.steps.div(new Big(10).pow(DECIMALS)).toNumber()),
    amounts,
    unit,
    ...balance,
  };
}

/**
 * A row with its volume as grams, and how they were calculated; or why the row is refused.
 * @param ingredient that of the row
 */
export function weighedRow(
  row: FormulaRow,
  ingredient: RowIngredient,
): { row: FormulaRow; note?: Message; fault?: RowFault } {
  if ('fault' in ingredient) return { row, fault: ingredient.fault };
  const { line, milliliters, field, written } = row;
  if (!milliliters) return { row };
  const { density } = ingredient;
  if (!density) {
    return { row, fault: { field, value: written, reason: formulaImportText('formula-import.no-density') } };
  }
  const { grams, note } = weighed(milliliters, density);
  return {
    row: { ...row, amount: grams },
    note: formulaImportText('formula-import.weighed-row', { line, weighed: note }),
  };
}

/** A volume as grams, and how they were calculated. */
export function weighed(milliliters: Big, density: number) {
  const grams = milliliters.times(density);
  const values = { milliliters: milliliters.toFixed(), density, grams: grams.toFixed() };
  return { grams, note: formulaImportText('formula-import.weighed', values) };
}

/** Greatest difference between percent and the share in grams that rounding explains, in percent. */
const ROUNDED = 0.1;

/** Finds a row whose grams, where all rows have both, are another share than its percent. */
export function contradictingGrams(
  rows: readonly Pick<FormulaRow, 'amount' | 'grams' | 'line'>[],
): { line: number; fault: RowFault } | undefined {
  const total = sumOf(rows.flatMap(({ grams }) => grams ?? []));
  if (total.eq(0) || rows.some(({ grams }) => !grams)) return undefined;
  for (const { line, amount, grams } of rows) {
    const share = HUNDRED.times(grams!).div(total).round(DECIMALS);
    if (amount === 'rest' || amount.minus(share).abs().lte(ROUNDED)) continue;
    const value = grams!.toString();
    const reason = formulaImportText('formula-import.other-grams', {
      grams: value,
      total: total.toString(),
      share: share.toString(),
      percent: amount.toString(),
    });
    return { line, fault: { field: 'grams', value, reason } };
  }
  return undefined;
}
