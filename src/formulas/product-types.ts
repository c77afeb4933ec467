import { defineTexts } from '../platform/texts/define-texts';

/** The product types of labels and screenings. Each is specific enough to determine if a product stays on. */
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

export const productTypeTexts = defineTexts({
  'product-type.leave-on': ['驻留类', 'leave-on'],
  'product-type.rinse-off': ['淋洗类', 'rinse-off'],
  'product-type.face-leave-on': ['面部驻留类', 'face, leave-on'],
  'product-type.face-rinse-off': ['面部淋洗类', 'face, rinse-off'],
  'product-type.eye-leave-on': ['眼部驻留类', 'eye area, leave-on'],
  'product-type.eye-make-up': ['眼部彩妆', 'eye make-up'],
  'product-type.make-up-remover': ['卸妆产品', 'make-up remover'],
  'product-type.lip': ['唇部产品', 'lip product'],
  'product-type.face-make-up': ['面部彩妆', 'face make-up'],
  'product-type.face-powder': ['面部粉类', 'face powder'],
  'product-type.body-lotion': ['身体乳', 'body lotion'],
  'product-type.body-leave-on': ['身体驻留类', 'body, leave-on'],
  'product-type.body-spray': ['身体喷雾', 'body spray'],
  'product-type.hand-leave-on': ['手部驻留类', 'hand, leave-on'],
  'product-type.hand-wash': ['洗手产品', 'hand wash'],
  'product-type.foot-leave-on': ['足部驻留类', 'foot, leave-on'],
  'product-type.shower-and-bath': ['沐浴产品', 'shower and bath'],
  'product-type.soap': ['皂类', 'soap'],
  'product-type.sunscreen-face': ['面部防晒', 'sunscreen for the face'],
  'product-type.sunscreen-body': ['身体防晒', 'sunscreen for the body'],
  'product-type.sunscreen-spray': ['防晒喷雾', 'sunscreen spray'],
  'product-type.self-tanning-face': ['面部自晒黑产品', 'self-tanning for the face'],
  'product-type.self-tanning-body': ['身体自晒黑产品', 'self-tanning for the body'],
  'product-type.deodorant': ['止汗除臭产品', 'deodorant'],
  'product-type.deodorant-spray': ['止汗除臭喷雾', 'deodorant spray'],
  'product-type.fragrance': ['香水类', 'fragrance product'],
  'product-type.shampoo': ['洗发产品', 'shampoo'],
  'product-type.anti-dandruff-shampoo': ['去屑洗发产品', 'anti-dandruff shampoo'],
  'product-type.hair-rinse-off': ['发用淋洗类', 'hair, rinse-off'],
  'product-type.hair-leave-on': ['发用驻留类', 'hair, leave-on'],
  'product-type.hair-spray': ['发用喷雾', 'hair spray'],
  'product-type.hair-dye': ['染发产品', 'hair dye'],
  'product-type.hair-straightening': ['直发产品', 'hair straightening'],
  'product-type.nail': ['甲用产品', 'nail product'],
  'product-type.toothpaste': ['牙膏', 'toothpaste'],
  'product-type.mouthwash': ['漱口水', 'mouthwash'],
  'product-type.baby-leave-on': ['婴幼儿驻留类', 'baby, leave-on'],
  'product-type.baby-rinse-off': ['婴幼儿淋洗类', 'baby, rinse-off'],
  'product-type.intimate-leave-on': ['私处驻留类', 'intimate area, leave-on'],
});
