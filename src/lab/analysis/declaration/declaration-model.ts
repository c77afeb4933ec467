import type { CompositionLine } from '../../compositions/composition';
import type { Share } from '../../raw-materials/expansion';

export const REGIONS = ['eu', 'us', 'cn'] as const;
export type Region = (typeof REGIONS)[number];

export const PRODUCT_TYPES = ['leave-on', 'rinse-off'] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** The share that one line of the formula brings. */
export interface Origin {
  readonly phase: string;
  readonly line: CompositionLine;
  readonly share: Share;
}

export const ENTRY_KINDS = ['substance', 'fragrance', 'allergen', 'colorant', 'unknown'] as const;

/** Parts of an ingredient list, in their order on the label. */
export const DECLARATION_GROUPS = ['descending', 'below-one-percent', 'colorants', 'trace'] as const;
export type DeclarationGroup = (typeof DECLARATION_GROUPS)[number];

/** How much there is of something in the list. */
export interface Portion {
  readonly share: Share;
  /** The part of the share that the entry of the fragrance, or of a natural extract, counts, too. */
  readonly countedInFragrance: Share;
  readonly origins: readonly Origin[];
}

/** A part of what a line brings. */
export interface Part extends Origin {
  /** Whether the entry of the fragrance, or of a natural extract, counts it, too. */
  readonly isCountedElsewhere: boolean;
}

/** Something of the list whose parts are not yet added up. */
export type InParts<Listed> = Listed & { readonly parts: readonly Part[] };

/** A name of the ingredient list. */
export interface ListedName {
  /** Null where there is none to declare: the composition, or the name in the region, is not known. */
  readonly name: string | null;
  /** The INCI name behind it; of the raw material where its composition is not known. */
  readonly inciName: string;
  /** Of all substances that it names, where these are known: one for each. */
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

/** Something that a person has to settle before the list can go on a label. */
export interface DeclarationProblem {
  readonly code: ProblemCode;
  /** The INCI name of the substance or raw material. */
  readonly inciName: string;
  /** The names between which somebody has to choose; else none. */
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
