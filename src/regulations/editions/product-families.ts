import { PRODUCT_TYPES, type ProductType } from '../limit';

/*
 * Product types by what the tables of limits call them. A make-up remover, a hair dye and a hair straightener are
 * rinsed off, as the SCCS counts them; nail products stay on. Products for the mouth are rinse-off products, unless the
 * table names them beside those. Of the types only those with `spray` in their name are sprays.
 */

export const ALL: readonly ProductType[] = PRODUCT_TYPES;

export const ORAL: readonly ProductType[] = ['toothpaste', 'mouthwash'];

export const RINSE_OFF_HAIR: readonly ProductType[] = [
  'shampoo',
  'anti-dandruff-shampoo',
  'hair-rinse-off',
  'hair-dye',
  'hair-straightening',
];

export const LEAVE_ON_HAIR: readonly ProductType[] = ['hair-leave-on', 'hair-spray'];

export const RINSE_OFF_SKIN: readonly ProductType[] = [
  'face-rinse-off',
  'make-up-remover',
  'hand-wash',
  'shower-and-bath',
  'soap',
  'baby-rinse-off',
];

export const RINSE_OFF: readonly ProductType[] = [...RINSE_OFF_SKIN, ...RINSE_OFF_HAIR, ...ORAL];

export const without = (
  types: readonly ProductType[],
  ...others: readonly (readonly ProductType[])[]
): ProductType[] => types.filter((type) => !others.some((some) => some.includes(type)));

export const LEAVE_ON: readonly ProductType[] = without(ALL, RINSE_OFF);

export const SPRAYS: readonly ProductType[] = [
  'body-spray',
  'sunscreen-spray',
  'deodorant-spray',
  'hair-spray',
];

export const LEAVE_ON_FACE: readonly ProductType[] = [
  'face-leave-on',
  'eye-leave-on',
  'eye-make-up',
  'face-make-up',
  'face-powder',
  'sunscreen-face',
  'self-tanning-face',
];

export const FACE: readonly ProductType[] = [...LEAVE_ON_FACE, 'face-rinse-off', 'make-up-remover'];

export const EYE: readonly ProductType[] = ['eye-leave-on', 'eye-make-up'];
