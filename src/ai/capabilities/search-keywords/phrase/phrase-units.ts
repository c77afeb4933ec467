/** A piece of a phrase: a Chinese character, a run of letters, or a number. */
export interface Unit {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of units. A longer phrase is searched for as plain text. */
const MOST_UNITS = 100;
/** Maximum number of units in a name. */
const LONGEST_NAME = 16;

const UNIT = /\p{Script=Han}|(?:(?!\p{Script=Han})\p{L}\p{M}*)+|\p{N}+/gu;

/** Returns the units of a phrase, or undefined if there are too many for a phrase in natural language. */
export function unitsOf(phrase: string): Unit[] | undefined {
  const units: Unit[] = [];
  for (const match of phrase.matchAll(UNIT)) {
    if (units.length === MOST_UNITS) return undefined;
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
export function longestKnown(
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
