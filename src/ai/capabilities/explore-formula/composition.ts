/** The name of an ingredient and its share, in percent by weight. */
export interface NamedShare {
  readonly name: string;
  /** INCI name of the same ingredient, if known. */
  readonly inciName?: string;
  readonly percentage: number;
}

export function total(shares: Iterable<number>): number {
  let sum = 0;
  for (const share of shares) sum += share;
  return sum;
}

/** Rounds a percentage to two decimals. */
export function roundShare(value: number): number {
  return Math.round(value * 100) / 100;
}
