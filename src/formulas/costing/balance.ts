import Big from 'big.js';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import { type Composition, type CompositionLine, linesOf } from '../composition/composition';
import { versionOf } from './analysis.fields';
import type { BalanceProposalDto, ProposedPhaseDto } from './balance.dto';
import { percentageOf } from '../percentage-sum';

/**
 * The composition with one line changed so that the percentages add up to exactly `to`.
 * @throws InvalidInputError where the line is not of this version, or would not be a percentage
 */
export function balanceOf(composition: Composition, lineId: string, to: number): BalanceProposalDto {
  const lines = linesOf(composition);
  const balanced = lines.find(({ id }) => id === lineId.toLowerCase());
  if (!balanced) throw lineFault(text('formula.line-not-in-version'));
  const total = percentageOf(lines);
  const percentage = balancingPercentage(new Big(to).minus(total).plus(balanced.percentage));
  const proposed = (line: CompositionLine) => (line === balanced ? percentage : line.percentage);
  const { id, ingredientId, ingredient } = balanced;
  return {
    ...versionOf(composition),
    totalPercentage: { from: total.toNumber(), to },
    line: { id, ingredientId, ingredient, percentage: { from: balanced.percentage, to: percentage } },
    phases: proposedPhases(composition, proposed),
  };
}

/** The phases of a composition as a revision takes them, with percentages that are proposed. */
export const proposedPhases = (
  { phases }: Composition,
  proposed = ({ percentage }: CompositionLine) => percentage,
): ProposedPhaseDto[] =>
  phases.map(({ name, sortOrder, ingredients }) => ({
    ...{ name, sortOrder },
    ingredients: ingredients.map((line) => ({
      ...{ ingredientId: line.ingredientId, ingredient: line.ingredient },
      ...{ percentage: proposed(line), processNotes: line.processNotes },
    })),
  }));

/** As a JSON number, which holds some 15 digits: the sum would not be exact with a rounded one. */
function balancingPercentage(rest: Big): number {
  const percentage = rest.toNumber();
  if (rest.lte(0) || rest.gt(100)) {
    throw lineFault(text('balance.out-of-range', { percentage: rest.prec(15).toFixed() }));
  }
  if (!rest.eq(percentage)) {
    throw lineFault(text('balance.too-many-digits', { percentage: rest.toFixed() }));
  }
  return percentage;
}

const lineFault = (message: ReturnType<typeof text>) => InvalidInputError.of([{ field: 'line', message }]);
