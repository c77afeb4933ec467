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
