import type { LineShare } from '../formulas/composition/expansion';
import { readCategory } from '../ingredients/function-category';
import { inciNamesOf, inciSynonymsOf, inventoryNamesOf } from '../ingredients/names/everyday-names';
import { withoutGrade } from '../ingredients/names/grade';
import { macrogolsOf } from '../ingredients/names/macrogols';
import { DERIVED } from '../ingredients/raw-materials/allergen-names';
import { substanceKey, withoutNano } from '../ingredients/raw-materials/substance-names';
import { nameKey } from '../platform/common/name-forms';
import type { LabelProductType, ProblemCode, Region } from './declaration.dto';
import type { LabelEntry } from './label-entries';
import { CHINESE_FRAGRANCE } from './label-names';

/*
 * Names that are printed, but are not those that labels of the region have.
 */

interface NameProblem {
  readonly code: ProblemCode;
  readonly alternatives: readonly string[];
}

const OWNED = /[®™]|\((?:R|TM)\)/i;
/** `SD Alcohol 40-B`, which labels of the United States have. */
const US_ALCOHOL = /^sd alcohol\b/i;

/** Grades that are part of INCI names: `Glyceryl Stearate SE`, `PEG-14M`. */
const PART_OF_NAME = /^(?:SE|\d+M)$/i;

/** Names of trade and every day, of a solution, grade or mass, and of a function: `Tween 20`, `PEG-400`, `防腐剂`. */
export function tradeName(written: string, region: Region): NameProblem | undefined {
  const name = withoutNano(written);
  if (region === 'us' && US_ALCOHOL.test(name)) return undefined;
  const namesOf = region === 'cn' ? inventoryNamesOf : inciNamesOf;
  const known = namesOf(name);
  if (known) return { code: 'trade-name', alternatives: known };
  const macrogol = macrogolsOf(nameKey(name));
  if (macrogol) return { code: 'macrogol-by-mass', alternatives: region === 'cn' ? [] : macrogol[0]! };
  const base = withoutGrade(name);
  const isGraded = name.includes('%') || (base !== undefined && !PART_OF_NAME.test(base.grade));
  const isFunction = name !== CHINESE_FRAGRANCE && 'value' in readCategory(name);
  if (!OWNED.test(name) && !isGraded && !isFunction) return undefined;
  return { code: 'trade-name', alternatives: base ? (namesOf(base.name) ?? [base.name]) : [] };
}

/** Words of Latin names of the EU that are no plant or animal; the United States have English names. */
const LATIN =
  /\b(?:adeps|butyrum|cera|faex|iecur|lac|limus|liquidum|maris|mel|microcristallina|olus|ovum|paraffinum|piscum|pix|serica|solum|tallol)\b/;
/** `Olea Europaea Fruit Oil`, but not `Olea Europaea (Olive) Fruit Oil`, `Jojoba Oil` and `Orange Roughy Oil`. */
const LATIN_PLANT =
  /^(?!\S+(?:ed|ic)\s)[a-z]{3,} [a-z]+(?:a|ae|ans|e|ens|es|i|is|o|um|us|x)\b(?! \()(?:.* | )(?:butter|oil|wax)$/;

export function latinName(name: string): NameProblem | undefined {
  const key = substanceKey(name);
  const alternatives = inciSynonymsOf(name).filter(
    (other) => other !== name && isEnglish(substanceKey(other)),
  );
  if (LATIN.test(key)) return { code: 'latin-name', alternatives };
  return LATIN_PLANT.test(key) && !DERIVED.test(key) ? { code: 'latin-plant-name', alternatives } : undefined;
}

const isEnglish = (key: string): boolean => !LATIN.test(key) && !LATIN_PLANT.test(key);

/** Active ingredients of drugs without prescription that are in cosmetics for no other reason. */
const ACTIVE =
  /fluoride|fluorophosphate|fluorosilicate|^(?:ol|dect)aflur$|^alumin(?:i)?um (?:.*chlorohydr|chloride|zirconium)|^(?:zinc pyrithione|selenium sulfide|coal tar|ketoconazole|benzoyl peroxide|hydroquinone|sulfur|lidocaine|benzocaine|minoxidil|hydrocortisone)$/;
const ORGANIC_FILTER =
  /^(?:avobenzone|bemotrizinol|benzophenone-[348]|bis-ethylhexyloxyphenol methoxyphenyl triazine|butyl methoxydibenzoylmethane|cinoxate|ensulizole|ethylhexyl (?:dimethyl paba|methoxycinnamate|salicylate)|homosalate|menthyl anthranilate|octinoxate|octisalate|octocrylene|oxybenzone|paba|phenylbenzimidazole sulfonic acid|sulisobenzone|tea-salicylate)$/;
const MINERAL_FILTER = /^(?:titanium dioxide|zinc oxide)$/;

/** A UV filter is a drug in the United States, minerals only where they may be meant as one. */
export function mayBeDrug({ inciName, shares }: LabelEntry, productType: LabelProductType): boolean {
  const key = substanceKey(inciName);
  if (ACTIVE.test(key) || ORGANIC_FILTER.test(key)) return true;
  if (productType === 'anti-dandruff-shampoo' && key === 'salicylic acid') return true;
  const isSunscreen = productType.startsWith('sunscreen');
  if (MINERAL_FILTER.test(key)) return isSunscreen || (productType === 'leave-on' && shares.some(isFilter));
  return shares.some((share) => isFilter(share) && substanceKey(share.line.ingredient.inciName) === key);
}

const isFilter = ({ line }: LineShare): boolean => line.catalogue?.functionCategory === 'sunscreen';
