import { distinct, groupBy } from '../../platform/common/collections';
import { inTurns } from '../../platform/common/in-turns';
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

/** A word, and its endings of five letters or more: `bisulf` is found as `sulf`. */
const endingsOf = (word: string): string[] => [
  word,
  ...Array.from({ length: Math.max(0, word.length - 5) }, (_, at) => word.slice(at + 1)),
];

/** The parts of a list or a text that have one of the given lengths. */
const partsOf = <Sequence extends string | readonly string[]>(
  sequence: Sequence,
  lengths: ReadonlySet<number>,
) =>
  [...lengths].flatMap((length) =>
    Array.from({ length: Math.max(0, sequence.length - length + 1) }, (_, at) =>
      sequence.slice(at, at + length),
    ),
  ) as (Sequence extends string ? string : string[])[];

/**
 * Returns a function that finds the substances that a refused row may name. A substance that no other row names is also
 * found by words of its name: salts, esters and releasers.
 */
export async function refusedSubjects(
  subjects: readonly Subject[],
  isMatched: (subject: Subject) => boolean,
): Promise<(row: Refusal) => Subject[]> {
  const indexed = (textsOf: (subject: Subject) => readonly string[]) =>
    groupBy(
      subjects.flatMap((subject) => textsOf(subject).map((text) => ({ text, subject }))),
      ({ text }) => text,
    );
  const byNumber = indexed(({ casNumbers }) => casNumbers);
  const byKey = indexed(({ key }) => (COMMON_WORDS.has(key) ? [] : [key]));
  const byChineseName = indexed(({ origins }) =>
    distinct(origins.flatMap(({ line }) => line.ingredient.chineseName ?? [])).filter(
      ({ length }) => length > 1,
    ),
  );
  const unmatched = subjects.filter((subject) => !isMatched(subject));
  const endings = new Map(
    await inTurns(unmatched, (subject) => [subject, stemsOf(subject.inciName).flatMap(endingsOf)] as const),
  );
  const byEnding = indexed((subject) => distinct(endings.get(subject) ?? []));
  const hydroxyAcids = unmatched.filter(({ inciName }) => ALPHA_HYDROXY_ACID.test(searchText(inciName)));
  const wordCounts = new Set([...byKey.keys()].map((key) => key.split(' ').length));
  const nameLengths = new Set([...byChineseName.keys()].map(({ length }) => length));
  return ({ name, casNumbers }) => {
    const written = name ?? '';
    const phrases = partsOf(substanceKey(written).split(' '), wordCounts);
    const found = [
      ...casNumbers.map((number) => byNumber.get(number)),
      ...phrases.map((words) => byKey.get(words.join(' '))),
      ...partsOf(written, nameLengths).map((part) => byChineseName.get(part)),
      ...stemsOf(written).map((stem) => byEnding.get(stem)),
    ].flatMap((entries) => entries?.map(({ subject }) => subject) ?? []);
    return distinct(ALPHA_HYDROXY_ACIDS.test(written) ? [...found, ...hydroxyAcids] : found);
  };
}
