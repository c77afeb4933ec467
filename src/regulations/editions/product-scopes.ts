import {
  EYE,
  ORAL,
  PRODUCT_TYPES,
  type ProductType,
  RINSE_OFF,
  RINSE_OFF_HAIR,
  RINSE_OFF_SKIN,
  SPRAYS,
} from '../../formulas/product-types';

/*
 * Product types by what the tables of limits call them. Products for the mouth are rinse-off products, unless the
 * table names them beside those. Of the types only those with `spray` in their name are sprays.
 */

export const ALL: readonly ProductType[] = PRODUCT_TYPES;

export const LEAVE_ON_HAIR: readonly ProductType[] = ['hair-leave-on', 'hair-spray'];

export const without = (
  types: readonly ProductType[],
  ...others: readonly (readonly ProductType[])[]
): ProductType[] => types.filter((type) => !others.some((some) => some.includes(type)));

export const LEAVE_ON: readonly ProductType[] = without(ALL, RINSE_OFF);

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

/** The product types that a phrase of a table of limits means. */
export type Scope =
  /** Exactly these types. With `isNarrower` only some products of them, so the words are a further condition. */
  | { readonly types: readonly ProductType[]; readonly isNarrower?: true }
  /** Some products of these types, and no others; it is unknown which. All products of the types in `surely`. */
  | { readonly within: readonly ProductType[]; readonly surely?: readonly ProductType[] }
  /** The types of the family that no other tier of the entry names. */
  | { readonly othersOf: readonly ProductType[]; readonly and?: readonly ProductType[] };

const exactly = (...types: readonly ProductType[]): Scope => ({ types });
const narrower = (...types: readonly ProductType[]): Scope => ({ types, isNarrower: true });
const within = (...types: readonly ProductType[]): Scope => ({ within: types });
const partly = (surely: readonly ProductType[], ...others: readonly ProductType[]): Scope => ({
  within: [...surely, ...others],
  surely,
});
const othersOf = (family: readonly ProductType[], and: readonly ProductType[] = []): Scope => ({
  othersOf: family,
  and,
});

const SUNSCREENS: readonly ProductType[] = ['sunscreen-face', 'sunscreen-body', 'sunscreen-spray'];
const ALL_HAIR = [...RINSE_OFF_HAIR, ...LEAVE_ON_HAIR];
/** Types that are for the body by name; those in `MAYBE_BODY` may be. */
const SURELY_BODY: readonly ProductType[] = [
  'body-lotion',
  'body-leave-on',
  'body-spray',
  'sunscreen-body',
  'self-tanning-body',
];
const MAYBE_BODY = without(ALL, SURELY_BODY, ORAL, ALL_HAIR, FACE, ['nail', 'lip', 'fragrance']);

/*
 * All phrases were judged by hand. Phrases whose types are only likely are not included. They are written without
 * the words `product`, `cosmetic` and 产品, in lower case, with single blanks.
 */
