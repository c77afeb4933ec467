/** A named share of a formula, in percent by weight. */
export interface NamedShare {
  readonly name: string;
  /** Another name of the same ingredient, where it is known. */
  readonly inciName?: string;
  readonly percentage: number;
}

/** Total of a complete formula, as the formulas' own rule has it. */
const COMPLETE_MIN = 99.5;
const COMPLETE_MAX = 100.5;

/** The form in which ingredient names are compared: width, case and spaces do not matter. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
}

export function total(shares: Iterable<number>): number {
  let sum = 0;
  for (const share of shares) sum += share;
  return sum;
}

/** Whether a total is that of a complete formula: 99.5 to 100.5, rounding errors of the addition forgiven. */
export function isComplete(sum: number): boolean {
  return sum >= COMPLETE_MIN - 1e-6 && sum <= COMPLETE_MAX + 1e-6;
}

/** Percent to two decimals, without the tail that binary fractions leave. */
export function roundShare(value: number): number {
  return Math.round(value * 100) / 100;
}
