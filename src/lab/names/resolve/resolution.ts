import { lettersKey, nameKey } from '../name-key';
import { type Meanings, meaningsOf } from './everyday-names';
import { type Ungraded, withoutGrade } from './grade';
import type { FoundIngredient } from './resolve.repository';

/** How an ingredient was found. Exact matches come first, the most specific ones before others. */
export const MATCHES = [
  'inci',
  'chinese',
  'cas',
  'ec',
  'synonym',
  'trade-name',
  'everyday-name',
  'similar',
] as const;
export type MatchedBy = (typeof MATCHES)[number];

/** Most ingredients in the result for one name. */
export const MAX_CANDIDATES = 5;

export interface Candidate {
  readonly ingredient: Omit<FoundIngredient, 'via'>;
  readonly matchedBy: MatchedBy;
}

export interface Resolution {
  readonly name: string;
  /** True if exactly one ingredient has exactly this name. */
  readonly certain: boolean;
  /** The grade that was removed from the name: `99%`. */
  readonly grade: string | null;
  /** INCI names from the built-in list of everyday names. */
  readonly inciNames: readonly string[];
  readonly candidates: readonly Candidate[];
}

/** One interpretation of a name, with the keys to look up. */
interface Reading {
  readonly name: string;
  readonly keys: readonly string[];
  readonly ungraded?: Ungraded;
  /** INCI names that an everyday name stands for. */
  readonly meanings?: Meanings;
}

/** Returns the readings of a name, the likeliest first: as written, then without its grade. */
export function readingsOf(written: string, withEverydayNames: boolean): Reading[] {
  const ungraded = withoutGrade(written);
  const names = [{ name: written }, ...(ungraded ? [{ name: ungraded.name, ungraded }] : [])];
  return names.flatMap(({ name, ...grade }) => {
    const meanings = withEverydayNames ? meaningsOf(nameKey(name)) : [];
    const everyday = { name, keys: meanings.flat().map(nameKey), meanings, ...grade };
    const direct = { name, keys: [...new Set([nameKey(name), lettersKey(name)])], ...grade };
    return meanings.length > 0 ? [direct, everyday] : [direct];
  });
}

/**
 * Resolves a name by the first reading with exact matches; otherwise returns ingredients with similar names. Names
 * of the catalogue precede the built-in everyday names.
 * @param found returns the ingredients that were found for a key
 */
export function resolutionOf(
  name: string,
  readings: readonly Reading[],
  found: (key: string) => readonly FoundIngredient[],
): Resolution {
  const meanings = readings.find((reading) => reading.meanings)?.meanings ?? [];
  const inciNames = meanings.map(([inciName]) => inciName!);
  for (const reading of readings) {
    const exact = distinct(reading.keys.flatMap((key) => exactMatches(key, found(key), reading)));
    if (exact.length === 0) continue;
    const { ungraded } = reading;
    return {
      name,
      certain: exact.length === 1 && (reading.meanings?.length ?? 1) === 1 && !ungraded?.isStrength,
      grade: ungraded?.grade ?? null,
      inciNames,
      candidates: exact.slice(0, MAX_CANDIDATES),
    };
  }
  const similar = readings.flatMap(({ keys }) => keys.flatMap(found));
  const candidates = distinct(similar.map((one) => candidateOf(one, 'similar')));
  return { name, certain: false, grade: null, inciNames, candidates: candidates.slice(0, MAX_CANDIDATES) };
}

/** Returns the exact matches. The database compares only letters and digits, so the names are compared again here. */
function exactMatches(
  key: string,
  found: readonly FoundIngredient[],
  { meanings }: Pick<Reading, 'meanings'>,
): Candidate[] {
  const wanted = nameKey(key);
  if (wanted === '') return [];
  const isExact = ({ via, inciName, chineseName }: FoundIngredient): boolean => {
    if (via === 'inci') return nameKey(inciName) === wanted;
    if (via === 'chinese') return nameKey(chineseName) === wanted;
    return via !== 'similar';
  };
  return found.filter(isExact).map((one) => candidateOf(one, meanings ? 'everyday-name' : one.via));
}

const candidateOf = ({ via: _, ...ingredient }: FoundIngredient, matchedBy: MatchedBy): Candidate => ({
  ingredient,
  matchedBy,
});

/** Keeps each ingredient once, with its best match. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const sorted = candidates.toSorted(
    (one, other) => MATCHES.indexOf(one.matchedBy) - MATCHES.indexOf(other.matchedBy),
  );
  const ids = sorted.map(({ ingredient }) => ingredient.id);
  return sorted.filter(({ ingredient }, at) => ids.indexOf(ingredient.id) === at);
}
