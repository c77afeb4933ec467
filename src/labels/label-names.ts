import type { Perfume } from '../formulas/composition/perfume';
import { inventoryNamesOf } from '../ingredients/names/everyday-names';
import { ciNumberOf } from '../ingredients/raw-materials/registry-numbers';
import { AROMA, PARFUM } from '../ingredients/raw-materials/substance-names';
import type { DeclarationEntryDto, Region } from './declaration.dto';

/** Names that differ by region, by `substanceKey`. Names in China are separate. */
const REGIONAL_NAMES: Readonly<Record<'eu' | 'us', ReadonlyMap<string, string>>> = {
  eu: new Map([
    ['aqua', 'Aqua'],
    [PARFUM, 'Parfum'],
    [AROMA, 'Aroma'],
  ]),
  us: new Map([
    ['aqua', 'Water'],
    [PARFUM, 'Fragrance'],
    [AROMA, 'Flavor'],
  ]),
};

export const CHINESE_FRAGRANCE = '香精';
const CHINESE_HEADING = '成分';
const CHINESE_TRACE_HEADING = '其他微量成分';
const CHINESE_SHADES_HEADING = '可能含有的着色剂';

const HAN = /\p{Script=Han}/u;

/** Returns true if a text can be the Chinese name of a substance, but not an INCI name. */
const isChineseName = (name: string): boolean => HAN.test(name);

export const fragranceName = (key: Perfume, region: Region): string =>
  region === 'cn' ? CHINESE_FRAGRANCE : REGIONAL_NAMES[region].get(key)!;

interface NamedSubstance {
  /** Its `substanceKey`. */
  readonly key: string;
  readonly inciName: string;
  readonly isNano: boolean;
  readonly isColorant: boolean;
  /** Names from its raw materials, in order. */
  readonly chineseNames: readonly string[];
}

/** Returns the name of a substance on a label of the region, in China rather a standard one; null if there is none. */
export function declaredName(
  { key, inciName, isNano, isColorant, chineseNames }: NamedSubstance,
  region: Region,
): string | null {
  const ciNumber = ciNumberOf(inciName);
  if (region === 'cn') {
    const names = chineseNames.filter(isChineseName);
    const standard = names.find((name) => !inventoryNamesOf(name)) ?? names[0];
    return standard ?? ciNumber ?? chineseNames.map(ciNumberOf).find(Boolean) ?? null;
  }
  if (region === 'eu' && isColorant && ciNumber !== undefined) return withNano(ciNumber, isNano);
  const name = REGIONAL_NAMES[region].get(key) ?? inciName;
  if (isChineseName(name)) return null;
  return region === 'eu' ? withNano(name, isNano) : name;
}

const withNano = (name: string, isNano: boolean) => (isNano ? `${name} [nano]` : name);

/** The word that heads the list on the label. */
export const headingOf = (region: Region): string => (region === 'cn' ? CHINESE_HEADING : 'Ingredients');

/** The list as it would stand on the label. A name that is missing stands as `[? …]`, which no label can have. */
export function labelText(entries: readonly DeclarationEntryDto[], region: Region): string {
  if (region !== 'cn') return `${headingOf(region)}: ${entries.map(nameOnLabel).join(', ')}`;
  const namesOf = (isTrace: boolean) =>
    entries
      .filter(({ group }) => (group === 'trace') === isTrace)
      .map(nameOnLabel)
      .join('、');
  const [main, trace] = [namesOf(false), namesOf(true)];
  const parts = [
    ...(main === '' ? [] : [`${CHINESE_HEADING}：${main}`]),
    ...(trace === '' ? [] : [`${CHINESE_TRACE_HEADING}：${trace}`]),
  ];
  return parts.join('；');
}

/**
 * The list of a range of shades. In the EU and China all colorants stand behind the words for what a shade may contain,
 * in the United States only those that some shades lack. Colorants of all shades need no such words in the EU. They do
 * in China, because without them colorants stand in descending order, which may differ by shade.
 * @param colorants each in all formulas, undefined where a formula lacks it
 */
export function rangeText(
  entries: readonly DeclarationEntryDto[],
  colorants: readonly (readonly (DeclarationEntryDto | undefined)[])[],
  region: Region,
): string {
  const first = (row: (typeof colorants)[number]) => row.find((entry) => entry !== undefined)!;
  const isInAll = (row: (typeof colorants)[number]) => !row.includes(undefined);
  const isSame = colorants.every(isInAll);
  const isPlain = { us: isInAll, eu: () => isSame, cn: () => false }[region];
  const always = colorants.filter(isPlain).map(first);
  const some = colorants.filter((row) => !isPlain(row)).map((row) => nameOnLabel(first(row)));
  const text = labelText([...entries, ...always], region);
  if (some.length === 0) return text;
  const mark = entries.length + always.length === 0 ? '' : { us: '. ', eu: ', ', cn: '；' }[region];
  if (region === 'cn') return `${text}${mark}${CHINESE_SHADES_HEADING}：${some.join('、')}`;
  return `${text}${mark}${region === 'eu' ? `[+/- ${some.join(', ')}]` : `May contain: ${some.join(', ')}`}`;
}

const nameOnLabel = ({ name, inciName }: DeclarationEntryDto): string => name ?? `[? ${inciName}]`;
