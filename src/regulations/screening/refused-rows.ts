import { searchText } from '../../platform/common/name-forms';
import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { Refusal } from '../editions/limit.entity';
import type { Subject } from './screening-model';

/** Words of a row that say nothing about its substance. */
const COMMON_WORDS = new Set(
  (
    'aqua acid acids salt salts ester esters sodium potassium calcium magnesium ammonium alkali alkaline alkalis water ' +
    'soluble inorganic organic alpha beta hydroxy other others compounds compound mixtures mixture that release ' +
    'releases releasers with without except exception exceptions including following substances substance annex and ' +
    'their derivatives certain from extract extracts oils oxide hydroxide chloride sulfate nitrate phosphate free'
  ).split(' '),
);

const ALPHA_HYDROXY_ACIDS = /\balpha-hydroxy acids?\b|\bAHAs?\b|α-羟基酸/i;
const ALPHA_HYDROXY_ACID = /\b(?:lact|glycol|mal|citr|mandel)(?:ic|ates?)\b|\btart(?:aric|rates?)\b/;

/** The words of a name without the endings of acids, salts and plurals: `Oxalic`, `oxalates` are `oxal`. */
const stemsOf = (name: string): string[] =>
  (searchText(name).match(/[a-z]{4,}/g) ?? [])
    .filter((word) => !COMMON_WORDS.has(word))
    .map((word) => word.replace(/s$/, '').replace(/(?:ic|ate|ite|ine|ide)$/, ''))
    .filter((stem) => stem.length >= 4);

/**
 * Returns a function that finds the substances that a refused row may name. A substance that no other row names is also
 * found by words of its name: salts, esters and releasers.
 */
export function refusedSubjects(
  subjects: readonly Subject[],
  isMatched: (subject: Subject) => boolean,
): (row: Refusal) => Subject[] {
  const known = subjects.map((subject) => ({
    subject,
    chineseNames: subject.origins.flatMap(({ line }) => line.ingredient.chineseName ?? []),
    stems: isMatched(subject) ? [] : stemsOf(subject.inciName),
    isHydroxyAcid: !isMatched(subject) && ALPHA_HYDROXY_ACID.test(searchText(subject.inciName)),
  }));
  return ({ name, casNumbers }) => {
    const written = name ?? '';
    const key = ` ${substanceKey(written)} `;
    const stems = stemsOf(written);
    const isOfHydroxyAcids = ALPHA_HYDROXY_ACIDS.test(written);
    const isNamed = ({ subject, chineseNames, stems: own, isHydroxyAcid }: (typeof known)[number]) =>
      casNumbers.some((number) => subject.casNumbers.includes(number)) ||
      (!COMMON_WORDS.has(subject.key) && key.includes(` ${subject.key} `)) ||
      chineseNames.some((each) => each.length > 1 && written.includes(each)) ||
      (isHydroxyAcid && isOfHydroxyAcids) ||
      own.some((word) => stems.some((stem) => word === stem || (stem.length > 4 && word.endsWith(stem))));
    return known.filter(isNamed).map(({ subject }) => subject);
  };
}
