import type { PercentBounds } from './phrase/percent-bounds';
import type { DateRange } from './phrase/phrase-dates';

/** The ingredients that a term of a search stands for. */
export interface NamedIngredients {
  /** As a PostgreSQL array. */
  readonly ids: string;
  readonly count: number;
  /** Of their percentages together. */
  readonly bounds?: PercentBounds;
}

/** What stands for a keyword in a formula's own texts. */
export interface OwnText {
  /** LIKE pattern. */
  readonly pattern: string;
  /** Whether the trigram index serves the pattern. */
  readonly isIndexed: boolean;
  /** Regular expression that a search key must match as well. */
  readonly word?: string;
}

export interface WantedKeyword extends NamedIngredients {
  readonly texts: readonly OwnText[];
}

/** What a search asks for, its ingredients already looked up. */
export interface SearchQuestion {
  readonly keywords: readonly WantedKeyword[];
  /** The formula must hold an ingredient of each of these. */
  readonly holds: readonly NamedIngredients[];
  /** The formula must hold none of these. */
  readonly avoids: readonly NamedIngredients[];
  /** LIKE pattern. */
  readonly project: string | null;
  /** LIKE pattern. */
  readonly name: string | null;
  readonly updated?: DateRange;
  readonly created?: DateRange;
}
