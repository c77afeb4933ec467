/** Kinds of limits. The results of matching a limit depend on its kind. */
export const LIMIT_KINDS = ['prohibited', 'maximum', 'declare-above', 'permitted-only'] as const;

/**
 * `permitted-only`: the list contains the substances that may serve a purpose (preservatives, UV filters,
 * colorants). A listed substance may be used only for the product types of its entry, up to its limit if it has
 * one.
 */
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** The product types of a screening. Each is specific enough to determine if a product stays on, and where. */
export const PRODUCT_TYPES = [
  'face-leave-on',
  'face-rinse-off',
  'eye-leave-on',
  'eye-make-up',
  'make-up-remover',
  'lip',
  'face-make-up',
  'face-powder',
  'body-lotion',
  'body-leave-on',
  'body-spray',
  'hand-leave-on',
  'hand-wash',
  'foot-leave-on',
  'shower-and-bath',
  'soap',
  'sunscreen-face',
  'sunscreen-body',
  'sunscreen-spray',
  'self-tanning-face',
  'self-tanning-body',
  'deodorant',
  'deodorant-spray',
  'fragrance',
  'shampoo',
  'anti-dandruff-shampoo',
  'hair-rinse-off',
  'hair-leave-on',
  'hair-spray',
  'hair-dye',
  'hair-straightening',
  'nail',
  'toothpaste',
  'mouthwash',
  'baby-leave-on',
  'baby-rinse-off',
  'intimate-leave-on',
] as const;

export type ProductType = (typeof PRODUCT_TYPES)[number];

/** One row of a table of limits: one tier of one entry. */
export interface Limit {
  readonly id: string;
  readonly editionId: string;
  /** In lower case: `eu`, `cn` and so on. */
  readonly region: string;
  readonly annex: string;
  readonly entry: string;
  readonly tier: string | null;
  /** The substance or group as named in the table. */
  readonly substance: string;
  /** As written in the table. Not paired with the CAS numbers by position. */
  readonly inciNames: readonly string[];
  readonly casNumbers: readonly string[];
  readonly kind: LimitKind;
  /** The scope as written. */
  readonly scope: string | null;
  /** The product types of the scope; null if they are unknown. */
  readonly productTypes: readonly ProductType[] | null;
  /** Percent of the product, a decimal as text; null if the table gives none. */
  readonly limitPercent: string | null;
  /** The limit as written, with its unit: `0.5 % as acid`. */
  readonly limitText: string | null;
  /** The form that the limit counts: `acid`, `zinc`, `free SO2`; null if it is the substance itself. */
  readonly basis: string | null;
  /** Percent of the basis in one percent of the substance, a decimal as text; null if it is unknown. */
  readonly factor: string | null;
  /** Substances of the same group are summed and compared with the largest limit of its rows. */
  readonly sumGroup: string | null;
  readonly purpose: string | null;
  readonly conditions: string | null;
  /** Days such as `2026-12-31`, both inclusive; null if open. */
  readonly validFrom: string | null;
  readonly validUntil: string | null;
  readonly source: string;
}

/** An imported table of limits. */
export interface Edition {
  readonly id: string;
  readonly name: string;
  readonly regions: readonly string[];
  readonly rowCount: number;
  readonly importedAt: string;
}
