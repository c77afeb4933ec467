import type { Edition, Limit } from '../limit';

/** A substance of a formula, as it is looked for in a table of limits. */
export interface WantedSubstance {
  /** Of its INCI name, as `substanceKey` makes it. */
  readonly key: string;
  readonly casNumbers: readonly string[];
}

/** A table of limits as it was imported. */
export interface ImportedEdition extends Edition {
  /** Rows of the file that were not understood, and are not among its limits. */
  readonly refusedCount: number;
}

/** The edition that a screening compares with. */
export interface LoadedEdition extends ImportedEdition {
  /** The annexes that it holds for the region, in the order of their names. */
  readonly annexes: readonly string[];
}

/**
 * Rows of one edition and region that name a wanted substance, by INCI name or CAS number, and the rows that belong
 * to them: all of the same entry, and all of the same sum group. They are in the order of the file.
 */
export interface LimitMatches {
  /** The edition that was asked for, or else the one imported last among those with rows of the region. Null: none. */
  readonly edition: LoadedEdition | null;
  /** Valid on the day. */
  readonly limits: readonly Limit[];
  /** Valid from a later day on. */
  readonly upcoming: readonly Limit[];
}
