import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import allergens from './allergen-names.json';

/** An English name in brackets, which labels of the United States have: `Citrus Limon (Lemon) Peel Oil`. */
const EVERYDAY_NAME = / \([a-z -]+\)/g;
const keyOf = (name: string): string => substanceKey(name).replace(EVERYDAY_NAME, '');

const BY_KEY: ReadonlyMap<string, string> = new Map(
  [
    ...allergens.ownNames.map((name) => [name, name] as const),
    ...Object.entries(allergens.namesOfSeveral).flatMap(([name, several]) =>
      [name, ...several].map((one) => [one, name] as const),
    ),
  ].map(([one, name]) => [keyOf(one), name]),
);

/** The name under which the EU has an allergen declared; nothing where it is not known. */
export const allergenNameOf = (inciName: string): string | undefined => BY_KEY.get(keyOf(inciName));
