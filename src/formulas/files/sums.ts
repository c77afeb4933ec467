import Big from 'big.js';
import { groupBy, sumOf } from '../../platform/common/collections';
import type { RowFault } from '../../files/import-report';
import type { Message } from '../../platform/texts/define-texts';
import { formulaImportText } from './formula-import.texts';
import type { FormulaRow, SumRow } from './formula-row';

/** The greatest difference that can be rounding, as a part of the sum. */
const MOST_ROUNDED = 0.005;

export interface SumReading {
  readonly line: number;
  readonly note?: Message;
  readonly fault?: RowFault;
}

const decimalsOf = ({ c, e }: Big): number => Math.max(0, c.length - 1 - e);

/**
 * Compares the sum rows of a formula with its lines: all of them, those above, those up to the next sum, or those of a
 * phase. A row that names nothing is a sum only of several lines, or of 100 percent. A difference that the rounding of
 * the last decimals explains is a note.
 * @param amounts of the lines, in the unit of the formula
 */
export function comparedSums(
  lines: readonly Pick<FormulaRow, 'line' | 'phase' | 'grams'>[],
  amounts: readonly Big[],
  unit: FormulaRow['unit'],
  sums: readonly SumRow[],
): SumReading[] {
  let phase = '';
  const phases = lines.map((one) => (phase = one.phase ?? phase));
  const linesOf = groupBy([...lines.keys()], (at) => phases[at]!);
  const positions = sums.map((sum) => {
    const at = lines.findIndex(({ line }) => line > sum.line);
    return at < 0 ? lines.length : at;
  });
  const compare = (field: 'percentage' | 'grams', values: readonly Big[]) => {
    const running = [new Big(0)];
    for (const value of values) running.push(running.at(-1)!.plus(value));
    const step = new Big(10).pow(-Math.max(...values.map(decimalsOf)));
    const range = (from = 0, to = lines.length) => ({
      sum: running[to]!.minus(running[from]!),
      count: to - from,
    });
    const ofPhase = [...linesOf].map(([name, own]) => ({
      ...{ name, sum: sumOf(own.map((at) => values[at]!)), count: own.length },
    }));
    return sums.map(({ line, sum: word, [field]: stated }, index): SumReading => {
      if (!stated) return { line };
      const at = positions[index]!;
      const isOf = ({ name }: { name: string }) =>
        [phases[at - 1], phases[at]].includes(name) || (name !== '' && word.includes(name));
      const groups = [
        range(),
        range(0, at),
        range(positions[index - 1], at),
        range(at, positions[index + 1]),
      ];
      const least = word === '' && !(field === 'percentage' && stated.value.eq(100)) ? 2 : 1;
      const [nearest] = [...groups, ...ofPhase.filter(isOf)]
        .filter(({ count }) => count >= least)
        .map(({ sum, count }) => ({ sum, count, difference: sum.minus(stated.value).abs() }))
        .sort((one, other) => one.difference.cmp(other.difference));
      if (nearest?.difference.eq(0)) return { line };
      const shown = (sum: Big) => sum.div(stated.scale).toString();
      const value = shown(stated.value);
      const values = { line, stated: value, sum: shown(nearest?.sum ?? new Big(0)) };
      const reason = formulaImportText('formula-import.other-sum', values);
      const rounding = step.times(nearest?.count ?? 0).plus(stated.step);
      const most = stated.value.times(MOST_ROUNDED);
      if (nearest?.difference.lte(rounding.div(2)) && nearest.difference.lte(most))
        return { line, note: reason };
      const noName = formulaImportText('formula-import.no-ingredient');
      return { line, fault: word === '' ? { field: 'inciName', reason: noName } : { field, value, reason } };
    });
  };
  const own = compare(unit === 'percent' ? 'percentage' : 'grams', amounts);
  const grams = unit === 'percent' ? lines.flatMap((line) => line.grams ?? []) : [];
  return grams.length === lines.length ? [...own, ...compare('grams', grams)] : own;
}
