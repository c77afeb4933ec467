/** A named share of a formula, in percent by weight. */
export interface NamedShare {
  readonly name: string;
  /** Another name of the same ingredient, where it is known. */
  readonly inciName?: string;
  readonly percentage: number;
}

export function total(shares: Iterable<number>): number {
  let sum = 0;
  for (const share of shares) sum += share;
  return sum;
}

/** Percent to two decimals, without the tail that binary fractions leave. */
export function roundShare(value: number): number {
  return Math.round(value * 100) / 100;
}
