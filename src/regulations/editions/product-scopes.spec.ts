import { ALL, FACE, LEAVE_ON, LEAVE_ON_FACE, LEAVE_ON_HAIR, scopeOf, without } from './product-scopes';
import { EYE, ORAL, RINSE_OFF, RINSE_OFF_HAIR, RINSE_OFF_SKIN } from '../../formulas/product-types';

const typesOf = (text: string) => {
  const scope = scopeOf(text);
  return scope && 'types' in scope ? [...scope.types].sort() : null;
};
const isNarrower = (text: string) => {
  const scope = scopeOf(text);
  return scope !== undefined && 'types' in scope && scope.isNarrower === true;
};
const sorted = (types: readonly string[]) => [...types].sort();

it.each([
  ['body lotion, eye shadow, mascara, eyeliner, lipstick, roll-on deodorant', ['body-lotion'], ['lip']],
  ['rinse-off anti-dandruff hair products', ['anti-dandruff-shampoo'], ['hair-rinse-off']],
  ['face make-up and make-up remover', ['face-make-up', 'make-up-remover'], ['face-powder', 'eye-make-up']],
  [
    'body products including propellant and pump spray',
    ['body-lotion', 'body-leave-on', 'body-spray', 'sunscreen-body', 'self-tanning-body'],
    ['hand-leave-on', 'sunscreen-spray', 'deodorant'],
  ],
  ['lip products; eye shadow', ['lip'], ['eye-make-up']],
  ['Shower gel; lip products', ['lip'], ['shower-and-bath']],
  ['Sun care products', ['sunscreen-face', 'sunscreen-body', 'sunscreen-spray'], ['face-leave-on']],
  ['perfume', [], ['fragrance']],
])('%s: all products of the types that it names, and some of others', (phrase, named, others) => {
  const scope = scopeOf(phrase);
  const { within, surely = [] } = scope && 'within' in scope ? scope : { within: [] };
  expect(sorted(surely)).toEqual(sorted(named));
  expect(within).toEqual(expect.arrayContaining([...named, ...others]));
  expect(within).not.toContain('shampoo');
});

/*
 * The scopes that the annexes and the Chinese tables have in the sample of 410 rows, each judged by hand.
 */

it.each([
  ['all (no product type given)', ALL],
  ['rinse-off, oral care and leave-on', ALL],
  ['all except mouthwash', without(ALL, ['mouthwash'])],
  ['anti-dandruff shampoo', ['anti-dandruff-shampoo']],
  ['rinse-off anti-dandruff shampoo', ['anti-dandruff-shampoo']],
  ['body lotion', ['body-lotion']],
  ['deodorant and antiperspirant', ['deodorant', 'deodorant-spray']],
  ['deodorant/antiperspirant', ['deodorant', 'deodorant-spray']],
  ['deodorant spray', ['deodorant-spray']],
  ['deodorant spray or aerosol', ['deodorant-spray']],
  ['eye products', EYE],
  [
    'eye products, face make-up and make-up remover',
    [...EYE, 'face-make-up', 'face-powder', 'make-up-remover'],
  ],
  ['face and hand products', [...FACE, 'hand-leave-on', 'hand-wash']],
  ['foot care', ['foot-leave-on']],
  ['fragrance products', ['fragrance']],
  ['hair leave-on', LEAVE_ON_HAIR],
  ['leave-on hair products', LEAVE_ON_HAIR],
  ['hair products', [...RINSE_OFF_HAIR, ...LEAVE_ON_HAIR]],
  ['hair rinse-off', RINSE_OFF_HAIR],
  ['rinse-off hair (head) products', RINSE_OFF_HAIR],
  ['rinse-off hair products', RINSE_OFF_HAIR],
  ['hair straightening', ['hair-straightening']],
  ['hand wash', ['hand-wash']],
  ['leave-on', LEAVE_ON],
  ['leave-on except oral', LEAVE_ON],
  ['other than rinse-off', LEAVE_ON],
  ['leave-on face products', LEAVE_ON_FACE],
  ['leave-on hair spray or aerosol', ['hair-spray']],
  ['leave-on, and rinse-off skin products', [...LEAVE_ON, ...RINSE_OFF_SKIN]],
  ['lip make-up, lipstick, lip salve', ['lip']],
  ['mouthwash', ['mouthwash']],
  ['oral', ORAL],
  ['oral products', ORAL],
  ['oral products, mouth rinse, toothpaste, tooth whitening', ORAL],
  ['other than oral products', without(ALL, ORAL)],
  ['rinse-off', RINSE_OFF],
  ['rinse-off only', RINSE_OFF],
  ['rinse-off shampoo', ['shampoo', 'anti-dandruff-shampoo']],
  ['rinse-off, except oral', without(RINSE_OFF, ORAL)],
  ['rinse-off, not oral', without(RINSE_OFF, ORAL)],
  ['skin and hair rinse-off', without(RINSE_OFF, ORAL)],
  ['self-tanning for the face', ['self-tanning-face']],
  ['shower gel and bath products', ['shower-and-bath']],
  ['soap', ['soap']],
  ['soap; anti-dandruff shampoo; non-spray deodorant', ['soap', 'anti-dandruff-shampoo', 'deodorant']],
  ['toothpaste', ['toothpaste']],
  ['Leave-on products, except body lotion', without(LEAVE_ON, ['body-lotion'])],
  [
    'Rinse-off products with the exception of toothpaste and soap',
    without(RINSE_OFF, ['toothpaste', 'soap']),
  ],
  ['leave on cosmetics', LEAVE_ON],
  ['Products for oral hygiene', ORAL],
  ['Sunscreen products', ['sunscreen-body', 'sunscreen-face', 'sunscreen-spray']],
  ['驻留类产品', LEAVE_ON],
  ['淋洗类', RINSE_OFF],
  ['淋洗类产品（除牙膏外）', without(RINSE_OFF, ['toothpaste'])],
  ['牙膏、漱口水', ORAL],
  ['驻留类产品和淋洗类产品', ALL],
  ['淋洗类发用产品', RINSE_OFF_HAIR],
])('%s is exactly these types', (text, types) => {
  expect(typesOf(text)).toEqual(sorted(types));
  expect(isNarrower(text)).toBe(false);
});

