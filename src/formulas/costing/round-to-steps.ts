import Big, { type BigSource } from 'big.js';
import { sumOf } from '../../platform/common/collections';

/** A share of a number of steps, rounded. */
export interface RoundedShare {
  readonly steps: Big;
  /** Steps less exact part, to 20 decimals; negative where the part was rounded down. */
  readonly error: Big;
  /** The error without its sign, as a share of the exact part, to 20 decimals. */
  readonly relativeError: Big;
  /** The exact part is less than one step. */
  readonly isBelowOne: boolean;
}

/**
 * Divides steps in proportion to shares, and rounds each part to an integer of steps. The parts add up to exactly
 * `steps`, and each is less than one step from the exact part (largest remainder). Of equal remainders the
 * larger share is rounded up, then the earlier one.
 */
export function roundToSteps(steps: Big, shares: readonly BigSource[]): RoundedShare[] {
  const sum = sumOf(shares);
  const floors = shares.map((number, index) => {
    const share = new Big(number);
    const product = steps.times(share);
    const remainder = product.mod(sum);
    return { index, share, product, remainder, floor: product.minus(remainder).div(sum) };
  });
  const left = steps.minus(sumOf(floors.map(({ floor }) => floor))).toNumber();
  const roundedUp = new Set(
    floors
      .toSorted(
        (one, two) => two.remainder.cmp(one.remainder) || two.share.cmp(one.share) || one.index - two.index,
      )
      .slice(0, left)
      .map(({ index }) => index),
  );
  return floors.map(({ index, floor, product }) => {
    const part = roundedUp.has(index) ? floor.plus(1) : floor;
    const difference = part.times(sum).minus(product);
    return {
      steps: part,
      error: difference.div(sum),
      relativeError: difference.abs().div(product),
      isBelowOne: product.lt(sum),
    };
  });
}
