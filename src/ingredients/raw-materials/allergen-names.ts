import allergens from './allergen-names.json';
import { substanceKey } from './substance-names';

/** An English name in brackets, which labels of the United States have: `Citrus Limon (Lemon) Peel Oil`. */
const EVERYDAY_NAME = / \([a-z -]+\)/g;
const allergenKey = (name: string): string => substanceKey(name).replace(EVERYDAY_NAME, '');

const BY_KEY: ReadonlyMap<string, string> = new Map(
  [
    ...allergens.ownNames.map((name) => [name, name] as const),
    ...Object.entries(allergens.namesOfSeveral).flatMap(([name, several]) =>
      [name, ...several].map((one) => [one, name] as const),
    ),
  ].map(([one, name]) => [allergenKey(one), name]),
);

/** The name under which the EU has an allergen declared; nothing where it is not known. */
export const allergenNameOf = (inciName: string): string | undefined => BY_KEY.get(allergenKey(inciName));

/** Words for what is made of a plant, and for what is made of that: `… Oil PEG-8 Esters`. */
const NATURAL =
  /\b(?:absolute|balsam|butter|cera|concrete|distillate|extract|hydrosol|juice|oil|resin|resinoid|tincture|turpentine|water|wax)\b|^pinus (?:mugo|pumila)$/;
export const DERIVED =
  /\b(?:copolymer|esters?|ferment|filtrate|glycereth|glycerides?|hydrogenated|hydrolyzed|peg|polyglyceryl|ppg)\b/;

/** Returns true for an oil, an extract and the like, which is a substance although it consists of many. */
export const isNatural = (key: string): boolean => NATURAL.test(key) && !DERIVED.test(key);
