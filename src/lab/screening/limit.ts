/** The results of matching a limit depend on its kind. */
export const LIMIT_KINDS = ['prohibited', 'maximum', 'declare-above', 'permitted-only'] as const;

/**
 * `permitted-only`: the list says which substances may serve a purpose (preservatives, UV filters, colorants); a
 * listed one may be used for the product types of its entry only, up to its limit where it has one.
 */
export type LimitKind = (typeof LIMIT_KINDS)[number];

/**
 * The product types that a screening can ask for. Each is specific enough to say whether a product stays on, and
 * where.
 */
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
  /** `eu`, `cn` and so on, in small letters. */
  readonly region: string;
  readonly annex: string;
  readonly entry: string;
  readonly tier: string | null;
  /** The substance or group as the table names it. */
  readonly substance: string;
  /** As the table writes them. They are not paired with the CAS numbers by position. */
  readonly inciNames: readonly string[];
  readonly casNumbers: readonly string[];
  readonly kind: LimitKind;
  /** The scope as written. */
  readonly scope: string | null;
  /** The product types that the scope means; null where that is not known. */
  readonly productTypes: readonly ProductType[] | null;
  /** Percent of the product, a decimal as text; null where the table gives none. */
  readonly limitPercent: string | null;
  /** The limit as written, with its unit: `0.5 % as acid`. */
  readonly limitText: string | null;
  /** The form that the limit counts: `acid`, `zinc`, `free SO2`; null where it is the substance itself. */
  readonly basis: string | null;
  /** Percent of the basis in one percent of the substance, a decimal as text; null where it is not known. */
  readonly factor: string | null;
  /** The substances of one group are summed against the largest limit of its rows. */
  readonly sumGroup: string | null;
  readonly purpose: string | null;
  readonly conditions: string | null;
  /** Days as `2026-12-31`, both inclusive; null where open. */
  readonly validFrom: string | null;
  readonly validUntil: string | null;
  readonly source: string;
}

/** A table of limits as it was loaded. */
export interface Edition {
  readonly id: string;
  readonly name: string;
  readonly regions: readonly string[];
  readonly rowCount: number;
  readonly importedAt: string;
}
