import type { CompositionLine } from '../formulas/composition/composition';
import type { Share } from '../formulas/composition/expansion';

export const REGIONS = ['eu', 'us', 'cn'] as const;
export type Region = (typeof REGIONS)[number];

export const PRODUCT_TYPES = ['leave-on', 'rinse-off'] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** The share that one line of the formula contributes. */
export interface Origin {
  readonly phase: string;
  readonly line: CompositionLine;
  readonly share: Share;
}

export const ENTRY_KINDS = ['substance', 'fragrance', 'allergen', 'colorant', 'unknown'] as const;

/** Parts of an ingredient list, in their order on the label. */
export const DECLARATION_GROUPS = ['descending', 'below-one-percent', 'colorants', 'trace'] as const;
export type DeclarationGroup = (typeof DECLARATION_GROUPS)[number];

/** The amount of an entry in the list. */
export interface Portion {
  readonly share: Share;
  /** The part of the share that is also counted in the entry of the fragrance, or of a natural extract. */
  readonly countedInFragrance: Share;
  readonly origins: readonly Origin[];
}

/** A part of a line's contribution. */
export interface Part extends Origin {
  /** True if the entry of the fragrance, or of a natural extract, counts it too. */
  readonly isCountedElsewhere: boolean;
}

/** An entry of the list whose parts have not been added up. */
export type InParts<Listed> = Listed & { readonly parts: readonly Part[] };

/** A name of the ingredient list. */
export interface ListedName {
  /** Null if there is none to declare, because the composition or the name in the region is unknown. */
  readonly name: string | null;
  /** The INCI name of the entry; of the raw material if its composition is unknown. */
  readonly inciName: string;
  /** INCI names of all known substances in the entry, one for each. */
  readonly inciNames: readonly string[];
  readonly kind: (typeof ENTRY_KINDS)[number];
  readonly chineseNames: readonly string[];
}

export type DeclarationEntry = ListedName & Portion;

export const UNDECLARED_REASONS = ['impurity', 'processing-aid', 'allergen-not-above-threshold'] as const;
export type UndeclaredReason = (typeof UNDECLARED_REASONS)[number];

/** A substance that the list does not name, with the reason. */
export interface UnlistedSubstance {
  readonly inciName: string;
  readonly reason: UndeclaredReason;
}

export type UndeclaredSubstance = UnlistedSubstance & Portion;

export type GroupedEntry<Entry> = Entry & { readonly group: DeclarationGroup };

export const PROBLEM_CODES = [
  'composition-unknown',
  'ingredient-hidden',
  'allergens-unknown',
  'allergen-role-unknown',
  'allergen-name-unknown',
  'no-inci-name',
  'no-chinese-name',
  'several-chinese-names',
  'same-chinese-name',
  'no-ci-number',
  'ci-number-only',
  'trade-name',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** A problem that a person must solve before the list is used on a label. */
export interface DeclarationProblem {
  readonly code: ProblemCode;
  /** The INCI name of the substance or raw material. */
  readonly inciName: string;
  /** The names to choose from; empty if there is no choice. */
  readonly alternatives: readonly string[];
  readonly share: Share;
  readonly origins: readonly Origin[];
}

export interface Declaration {
  readonly entries: readonly GroupedEntry<DeclarationEntry>[];
  readonly undeclared: readonly UndeclaredSubstance[];
  readonly problems: readonly DeclarationProblem[];
}

export interface DeclarationRules {
  readonly region: Region;
  readonly productType: ProductType;
}
