import { ApiProperty } from '@nestjs/swagger';
import type { DocumentLanguage } from '../../documents/document';
import { distinct } from '../../platform/common/collections';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { defineTexts } from '../../platform/texts/define-texts';
import { text } from '../../platform/texts/text';
import type { Profile } from './profile.fields';

const profileTexts = defineTexts({
  'profile.used': ['取自配方的产品档案：{fields}。', 'Taken from the profile of the formula: {fields}.'],
  'profile.region': ['市场', 'market'],
  'profile.product-type': ['产品类型', 'product type'],
  'profile.pack-size': ['包装规格', 'pack size'],
  'profile.density': ['密度', 'density'],
  'profile.target-cost': ['目标成本', 'target cost'],
  'profile.mixed-with': ['使用前混合', 'mixture before use'],
});

/** What is taken from a profile, with its name. */
const USES = {
  region: 'profile.region',
  productType: 'profile.product-type',
  packSize: 'profile.pack-size',
  density: 'profile.density',
  targetCost: 'profile.target-cost',
  mixedWith: 'profile.mixed-with',
} as const;
export type ProfileUse = keyof typeof USES;

/** The field of an answer that names what is taken from the profile. */
export const FromProfile = () =>
  ApiProperty({
    enum: Object.keys(USES),
    isArray: true,
    description: 'What is taken from the profile, because the request does not say otherwise',
    example: [],
  });

/** Returns the names of the values that a profile gives. */
export const usesOf = (values: { readonly [Use in ProfileUse]?: unknown }): ProfileUse[] =>
  (Object.keys(USES) as ProfileUse[]).filter((use) => (values[use] ?? null) !== null);

/** The note of a page on what is taken from the profile. */
export function profileNotes(fromProfile: readonly ProfileUse[], language: DocumentLanguage): string[] {
  const t = profileTexts.in(language);
  const fields = fromProfile.map((field) => t(USES[field]));
  return fields.length > 0 ? [t('profile.used', { fields })] : [];
}

/**
 * Returns the query with values of profiles in fields that it leaves out, and the names of these fields.
 * @param profiles of all formulas of the answer
 * @throws InvalidInputError if profiles contradict each other
 */
export function withProfiles<Query extends object>(
  query: Query,
  profiles: readonly (Profile | null)[],
  defaultsOf: (profile: Profile) => { [Field in ProfileUse & keyof Query]?: Query[Field] },
): Query & { fromProfile: ProfileUse[] } {
  const given = profiles.flatMap((profile) => (profile ? [defaultsOf(profile)] : []));
  const fields = distinct(given.flatMap((defaults) => Object.keys(defaults) as (ProfileUse & keyof Query)[]));
  const taken = fields.flatMap((field) => {
    const defaults = given.map((each) => each[field]).filter((value) => value !== undefined);
    const values = query[field] === undefined ? distinct(defaults) : [];
    if (values.length <= 1) return values.map((value) => [field, value] as const);
    throw InvalidInputError.of([
      { field, message: text('profile.different', { values: values.join(', ') }) },
    ]);
  });
  const used = Object.fromEntries(taken) as Partial<Query>;
  return { ...query, ...used, fromProfile: taken.map(([field]) => field) };
}
