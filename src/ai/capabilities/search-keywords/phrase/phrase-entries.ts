import type { FunctionCategory } from '../../../../ingredients/function-category';
import everydayNames from '../../ingredient-names/everyday-names.json';
import { plainKey } from '../../ingredient-names/name-keys';
import { type DateRange, type Found, percentBounds, type PercentBounds, phraseDates } from './phrase-values';
import phraseWords from './phrase-words.json';

/** A piece of a phrase: a Chinese character, a run of letters, or a number. */
export interface Unit {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of units in a name. */
const LONGEST_NAME = 16;

const UNIT = /\p{Script=Han}|(?:(?!\p{Script=Han})\p{L}\p{M}*)+|\p{N}+/gu;

/** Returns the units of a phrase, or undefined if there are too many for a phrase in natural language. */
export function unitsOf(phrase: string): Unit[] | undefined {
  const units: Unit[] = [];
  for (const match of phrase.matchAll(UNIT)) {
    // A longer phrase is searched for as plain text.
    if (units.length === 100) return undefined;
    units.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return units;
}

/** Returns the keys of all runs of units in the phrase, each of which may be a name. */
export function nameCandidates(units: readonly Unit[]): string[] {
  const keys = new Set<string>();
  for (let first = 0; first < units.length; first++) {
    let key = '';
    for (const { text } of units.slice(first, first + LONGEST_NAME)) keys.add((key += text));
  }
  return [...keys];
}

/** Returns the longest run of units from `first` on whose key is known, if there is one. */
function longestKnown(
  units: readonly Unit[],
  first: number,
  isKnown: (key: string) => boolean,
): { readonly key: string; readonly count: number } | undefined {
  let key = '';
  let longest: { key: string; count: number } | undefined;
  for (const [at, { text }] of units.slice(first, first + LONGEST_NAME).entries()) {
    key += text;
    if (isKnown(key) && !isCutNumber(units, first, at + 1)) longest = { key, count: at + 1 };
  }
  return longest;
}

/** Returns true if the run omits a digit that is attached to its letters: "spf50" is not "spf". */
function isCutNumber(units: readonly Unit[], first: number, count: number): boolean {
  const last = units[first + count - 1]!;
  const next = units[first + count];
  const previous = units[first - 1];
  const isLatin = (unit: Unit): boolean => /^\p{Script=Latin}/u.test(unit.text);
  return (
    (isLatin(last) && next?.start === last.end && /^\p{N}/u.test(next.text)) ||
    (isLatin(units[first]!) && previous?.end === units[first]!.start && /^\p{N}/u.test(previous.text))
  );
}

/** A part of a phrase, with its meaning. */
export interface Entry {
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

type Meaning = Omit<Entry, 'start' | 'end' | 'text'>;

/** Keyed by `plainKey`. If two kinds share a word, the later kind is used. */
const lexicon = new Map<string, Meaning>();
for (const [kind, words] of Object.entries(phraseWords.markers)) {
  for (const word of words) lexicon.set(plainKey(word), { kind: kind as Entry['kind'] });
}
for (const { written, found } of phraseWords.products) {
  for (const word of written) lexicon.set(plainKey(word), { kind: 'product', found });
}

/** Everyday names of ingredients and of their families. */
const everyday = new Map<string, Meaning>();
for (const names of everydayNames.names) {
  const keys = names.map(plainKey);
  for (const key of keys) everyday.set(key, { kind: 'ingredient', keys });
}
for (const { names, words } of everydayNames.families) {
  for (const key of names.map(plainKey)) {
    everyday.set(key, { kind: 'ingredient', keys: everyday.get(key)?.keys ?? [key], family: words });
  }
}
for (const { category, written, found } of phraseWords.categories) {
  for (const key of written.map(plainKey)) {
    everyday.set(key, {
      ...everyday.get(key),
      kind: 'ingredient',
      category: category as FunctionCategory,
      found,
    });
  }
}

/** Returns the meaning of a name that a model returned. */
export const meaningOf = (name: string): Meaning =>
  everyday.get(plainKey(name)) ?? { kind: 'ingredient', keys: [plainKey(name)] };

/** Returns the keys of all names that the catalogue may use for these keys. */
export const catalogueKeys = (keys: readonly string[]): string[] => [
  ...new Set(keys.flatMap((key) => everyday.get(key)?.keys ?? [key])),
];

/** Returns true for one Chinese character, which may be part of a word: 冰霜 is not a cream, 花水 is not water. */
const isOneCharacter = (key: string): boolean => /^\p{Script=Han}$/u.test(key);

/**
 * Splits a phrase into its parts, from left to right. At each position the longest known part is used.
 * @param catalogue keys of the catalogue's names in the phrase
 */
export function entriesOf(
  phrase: string,
  units: readonly Unit[],
  catalogue: ReadonlySet<string>,
  now: Date,
): Entry[] {
  const dates = phraseDates(phrase, now);
  const bounds = percentBounds(phrase).filter(({ start, end }) => !overlaps(dates, start, end));
  const taken = [
    ...dates.map((date): Entry => ({ ...placed(phrase, date), kind: 'dates', dates: date.value })),
    ...bounds.map((bound): Entry => ({ ...placed(phrase, bound), kind: 'bounds', bounds: bound.value })),
  ];
  const meaning = (key: string): Meaning | undefined =>
    everyday.get(key) ??
    (catalogue.has(key) && !lexicon.has(key) ? { kind: 'ingredient', keys: [key] } : lexicon.get(key));
  const entries: Entry[] = [];
  for (let at = 0; at < units.length;) {
    const unit = units[at]!;
    const place = taken.find(({ start, end }) => unit.start < end && start < unit.end);
    if (place) {
      if (!entries.includes(place)) entries.push(place);
      at += 1;
      continue;
    }
    const free = freeUnits(units, at, taken);
    const known = longestKnown(free, 0, (key) => meaning(key) !== undefined);
    const previous = entries.at(-1);
    const isAttached = previous?.kind === 'word' && previous.end === unit.start;
    if (
      known &&
      !(isOneCharacter(known.key) && (isAttached || !mayStandAlone(known.key, meaning, previous, units, at)))
    ) {
      const end = free[known.count - 1]!.end;
      entries.push({ ...meaning(known.key)!, start: unit.start, end, text: phrase.slice(unit.start, end) });
      at += known.count;
      continue;
    }
    if (isAttached) entries.pop();
    const start = isAttached ? previous.start : unit.start;
    entries.push({ kind: 'word', start, end: unit.end, text: phrase.slice(start, unit.end) });
    at += 1;
  }
  for (const place of taken) if (!entries.includes(place)) entries.push(place);
  return entries.sort((a, b) => a.start - b.start);
}

/** Returns false for a one-character ingredient that is neither separate nor after a word such as "without". */
function mayStandAlone(
  key: string,
  meaning: (key: string) => Meaning | undefined,
  previous: Entry | undefined,
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
function freeUnits(units: readonly Unit[], first: number, taken: readonly Entry[]): Unit[] {
  const rest = units.slice(first, first + 32);
  const end = rest.findIndex((unit) => overlaps(taken, unit.start, unit.end));
  return end < 0 ? rest : rest.slice(0, end);
}

const overlaps = (places: readonly { start: number; end: number }[], start: number, end: number): boolean =>
  places.some((place) => start < place.end && place.start < end);

const placed = (phrase: string, { start, end }: Found<unknown>) => ({
  start,
  end,
  text: phrase.slice(start, end),
});
