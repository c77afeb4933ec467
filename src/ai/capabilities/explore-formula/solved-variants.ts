import Big, { type RoundingMode } from 'big.js';
import type { Limit, Problem } from '../../../formulas/solver/linear-program';
import { isCompleteSum } from '../../../formulas/percentage-sum';
import { type ExploreInput, rulesOf } from './explore-rules';

/** Decimals of the percentages of a variant. */
const DECIMALS = 3;

/** The least percentage that is not rounded to 0. */
const LEAST = 0.0005;

/** Most lines of a base whose variants are calculated. */
const MAX_LINES = 200;

const rounded = (share: Big, mode: RoundingMode): string => share.round(DECIMALS, mode).toFixed();

/**
 * Problems of which each solution is a variant: the one of least change, and the one of least cost. What must go is 0,
 * what must stay keeps its percentage, and each other line has at least half and at most twice as much as before.
 * @returns none if the base is not complete or too long, if a line that stays has no price or would be rounded to 0, or
 *   if the request has neither a limit of the cost nor exclusions
 */
export function variantProblems(input: ExploreInput): Problem[] {
  const rules = rulesOf(input);
  const lines = [...rules.base];
  const excluded = new Set(rules.excluded);
  const prices = lines.map(([line, { name }]) => (excluded.has(line) ? 0 : rules.names.pricePerKg(name)));
  const isWanted = input.costLimit !== undefined || excluded.size > 0;
  const isUsable =
    lines.length <= MAX_LINES &&
    lines.every(([line, { percentage }]) => percentage >= (rules.isKept(line) ? LEAST : 0));
  if (!isWanted || !isUsable || !isCompleteSum(rules.sum) || prices.includes(undefined)) return [];
  const costs = prices.map((price) => new Big(price!).div(100).toFixed());
  const wishes = lines.map(([line, { percentage }], index): Limit[] => {
    const share = new Big(percentage);
    const same = rounded(share, Big.roundHalfUp);
    const half = rounded(share.div(2), Big.roundUp);
    const bounds = rules.isKept(line)
      ? { min: same, max: same }
      : { min: half, max: rounded(share.times(2), Big.roundDown) };
    return [{ terms: [[index, '1']], ...(excluded.has(line) ? { min: '0', max: '0' } : bounds) }];
  });
  if (input.costLimit !== undefined) {
    // Costs are shown with two decimals, and must not be above the limit then either.
    const max = new Big(input.costLimit).round(2, Big.roundDown).toFixed();
    wishes.push([{ terms: costs.map((cost, line) => [line, cost] as const), max }]);
  }
  const present = lines.map(([, { percentage }]) => percentage);
  return (['least-change', 'least-cost'] as const).map((objective) => ({
    ...{ objective, decimals: DECIMALS, present, costs, wishes },
  }));
}
