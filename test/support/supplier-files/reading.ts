/** INCI name, price, what it is per, supplier. */
export type PriceRow = readonly [string, number | null, string, string?];
/** Phase, ingredient, percent. */
export type FormulaLine = readonly [string, string, number];
/** Row of the file, column, value, and what the reason says. */
type Fault = readonly [number, string | null, string | null, RegExp];

/** An import, and what a careful human reads in the file with these parameters. */
export interface Attempt {
  query?: string;
  /** The file is not read: what the answer asks. */
  asks?: RegExp;
  prices?: readonly PriceRow[];
  lines?: readonly FormulaLine[];
  /** Ingredients of the catalogue beside those. */
  known?: readonly string[];
  faults?: readonly Fault[];
  notes?: readonly RegExp[];
}

export interface SupplierFile {
  make: string;
  content: Buffer;
  attempts: readonly Attempt[];
}

/** `map` of a query. */
export const mapped = (...choices: readonly string[]): string =>
  `map=${encodeURIComponent(choices.join(';'))}`;