const PHRASES: Readonly<Record<string, Scope>> = {
  'all (no type given)': exactly(...ALL),
  all: exactly(...ALL),
  'all except mouthwash': exactly(...without(ALL, ['mouthwash'])),
  'all, with the exception of mouthwash': exactly(...without(ALL, ['mouthwash'])),

  'leave-on': exactly(...LEAVE_ON),
  'other than rinse-off': exactly(...LEAVE_ON),
  'leave-on except oral': exactly(...LEAVE_ON),
  'leave-on other than oral': exactly(...LEAVE_ON),
  'rinse-off': exactly(...RINSE_OFF),
  'rinse-off only': exactly(...RINSE_OFF),
  'only for rinse-off': exactly(...RINSE_OFF),
  'rinse-off, except oral': exactly(...without(RINSE_OFF, ORAL)),
  'rinse-off, except oral care': exactly(...without(RINSE_OFF, ORAL)),
  'rinse-off, not oral': exactly(...without(RINSE_OFF, ORAL)),
  'rinse-off, oral care and leave-on': exactly(...ALL),
  'skin and hair rinse-off': exactly(...without(RINSE_OFF, ORAL)),
  'leave-on, and rinse-off skin': exactly(...LEAVE_ON, ...RINSE_OFF_SKIN),

  oral: exactly(...ORAL),
  'oral care': exactly(...ORAL),
  'oral hygiene': exactly(...ORAL),
  'other than oral': exactly(...without(ALL, ORAL)),
  'all, with the exception of oral': exactly(...without(ALL, ORAL)),
  'all, with the exception of oral care': exactly(...without(ALL, ORAL)),
  toothpaste: exactly('toothpaste'),
  toothpastes: exactly('toothpaste'),
  mouthwash: exactly('mouthwash'),
  mouthwashes: exactly('mouthwash'),
  'mouth rinse': exactly('mouthwash'),
  'oral, mouth rinse, toothpaste, tooth whitening': exactly(...ORAL),
  'toothpaste for users above 1 year': within('toothpaste'),
  'toothpaste for children of 6 to 12 months': within('toothpaste'),
  'mouthwash for users above 6 years': within('mouthwash'),
  'tooth whitening or bleaching, dental practitioners only': within(...ORAL),

  hair: exactly(...ALL_HAIR),
  'hair rinse-off': exactly(...RINSE_OFF_HAIR),
  'rinse-off hair': exactly(...RINSE_OFF_HAIR),
  'rinse-off hair (head)': exactly(...RINSE_OFF_HAIR),
  'hair leave-on': exactly(...LEAVE_ON_HAIR),
  'leave-on hair': exactly(...LEAVE_ON_HAIR),
  'leave-on hair spray or aerosol': exactly('hair-spray'),
  'hair aerosol spray, general use': within('hair-spray'),
  'hair aerosol spray, professional use': within('hair-spray'),
  shampoo: exactly('shampoo', 'anti-dandruff-shampoo'),
  'rinse-off shampoo': exactly('shampoo', 'anti-dandruff-shampoo'),
  'antidandruff shampoos': exactly('anti-dandruff-shampoo'),
  'anti-dandruff shampoo': exactly('anti-dandruff-shampoo'),
  'rinse-off anti-dandruff shampoo': exactly('anti-dandruff-shampoo'),
  'rinse-off anti-dandruff hair': partly(['anti-dandruff-shampoo'], 'hair-rinse-off'),
  'hair lotion': narrower('hair-leave-on'),
  'hair lotions': narrower('hair-leave-on'),
  'hair lotions and shampoos': narrower('hair-leave-on', 'shampoo', 'anti-dandruff-shampoo'),
  'hair lotion and shampoo': narrower('hair-leave-on', 'shampoo', 'anti-dandruff-shampoo'),
  'hair straightening': exactly('hair-straightening'),
  'oxidative hair dye': within('hair-dye'),

  'face except propellant spray': narrower(...FACE),
  'face with the exception of propellent spray': narrower(...FACE),
  'face, hand and lip, except propellant and pump spray': narrower(
    ...FACE,
    'hand-leave-on',
    'hand-wash',
    'lip',
  ),
  'face, hand, and lip, excluding propellant and pump spray': narrower(
    ...FACE,
    'hand-leave-on',
    'hand-wash',
    'lip',
  ),
  'face and hand': exactly(...FACE, 'hand-leave-on', 'hand-wash'),
  'leave-on face': exactly(...LEAVE_ON_FACE),
  'face cream': narrower('face-leave-on'),
  'face creams': narrower('face-leave-on'),
  'face in loose powder form': narrower('face-powder'),
  'powder foundation': narrower('face-powder'),
  eye: exactly(...EYE),
  'not in eye': narrower(...without(ALL, EYE)),
  'not to be used in eye': narrower(...without(ALL, EYE)),
  'eye, face make-up and make-up remover': exactly(...EYE, 'face-make-up', 'face-powder', 'make-up-remover'),
  'face make-up and make-up remover': partly(['face-make-up', 'make-up-remover'], ...EYE, 'face-powder'),
  'for eyelashes': within(...EYE),
  'eye shadow': within('eye-make-up'),
  mascara: within('eye-make-up'),
  eyeliner: within('eye-make-up'),
  lip: exactly('lip'),
  'lip make-up, lipstick, lip salve': exactly('lip'),
  'lip make-up, lipstick, lip salves': exactly('lip'),
  lipstick: within('lip'),
  'not on mucous membranes': narrower(...without(ALL, ORAL, ['lip', 'intimate-leave-on'])),
  'not to be used in applied on mucous membranes': narrower(
    ...without(ALL, ORAL, ['lip', 'intimate-leave-on']),
  ),
  'not to be used in applied on the mucous membranes': narrower(
    ...without(ALL, ORAL, ['lip', 'intimate-leave-on']),
  ),

  'body lotion': exactly('body-lotion'),
  'body lotions': exactly('body-lotion'),
  // It is unclear whether an eye cream belongs to the listed products around the eye.
  'body lotion, eye shadow, mascara, eyeliner, lipstick, roll-on deodorant': partly(
    ['body-lotion'],
    ...EYE,
    'lip',
    'deodorant',
  ),
  'body including propellant and pump spray': partly(SURELY_BODY, ...MAYBE_BODY),
  'body, including propellant and pump spray': partly(SURELY_BODY, ...MAYBE_BODY),
  'hand wash': exactly('hand-wash'),
  'foot care': exactly('foot-leave-on'),
  soap: exactly('soap'),
  'shower gel': within('shower-and-bath'),
  'shower gel/bath': exactly('shower-and-bath'),
  'shower gel and bath': exactly('shower-and-bath'),
  'artificial nail systems': within('nail'),
  'nail hardening': within('nail'),

  'deodorant and antiperspirant': exactly('deodorant', 'deodorant-spray'),
  'deodorants and antiperspirants': exactly('deodorant', 'deodorant-spray'),
  'deodorant/antiperspirant': exactly('deodorant', 'deodorant-spray'),
  'deodorants/antiperspirants': exactly('deodorant', 'deodorant-spray'),
  'deodorant spray': exactly('deodorant-spray'),
  'deodorant (spray/aerosol)': exactly('deodorant-spray'),
  'deodorant spray/aerosol': exactly('deodorant-spray'),
  'deodorant spray or aerosol': exactly('deodorant-spray'),
  'non-spray deodorant': exactly('deodorant'),
  'roll-on deodorant': within('deodorant'),

  fragrance: exactly('fragrance'),
  'fine fragrance': within('fragrance'),
  perfume: within('fragrance'),
  'eau de toilette': within('fragrance'),
  'fragrance cream': within('body-lotion', 'body-leave-on'),
  'hydroalcoholic fragrance, not for children under 3': within('fragrance'),

  sunscreen: exactly(...SUNSCREENS),
  sunscreens: exactly(...SUNSCREENS),
  'sun protection': exactly(...SUNSCREENS),
  // Lotions for after the sun are face or body products.
  'sun care': partly(SUNSCREENS, 'face-leave-on', 'body-lotion', 'body-leave-on', 'body-spray'),
  'self-tanning for the face': exactly('self-tanning-face'),
  'other self-tanning': othersOf(['self-tanning-face', 'self-tanning-body']),
  'propellant spray': within(...SPRAYS, 'fragrance'),

  所有: exactly(...ALL),
  驻留类: exactly(...LEAVE_ON),
  驻留型: exactly(...LEAVE_ON),
  非淋洗类: exactly(...LEAVE_ON),
  淋洗类: exactly(...RINSE_OFF),
  淋洗型: exactly(...RINSE_OFF),
  口腔: exactly(...ORAL),
  口腔护理: exactly(...ORAL),
  口腔卫生: exactly(...ORAL),
  牙膏: exactly('toothpaste'),
  漱口水: exactly('mouthwash'),
  发用: exactly(...ALL_HAIR),
  淋洗类发用: exactly(...RINSE_OFF_HAIR),
  发用淋洗类: exactly(...RINSE_OFF_HAIR),
  驻留类发用: exactly(...LEAVE_ON_HAIR),
  发用驻留类: exactly(...LEAVE_ON_HAIR),
  洗发: exactly('shampoo', 'anti-dandruff-shampoo'),
  去屑洗发: exactly('anti-dandruff-shampoo'),
  染发: exactly('hair-dye'),
  防晒: exactly(...SUNSCREENS),
  香水: within('fragrance'),
  其他: othersOf(ALL),

  other: othersOf(ALL),
  'other except oral': othersOf(without(ALL, ORAL)),
  'other leave-on and rinse-off': othersOf(ALL),
  'other leave-on and oral': othersOf(LEAVE_ON, ORAL),
  'other except body lotion, eye shadow, mascara, eyeliner, lipstick, roll-on deodorant': othersOf(ALL),
};

