import { type PercentBounds } from './phrase/percent-bounds';
import { type DateRange } from './phrase/phrase-dates';

/** What is said of ingredients: a LIKE pattern of their names, or their function category. */
export type IngredientProperty = { readonly pattern: string } | { readonly category: string };

/** The ingredients that have a property. */
export interface NamedIngredients {
  /** Stands for them where they are not listed. */
  readonly property?: IngredientProperty;
  /** One more than are listed at most, where there are more. */
  readonly count: number;
  /** As a PostgreSQL array; absent where there are too many to list. */
  readonly ids?: string;
  /** Of their shares together. */
  readonly bounds?: PercentBounds;
}

/** What stands for a keyword in a formula's own texts. */
export interface OwnText {
  readonly pattern: string;
  /** Whether the trigram index serves the pattern. */
  readonly isIndexed: boolean;
  /** Regular expression that a search key must match as well. */
  readonly word?: string;
}

export interface WantedKeyword extends NamedIngredients {
  readonly texts: readonly OwnText[];
}

/** What a search asks for, its ingredient names already looked up. */
export interface CandidateQuestion {
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
