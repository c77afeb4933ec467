import type { PercentBounds } from './phrase/percent-bounds';
import type { DateRange } from './phrase/phrase-dates';

/** The ingredients of a search term. */
export interface NamedIngredients {
  /** PostgreSQL array. */
  readonly ids: string;
  readonly count: number;
  /** Bounds of the sum of their percentages. */
  readonly bounds?: PercentBounds;
}

/** A pattern for a keyword in a formula's own texts. */
export interface OwnText {
  /** LIKE pattern. */
  readonly pattern: string;
  /** True if the trigram index supports the pattern. */
  readonly isIndexed: boolean;
  /** Regular expression that a search key must match as well. */
  readonly word?: string;
}

export interface WantedKeyword extends NamedIngredients {
  readonly texts: readonly OwnText[];
}

/** The question of a search, with its ingredients looked up. */
export interface SearchQuestion {
  readonly keywords: readonly WantedKeyword[];
  /** The formula must contain an ingredient of each of these. */
  readonly holds: readonly NamedIngredients[];
  /** The formula must not contain any of these. */
  readonly avoids: readonly NamedIngredients[];
  /** LIKE pattern. */
  readonly project: string | null;
  /** LIKE pattern. */
  readonly name: string | null;
  readonly updated?: DateRange;
  readonly created?: DateRange;
}
