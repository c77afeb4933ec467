import { ciNumberOf } from '../ingredients/raw-materials/ci-numbers';
import { LABEL_WORDS } from './declaration.words';
import type { Region } from './declaration-model';

/** Keys of the names that only mean "a fragrance". */
export const FRAGRANCE = 'parfum';
export const AROMA = 'aroma';

/** Names that differ by region, by `substanceKey`. Names in China are separate. */
const REGIONAL_NAMES: Readonly<Record<'eu' | 'us', ReadonlyMap<string, string>>> = {
  eu: new Map([
    ['aqua', 'Aqua'],
    [FRAGRANCE, 'Parfum'],
    [AROMA, 'Aroma'],
  ]),
  us: new Map([
    ['aqua', 'Water'],
    [FRAGRANCE, 'Fragrance'],
    [AROMA, 'Flavor'],
  ]),
};

const HAN = /\p{Script=Han}/u;

/** Returns true if a text can be the Chinese name of a substance, but not an INCI name. */
const isChineseName = (name: string): boolean => HAN.test(name);

export const fragranceName = (key: typeof FRAGRANCE | typeof AROMA, region: Region): string =>
  region === 'cn' ? LABEL_WORDS.chineseFragrance : REGIONAL_NAMES[region].get(key)!;

interface Named {
  /** Its `substanceKey`. */
  readonly key: string;
  readonly inciName: string;
  readonly isNano: boolean;
  readonly isColorant: boolean;
  /** Names from its raw materials, in order. */
  readonly chineseNames: readonly string[];
}

/** Returns the name of a substance on a label of the region; null if there is none. */
export function declaredName(
  { key, inciName, isNano, isColorant, chineseNames }: Named,
  region: Region,
): string | null {
  const ciNumber = ciNumberOf(inciName);
  if (region === 'cn') return chineseNames.find(isChineseName) ?? ciNumber ?? null;
  if (region === 'eu' && isColorant && ciNumber !== undefined) return withNano(ciNumber, isNano);
  const name = REGIONAL_NAMES[region].get(key) ?? inciName;
  if (isChineseName(name)) return null;
  return region === 'eu' ? withNano(name, isNano) : name;
}

const withNano = (name: string, isNano: boolean) => (isNano ? `${name} [nano]` : name);
