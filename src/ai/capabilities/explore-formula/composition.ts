/** A named share of a formula, in percent by weight. */
export interface NamedShare {
  readonly name: string;
  /** Another name of the same ingredient, where it is known. */
  readonly inciName?: string;
  readonly percentage: number;
}

/** The form in which ingredient names are compared: width, case and spaces do not matter. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
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