/** No phrase of a table is longer, in characters. */
const MAX_PHRASE = 1000;

const SEPARATOR = /\s*[;,、]\s*(?:and\s+)?|\s+and\s+|[和及与]/;

/** Matches `leave-on, except body lotion` and `淋洗类(除牙膏外)`. */
const EXCEPTION =
  /^(?<all>.+?)(?:,? (?:except|excluding|with the exception of)(?: for)? (?<except>[^;]+)|[,(]\s*除(?<but>[^;]+?)以?外\)?)$/;

/** The form in which phrases are compared. */
const plainPhrase = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\b(?:cosmetics?|products?)\b|化妆品|产品/g, ' ')
    .replace(/\b(leave|rinse) (?=on\b|off\b)/g, '$1-')
    .replace(/\s+/g, ' ')
    .replace(/^ ?for /, '')
    .replace(/\s+(?=[)\p{Script=Han}])/gu, '')
    .replace(/\s+([,;.])/g, '$1')
    .replace(/[.;,:\s]+$/, '')
    .trim();

/** Undefined if the phrase, or one of its parts, is unknown. An absent or blank text means all types. */
export function scopeOf(text: string | null): Scope | undefined {
  if (text === null || text.trim() === '') return exactly(...ALL);
  if (text.length > MAX_PHRASE) return undefined;
  const phrase = plainPhrase(text);
  const known = phraseOf(phrase) ?? withException(phrase);
  if (known) return known;
  const parts = phrase.split(SEPARATOR);
  return parts.length > 1 ? joined(parts.map(phraseOf)) : undefined;
}

