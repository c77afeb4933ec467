import { PRODUCT_TYPE_NAMES } from './formulas.texts';

export type ProductType = keyof typeof PRODUCT_TYPE_NAMES;
export const PRODUCT_TYPES = Object.keys(PRODUCT_TYPE_NAMES) as ProductType[];

export const ORAL: readonly ProductType[] = ['toothpaste', 'mouthwash'];

export const RINSE_OFF_HAIR: readonly ProductType[] = [
  'shampoo',
  'anti-dandruff-shampoo',
  'hair-rinse-off',
  'hair-dye',
  'hair-straightening',
];

export const RINSE_OFF_SKIN: readonly ProductType[] = [
  'face-rinse-off',
  'make-up-remover',
  'hand-wash',
  'shower-and-bath',
  'soap',
  'baby-rinse-off',
];

/**
 * A make-up remover, a hair dye and a hair straightener are rinsed off, as the SCCS counts them; nail products stay on.
 */
export const RINSE_OFF: readonly ProductType[] = [...RINSE_OFF_SKIN, ...RINSE_OFF_HAIR, ...ORAL];

export const EYE: readonly ProductType[] = ['eye-leave-on', 'eye-make-up'];

export const SPRAYS: readonly ProductType[] = [
  'body-spray',
  'sunscreen-spray',
  'deodorant-spray',
  'hair-spray',
];

/** What follows from a product type for labels and limits, with its types. */
const TRAITS = {
  'rinse-off': RINSE_OFF,
  'leave-on': PRODUCT_TYPES.filter((type) => !RINSE_OFF.includes(type)),
  mouth: ORAL,
  eyes: EYE,
  spray: SPRAYS,
  'hair-dye': ['hair-dye'],
  'mixed-before-use': ['hair-dye'],
} as const satisfies Record<string, readonly ProductType[]>;

export type ProductTrait = keyof typeof TRAITS;
export const PRODUCT_TRAITS = Object.keys(TRAITS) as ProductTrait[];

export const traitsOf = (type: ProductType | null): ProductTrait[] =>
  PRODUCT_TRAITS.filter((trait) => TRAITS[trait].some((each) => each === type));
