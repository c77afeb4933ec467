/** A piece of a phrase: a Chinese character, a run of letters, or a number. */
export interface Unit {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Of more the phrase is a text, and is searched for as it is. */
const MOST_UNITS = 100;
/** No name in a phrase has more. */
const LONGEST_NAME = 16;

const UNIT = /\p{Script=Han}|(?:(?!\p{Script=Han})\p{L}\p{M}*)+|\p{N}+/gu;

/** The units of a phrase; undefined where there are too many for a phrase in natural language. */
export function unitsOf(phrase: string): Unit[] | undefined {
  const units: Unit[] = [];
  for (const match of phrase.matchAll(UNIT)) {
    if (units.length === MOST_UNITS) return undefined;
    units.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return units;
}

/** Keys of everything in the phrase that may be a name: all runs of units. */
export function nameCandidates(units: readonly Unit[]): string[] {
  const keys = new Set<string>();
  for (let first = 0; first < units.length; first++) {
    let key = '';
    for (const { text } of units.slice(first, first + LONGEST_NAME)) keys.add((key += text));
  }
  return [...keys];
}

/** The longest run of units from here on whose key is known, if any. */
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

/** A digit that is written together with letters belongs to their name: "spf50" is no "spf". */
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
