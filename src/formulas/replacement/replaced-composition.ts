import Big from 'big.js';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { balanceOf } from '../costing/balance';
import { isCompleteSum, percentageOf } from '../percentage-sum';
import {
  type Composition,
  type CompositionLine,
  linesOf,
  type NamedIngredient,
} from '../composition/composition';
import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { ReplacedFormulaDto, ReplacedIngredientDto, ReplacementWarning } from './replacement.dto';

export interface Replacement {
  readonly ingredient: ReplacedIngredientDto;
  readonly by: ReplacedIngredientDto;
  readonly factor: number;
}

/** Digits that every JSON number keeps. */
const SAFE_DIGITS = 15;

/** Percent times a factor, rounded half up to 15 significant digits; by the factor 1 it stays as it is. */
export const scaled = (percentage: number, factor: number): number =>
  factor === 1 ? percentage : new Big(percentage).times(factor).prec(SAFE_DIGITS, Big.roundHalfUp).toNumber();

/** The composition with the lines of one ingredient replaced by lines of another. */
export function replacedComposition(
  composition: Composition,
  { ingredient, by, factor }: Replacement,
): Composition {
  const replacedLine = (line: CompositionLine): CompositionLine =>
    line.ingredientId === ingredient.id
      ? { ...line, ingredientId: by.id, ingredient: by, percentage: scaled(line.percentage, factor) }
      : line;
  return {
    ...composition,
    phases: composition.phases.map((phase) => ({
      ...phase,
      ingredients: phase.ingredients.map(replacedLine),
    })),
  };
}

export function describeReplacement(
  before: Composition,
  after: Composition,
  { ingredient, by }: Replacement,
): ReplacedFormulaDto {
  const replaced = linesOf(before).filter(({ ingredientId }) => ingredientId === ingredient.id);
  const replacedIds = new Set(replaced.map(({ id }) => id));
  const replacing = linesOf(after).filter(({ id }) => replacedIds.has(id));
  const total = percentageOf(linesOf(after));
  const warning = warningOf(after, total);
  return {
    id: before.formulaId,
    name: before.formulaName,
    versionNumber: { from: before.versionNumber, to: before.versionNumber + 1 },
    lineCount: replaced.length,
    share: { from: percentageOf(replaced).toNumber(), to: percentageOf(replacing).toNumber() },
    totalPercentage: { from: percentageOf(linesOf(before)).toNumber(), to: total.toNumber() },
    alreadyContains: linesOf(before).some(({ ingredientId }) => ingredientId === by.id),
    warning,
    balancingLine:
      warning === 'line-out-of-range' || total.eq(100) ? null : balancingLineOf(after, replacedIds),
  };
}

/** The first line that is not above 0 and at most 100 percent. */
export const lineOutOfRange = (composition: Composition): CompositionLine | undefined =>
  linesOf(composition).find(({ percentage }) => percentage <= 0 || percentage > 100);

function warningOf(composition: Composition, total: Big): ReplacementWarning | null {
  if (lineOutOfRange(composition)) return 'line-out-of-range';
  return isCompleteSum(total) ? null : 'sum-out-of-bounds';
}

/** The line of water, or else the largest one that is not replaced, as the balance route would change it. */
function balancingLineOf(composition: Composition, replacedIds: ReadonlySet<string>) {
  const others = linesOf(composition)
    .filter(({ id }) => !replacedIds.has(id))
    .sort((one, another) => another.percentage - one.percentage);
  const candidates = [others.find(({ ingredient }) => isWater(ingredient)), others[0]];
  for (const line of candidates) {
    const balanced = line && balancedBy(composition, line);
    if (balanced) return balanced;
  }
  return null;
}

function balancedBy(composition: Composition, { id }: CompositionLine) {
  try {
    return balanceOf(composition, id, 100).line;
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

const isWater = ({ inciName, chineseName }: NamedIngredient): boolean =>
  [inciName, chineseName].some((name) => substanceKey(name) === 'aqua');

/* Texts that the service writes into records. They are stored, so they have one language. */

/** Why a version was made in which an ingredient is replaced. */
export function replacedBy({ ingredient, by, factor }: Replacement): string {
  const nameOf = by.chineseName === ingredient.chineseName ? nameWithSupplier : ownName;
  return `以${nameOf(by)}替换${nameOf(ingredient)}${factor === 1 ? '' : `，用量×${factor}`}`;
}

const ownName = ({ chineseName }: ReplacedIngredientDto): string => chineseName;

const nameWithSupplier = ({ chineseName, supplier }: ReplacedIngredientDto): string =>
  supplier ? `${chineseName}（${supplier}）` : chineseName;
