import type { Edition, Limit } from '../limit';

/** A substance of a formula to look up in a table of limits. */
export interface WantedSubstance {
  /** Key of its INCI name, from `substanceKey`. */
  readonly key: string;
  readonly casNumbers: readonly string[];
}

/** An imported table of limits. */
export interface ImportedEdition extends Edition {
  /** Number of rows of the file that were refused, and are not among its limits. */
  readonly refusedCount: number;
}

/** The edition that a screening uses. */
export interface LoadedEdition extends ImportedEdition {
  /** Its annexes for the region, ordered by name. */
  readonly annexes: readonly string[];
}

/**
 * Rows of one edition and region that name a wanted substance, by INCI name or CAS number, and the rows that belong
 * to them: all of the same entry, and all of the same sum group. They are in the order of the file.
 */
export interface LimitMatches {
  /** The requested edition, otherwise the one imported last with rows of the region. Null: there is none. */
  readonly edition: LoadedEdition | null;
  /** Valid on the day. */
  readonly limits: readonly Limit[];
  /** Valid from a later day on. */
  readonly upcoming: readonly Limit[];
}