it.each([
  ['face cream', ['face-leave-on']],
  ['face products except propellant spray', FACE],
  ['face products in loose powder form', ['face-powder']],
  ['powder foundation', ['face-powder']],
  [
    'face, hand and lip products, except propellant and pump spray',
    [...FACE, 'hand-leave-on', 'hand-wash', 'lip'],
  ],
  ['hair lotion', ['hair-leave-on']],
  ['hair lotion and shampoo', ['hair-leave-on', 'shampoo', 'anti-dandruff-shampoo']],
  ['not in eye products', without(ALL, EYE)],
  ['not on mucous membranes', without(ALL, ORAL, ['lip', 'intimate-leave-on'])],
])('%s is such products of these types as the words say', (text, types) => {
  expect(typesOf(text)).toEqual(sorted(types));
  expect(isNarrower(text)).toBe(true);
});

it.each([
  'other leave-on and oral products',
  'other leave-on and rinse-off',
  'other products',
  'other products except body lotion, eye shadow, mascara, eyeliner, lipstick, roll-on deodorant',
  'other products except oral',
  'other self-tanning',
])('%s is what the other tiers leave over', (text) => {
  expect(scopeOf(text)).toHaveProperty('othersOf');
});

it.each([
  'artificial nail systems',
  'body lotion, eye shadow, mascara, eyeliner, lipstick, roll-on deodorant',
  'body products including propellant and pump spray',
  'deodorant, antiperspirant, astringent lotion',
  'eau de toilette',
  'face make-up and make-up remover',
  'fine fragrance',
  'fragrance cream',
  'hair aerosol spray, general use',
  'hair aerosol spray, professional use',
  'hydroalcoholic fragrance, not for children under 3',
  'leave-on for the anogenital area (baby and intimate wipes)',
  'leave-on skin and hair products with listed exceptions',
  'leave-on skin and hair products, non-spray, except body lotion',
  'leave-on, with exceptions for children under 3',
  'lip products; eye shadow',
  'listed product types for children under 3',
  'mouthwash for users above 6 years',
  'nail hardening',
  'nail hardening products',
  'only toothpaste, hand soap, body soap/shower gel, non-spray deodorant, face powder and blemish concealer, nail cleaner before artificial nails',
  'other leave-on skin products and nail products',
  'oxidative hair dye',
  'perfume',
  'products for eyelashes',
  'propellant spray',
  'rinse-off anti-dandruff hair products',
  'rinse-off skin and hair products except shower gel and bath',
  'rinse-off, with exceptions for children under 3',
  'leave-on, except body lotion, and rinse-off',
  'leave-on, except perfume',
  'rust inhibitor',
  `soap${'; soap'.repeat(200)}`,
  'skin products',
  'tooth whitening or bleaching, dental practitioners only',
  'toothpaste for children of 6 to 12 months',
  'toothpaste for users above 1 year',
])('%s is not known', (text) => {
  expect(typesOf(text)).toBeNull();
  expect(scopeOf(text) ?? {}).not.toHaveProperty('othersOf');
});

it('joins known phrases, and no others', () => {
  expect(typesOf('Soap; body lotion and mouthwash')).toEqual(sorted(['soap', 'body-lotion', 'mouthwash']));
  expect(typesOf('soap; bubbles')).toBeNull();
  expect(typesOf('soap and other products')).toBeNull();
});

it('reads phrases whatever their case, blanks and the word product', () => {
  expect(typesOf('  RINSE-OFF\n Products. ')).toEqual(sorted(RINSE_OFF));
});

it('has a phrase without any text for all product types', () => {
  expect(typesOf('')).toEqual(sorted(ALL));
});
