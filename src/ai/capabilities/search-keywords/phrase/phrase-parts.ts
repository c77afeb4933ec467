import type { FunctionCategory } from '../../../../ingredients/function-category';
import { FAMILIES, NAMESAKES } from '../../../../ingredients/names/everyday-names';
import { distinct } from '../../../../platform/common/collections';
import { MAX_NAME_KEY, nameKey } from '../../../../platform/common/name-forms';
import {
  type DateRange,
  percentBounds,
  type PercentBounds,
  phraseDates,
  type PhraseValue,
} from './phrase-values';
import phraseWords from './phrase-words.json';

/** A piece of a phrase: a Chinese character, a run of letters, or a number. */
export interface Unit {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Keys of the runs of units that begin here, by their number of units less one. Each may be a name. */
  readonly keys: readonly string[];
}

/** Maximum number of units in a name. */
const LONGEST_NAME = 16;

const UNIT = /\p{Script=Han}|(?:(?!\p{Script=Han})\p{L}\p{M}*)+|\p{N}+/gu;

/** Returns the units of a phrase; none if there are too many for a phrase in natural language. */
export function unitsOf(phrase: string): Unit[] {
  const places = [...phrase.matchAll(UNIT)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
  // A longer phrase is searched for as plain text.
  if (places.length > 100) return [];
  return places.map((place, at) => {
    const ends = places.slice(at, at + LONGEST_NAME).map(({ end }) => end);
    const runs = ends
      .map((end) => phrase.slice(place.start, end))
      .filter(({ length }) => length <= MAX_NAME_KEY);
    return { ...place, keys: runs.map(nameKey) };
  });
}

/** Returns the longest run of units whose key is known, if there is one. */
function longestKnown(
  units: readonly Unit[],
  isKnown: (key: string) => boolean,
): { readonly key: string; readonly count: number } | undefined {
  const { keys } = units[0]!;
  for (let count = Math.min(keys.length, units.length); count > 0; count--) {
    const key = keys[count - 1]!;
    if (isKnown(key) && !isCutNumber(units, count)) return { key, count };
  }
  return undefined;
}

/** Returns true if the first units omit a number that is attached to their letters: "spf50" is not "spf". */
function isCutNumber(units: readonly Unit[], count: number): boolean {
  const last = units[count - 1]!;
  const next = units[count];
  return /^\p{Script=Latin}/u.test(last.text) && next?.start === last.end && /^\p{N}/u.test(next.text);
}

/** A part of a phrase, with its meaning. */
export interface PhrasePart {
  readonly kind:
    | 'ingredient'
    | 'product'
    | 'word'
    | 'excluding'
    | 'excluding-ingredient'
    | 'excluding-before'
    | 'including'
    | 'connecting'
    | 'filler'
    | 'created'
    | 'updated'
    | 'bounds'
    | 'dates';
  readonly start: number;
  readonly end: number;
  /** The text as written. */
  readonly text: string;
  /** Keys under which the catalogue may list the ingredient. */
  readonly keys?: readonly string[];
  /** Words that identify the ingredient's family. */
  readonly family?: readonly string[];
  readonly category?: FunctionCategory;
  /** Words for the product or function in texts. */
  readonly found?: readonly string[];
  readonly bounds?: PercentBounds;
  readonly dates?: DateRange;
}

type Meaning = Omit<PhrasePart, 'start' | 'end' | 'text'>;

/** Keyed by `nameKey`. If two kinds share a word, the later kind is used. */
const lexicon = new Map<string, Meaning>();
for (const [kind, words] of Object.entries(phraseWords.markers)) {
  for (const word of words) lexicon.set(nameKey(word), { kind: kind as PhrasePart['kind'] });
}
for (const { written, found } of phraseWords.products) {
  for (const word of written) lexicon.set(nameKey(word), { kind: 'product', found });
}

/** Abbreviations of ingredients that are ordinary words in a phrase: "tea" is not triethanolamine there. */
const ORDINARY_WORDS: ReadonlySet<string> = new Set(phraseWords.notIngredients);

/** Everyday names of ingredients and of their families. */
const everyday = new Map<string, Meaning>();
for (const [key, keys] of NAMESAKES) {
  if (!ORDINARY_WORDS.has(key)) everyday.set(key, { kind: 'ingredient', keys });
}
for (const { names, words } of FAMILIES) {
  for (const key of names.map(nameKey)) {
    everyday.set(key, { kind: 'ingredient', keys: everyday.get(key)?.keys ?? [key], family: words });
  }
}
for (const { category, written, found } of phraseWords.categories) {
  for (const key of written.map(nameKey)) {
    everyday.set(key, {
      ...everyday.get(key),
      kind: 'ingredient',
      category: category as FunctionCategory,
      found,
    });
  }
}

/** Returns the meaning of a name that a model returned. */
export const meaningOf = (name: string): Meaning => {
  const key = nameKey(name);
  return everyday.get(key) ?? { kind: 'ingredient', keys: NAMESAKES.get(key) ?? [key] };
};

/** Returns the keys of all names that the catalogue may use for these keys. */
export const catalogueKeys = (keys: readonly string[]): string[] =>
  distinct(keys.flatMap((key) => everyday.get(key)?.keys ?? [key])).filter((key) => key !== '');

/** Returns true for one Chinese character, which may be part of a word: 冰霜 is not a cream, 花水 is not water. */
const isOneCharacter = (key: string): boolean => /^\p{Script=Han}$/u.test(key);

/**
 * Splits a phrase into its parts, from left to right. At each position the longest known part is used.
 * @param catalogue keys of the catalogue's names in the phrase
 */
export function partsOfPhrase(
  phrase: string,
  units: readonly Unit[],
  catalogue: ReadonlySet<string>,
  now: Date,
): PhrasePart[] {
  const dates = phraseDates(phrase, now);
  const bounds = percentBounds(phrase).filter(({ start, end }) => !overlaps(dates, start, end));
  const taken = [
    ...dates.map((date): PhrasePart => ({ ...placed(phrase, date), kind: 'dates', dates: date.value })),
    ...bounds.map((bound): PhrasePart => ({ ...placed(phrase, bound), kind: 'bounds', bounds: bound.value })),
  ];
  const meaning = (key: string): Meaning | undefined =>
    everyday.get(key) ??
    (catalogue.has(key) && !lexicon.has(key) ? { kind: 'ingredient', keys: [key] } : lexicon.get(key));
  const parts: PhrasePart[] = [];
  for (let at = 0; at < units.length;) {
    const unit = units[at]!;
    const place = taken.find(({ start, end }) => unit.start < end && start < unit.end);
    if (place) {
      if (!parts.includes(place)) parts.push(place);
      at += 1;
      continue;
    }
    const free = freeUnits(units, at, taken);
    const known = longestKnown(free, (key) => meaning(key) !== undefined);
    const previous = parts.at(-1);
    const isAttached = previous?.kind === 'word' && previous.end === unit.start;
    if (
      known &&
      !(isOneCharacter(known.key) && (isAttached || !mayStandAlone(known.key, meaning, previous, units, at)))
    ) {
      const end = free[known.count - 1]!.end;
      parts.push({ ...meaning(known.key)!, start: unit.start, end, text: phrase.slice(unit.start, end) });
      at += known.count;
      continue;
    }
    if (isAttached) parts.pop();
    const start = isAttached ? previous.start : unit.start;
    parts.push({ kind: 'word', start, end: unit.end, text: phrase.slice(start, unit.end) });
    at += 1;
  }
  for (const place of taken) if (!parts.includes(place)) parts.push(place);
  return parts.sort((a, b) => a.start - b.start);
}

/** Returns false for a one-character ingredient that is neither separate nor after a word such as "without". */
function mayStandAlone(
  key: string,
  meaning: (key: string) => Meaning | undefined,
  previous: PhrasePart | undefined,
  units: readonly Unit[],
  at: number,
): boolean {
  if (meaning(key)?.kind !== 'ingredient') return true;
  if (previous && /^(excluding|including|connecting)/.test(previous.kind)) return true;
  const isApart = (other: Unit | undefined, place: 'start' | 'end'): boolean =>
    other === undefined || other[place] !== units[at]![place === 'start' ? 'end' : 'start'];
  return isApart(units[at - 1], 'end') && isApart(units[at + 1], 'start');
}

/** Returns the units before the next position that is taken. */
function freeUnits(units: readonly Unit[], first: number, taken: readonly PhrasePart[]): Unit[] {
  const rest = units.slice(first, first + 32);
  const end = rest.findIndex((unit) => overlaps(taken, unit.start, unit.end));
  return end < 0 ? rest : rest.slice(0, end);
}

const overlaps = (places: readonly { start: number; end: number }[], start: number, end: number): boolean =>
  places.some((place) => start < place.end && place.start < end);

const placed = (phrase: string, { start, end }: PhraseValue<unknown>) => ({
  start,
  end,
  text: phrase.slice(start, end),
});
