import { groupBy } from '../../platform/common/collections';
import { nameKey } from '../../platform/common/name-forms';
import everydayNames from './everyday-names.json';

/**
 * The substances that an everyday name may mean, each by its INCI names: `Aqua` and `Water` are one substance. More
 * than one substance where laboratories use the name for several.
 */
export type Meanings = readonly (readonly string[])[];

const meaningsByKey = new Map<string, Meanings>();
// Of a substance with several INCI names, each of them means the substance: `Mineral Oil`, `Paraffinum Liquidum`.
for (const inciNames of everydayNames.entries.flatMap(({ means }) => means)) {
  if (inciNames.length > 1) for (const name of inciNames) meaningsByKey.set(nameKey(name), [inciNames]);
}
for (const { names, means } of everydayNames.entries) {
  for (const name of names) meaningsByKey.set(nameKey(name), means);
}

/** @param key of a name as `nameKey` makes it */
export const meaningsOf = (key: string): Meanings => meaningsByKey.get(key) ?? [];

/** INCI names of one substance have the same: `Aqua` and `Water`. */
export function substanceOf(inciName: string): string {
  const key = nameKey(inciName);
  const [names, ...others] = meaningsOf(key);
  return names && others.length === 0 ? nameKey(names[0]!) : key;
}

const inciKeys = new Set(
  everydayNames.entries.flatMap(({ means }) => means.flatMap((inciNames) => inciNames.map(nameKey))),
);

export const isStandardName = (name: string): boolean => inciKeys.has(nameKey(name));

/** First words of trade names: `Tween 85` is one as `Tween 20` is. */
const BRAND = /^[a-z]{4,}(?=\b)/;
const brands = new Set(
  everydayNames.entries
    .filter(({ source }) => source === 'trade name')
    .flatMap(({ names }) => names.map((name) => BRAND.exec(name.toLowerCase())?.[0])),
);

/**
 * The INCI names for which a trade or everyday name stands, none for an unknown name of a known brand. Undefined if
 * the name is not known to be one.
 */
export function inciNamesOf(name: string): readonly string[] | undefined {
  const key = nameKey(name);
  if (inciKeys.has(key)) return undefined;
  const meanings = meaningsOf(key).flat();
  const brand = BRAND.exec(name.toLowerCase())?.[0];
  return meanings.length > 0 || (brand !== undefined && brands.has(brand)) ? meanings : undefined;
}

/** The standard names of China's inventory (IECIC) by the keys of other names; INCI names where it is unclear which. */
const inventoryNames = new Map(
  everydayNames.entries.flatMap((entry) => {
    const listed: { readonly IECIC?: readonly string[] } = 'listed' in entry ? { ...entry.listed } : {};
    const inciNames = entry.means.flat();
    const isUnclear = entry.means.length > 1;
    if (!listed.IECIC && !isUnclear && entry.source !== 'trade name') return [];
    const names = entry.names.filter((name) => !listed.IECIC?.includes(name));
    const standard = isUnclear ? inciNames : (listed.IECIC ?? inciNames);
    return names.map((name) => [nameKey(name), standard] as const);
  }),
);

/** As `inciNamesOf`, for a name on a label of China. */
export const inventoryNamesOf = (chineseName: string): readonly string[] | undefined =>
  inventoryNames.get(nameKey(chineseName));

/** All INCI names of the substance of one: `Paraffinum Liquidum` and `Mineral Oil`. */
export const inciSynonymsOf = (inciName: string): readonly string[] => {
  const key = nameKey(inciName);
  return meaningsOf(key).find((names) => names.some((name) => nameKey(name) === key)) ?? [];
};

/** A key of each INCI name and everyday name, and the substances that it may mean. */
const meant = everydayNames.entries.flatMap(({ names, means }) =>
  means.flatMap((inciNames) =>
    [...inciNames, ...names].map((name) => ({ key: nameKey(name), substance: nameKey(inciNames[0]!) })),
  ),
);
const bySubstance = groupBy(meant, ({ substance }) => substance);

/** For the key of each name in the list the keys of all names of the substances that it may mean, its own first. */
export const NAMESAKES: ReadonlyMap<string, readonly string[]> = new Map(
  [...groupBy(meant, ({ key }) => key)].map(([key, substances]) => [
    key,
    [
      ...new Set([
        key,
        ...substances.flatMap(({ substance }) => bySubstance.get(substance)!.map((name) => name.key)),
      ]),
    ],
  ]),
);

/** Names of families of substances, and words in the names of their members. */
export const FAMILIES = everydayNames.families;