const phraseOf = (phrase: string): Scope | undefined =>
  Object.hasOwn(PHRASES, phrase) ? PHRASES[phrase] : undefined;

/** Undefined unless both the types and the exceptions are known exactly, and the exceptions are among the types. */
function withException(phrase: string): Scope | undefined {
  const { all, except, but = except } = EXCEPTION.exec(phrase)?.groups ?? {};
  const [scope, exception] = [all, but].map((text) => (text === undefined ? undefined : scopeOf(text)));
  if (!scope || !exception || !('types' in scope) || !('types' in exception) || exception.isNarrower)
    return undefined;
  if (without(exception.types, scope.types).length > 0) return undefined;
  return { ...scope, types: without(scope.types, exception.types) };
}

/** Joins the scopes of several phrases. Scopes of the remaining types cannot be joined with others. */
function joined(scopes: readonly (Scope | undefined)[]): Scope | undefined {
  const [together, surely]: [ProductType[], ProductType[]] = [[], []];
  let [isExact, isNarrower] = [true, false];
  for (const scope of scopes) {
    if (!scope || 'othersOf' in scope) return undefined;
    if ('within' in scope) isExact = false;
    if ('types' in scope && scope.isNarrower) isNarrower = true;
    together.push(...('within' in scope ? scope.within : scope.types));
    surely.push(...('within' in scope ? (scope.surely ?? []) : scope.isNarrower ? [] : scope.types));
  }
  const types = [...new Set(together)];
  if (!isExact) return { within: types, surely };
  return isNarrower ? { types, isNarrower } : { types };
}
