/**
 * The role of a substance in a raw material, as far as labels and limits need it. An impurity of a raw material and
 * a processing aid that is not present in the product are not declared.
 */
export const SUBSTANCE_ROLES = [
  'solvent',
  'preservative',
  'antioxidant',
  'colorant',
  'fragrance',
  'fragrance-allergen',
  'nano',
  'impurity',
  'processing-aid',
] as const;

export type SubstanceRole = (typeof SUBSTANCE_ROLES)[number];

/** A substance of a raw material. Both percentages are the same where the share is known exactly. */
export interface Substance {
  readonly inciName: string;
  readonly chineseName: string | null;
  readonly casNumber: string | null;
  readonly ecNumber: string | null;
  /** Percent of the raw material. */
  readonly minPercentage: number;
  readonly maxPercentage: number;
  readonly role: SubstanceRole | null;
}

/** Most substances of one raw material. */
export const MAX_SUBSTANCES = 200;
