import Big from 'big.js';
import type { RowFault } from '../../files/import-report';
import type { Message } from '../../platform/texts/define-texts';
import { formulaImportText } from './formula-import.texts';
import type { FormulaRow, Quantity, SumRow } from './formula-row';

/** The greatest difference that can be rounding, as a part of the sum. */
const MOST_ROUNDED = 0.005;

type Line = Pick<FormulaRow, 'line' | 'phase' | 'grams'>;

/** Lines that a sum can be of. */
interface Group {
  readonly sum: Big;
  readonly count: number;
}

/**
 * Compares a sum with the lines that it can be of. A difference that rounding explains is a note.
 * @param step of the last decimal of the lines
 */
function comparedSum(
  { line, sum: word }: SumRow,
  field: 'percentage' | 'grams',
  stated: Quantity,
  groups: readonly Group[],
  step: Big,
): { note?: Message; fault?: RowFault } {
  const differenceOf = ({ sum }: Group) => sum.minus(stated.value).abs();
  const [nearest] = groups.toSorted((one, other) => differenceOf(one).cmp(differenceOf(other)));
  const shown = (sum: Big) => sum.div(stated.scale).toString();
  const value = shown(stated.value);
  const noName = { field: 'inciName', reason: formulaImportText('formula-import.no-ingredient') };
  if (!nearest) return { fault: noName };
  const difference = differenceOf(nearest);
  if (difference.eq(0)) return {};
  const rounding = step.times(nearest.count).plus(stated.step).div(2);
  const values = { line, stated: value, sum: shown(nearest.sum) };
  if (difference.lte(rounding) && difference.lte(stated.value.times(MOST_ROUNDED))) {
    return { note: formulaImportText('formula-import.rounded-sum', values) };
  }
  if (word === '') return { fault: noName };
  return { fault: { field, value, reason: formulaImportText('formula-import.wrong-sum', values) } };
}

const decimalsOf = ({ c, e }: Big): number => Math.max(0, c.length - 1 - e);

/**
 * Compares the sum rows of a formula with its lines: all of them, those above, those up to the next sum, or those of a
 * phase. A row that names nothing is a sum only of several lines, or of 100 percent.
 * @param amounts of the lines, in the unit of the formula
 */
export function comparedSums(
  lines: readonly Line[],
  amounts: readonly Big[],
  unit: FormulaRow['unit'],
  sums: readonly SumRow[],
): { line: number; note?: Message; fault?: RowFault }[] {
  let phase = '';
  const phases = lines.map((one) => (phase = one.phase ?? phase));
  const compare = (field: 'percentage' | 'grams', values: readonly Big[]) => {
    const step = new Big(10).pow(-Math.max(...values.map(decimalsOf)));
    const running = [new Big(0)];
    const ofPhase = new Map<string, Group>();
    values.forEach((value, at) => {
      running.push(running[at]!.plus(value));
      const { sum, count } = ofPhase.get(phases[at]!) ?? { sum: new Big(0), count: 0 };
      ofPhase.set(phases[at]!, { sum: sum.plus(value), count: count + 1 });
    });
    const range = (from: number, to: number): Group => ({
      sum: running[to]!.minus(running[from]!),
      count: to - from,
    });
    const position = (sum: SumRow | undefined, otherwise: number) => {
      const at = sum ? lines.findIndex(({ line }) => line > sum.line) : otherwise;
      return at < 0 ? lines.length : at;
    };
    return sums.flatMap((sum, index) => {
      const stated = sum[field];
      if (!stated) return [];
      const at = position(sum, 0);
      const near = [phases[at - 1], phases[at]];
      const groups = [
        range(0, lines.length),
        range(0, at),
        range(position(sums[index - 1], 0), at),
        range(at, position(sums[index + 1], lines.length)),
        ...[...ofPhase].flatMap(([name, group]) =>
          near.includes(name) || (name !== '' && sum.sum.includes(name)) ? group : [],
        ),
      ];
      const isHundred = field === 'percentage' && stated.value.eq(100);
      const least = sum.sum === '' && !isHundred ? 2 : 1;
      const possible = groups.filter(({ count }) => count >= least);
      return [{ line: sum.line, ...comparedSum(sum, field, stated, possible, step) }];
    });
  };
  const own = compare(unit === 'percent' ? 'percentage' : 'grams', amounts);
  const grams = unit === 'percent' ? lines.flatMap((line) => line.grams ?? []) : [];
  return grams.length === lines.length ? [...own, ...compare('grams', grams)] : own;
}
