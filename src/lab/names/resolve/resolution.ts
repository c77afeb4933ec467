import { lettersKey, nameKey } from '../name-key';
import { type Meanings, meaningsOf } from './everyday-names';
import { type Ungraded, withoutGrade } from './grade';
import type { FoundIngredient } from './resolve.repository';

/** How an ingredient was found; the exact ones first, and among them what says most. */
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

/** Most ingredients that are shown of one name. */
export const MAX_CANDIDATES = 5;

export interface Candidate {
  readonly ingredient: Omit<FoundIngredient, 'via'>;
  readonly matchedBy: MatchedBy;
}

export interface Resolution {
  readonly name: string;
  /** Exactly one ingredient has exactly this name. */
  readonly certain: boolean;
  /** What of the name was left out: `99%`. */
  readonly grade: string | null;
  /** What the shipped list of everyday names says. */
  readonly inciNames: readonly string[];
  readonly candidates: readonly Candidate[];
}

/** What a name may say, and what to look for then. */
interface Reading {
  readonly name: string;
  readonly keys: readonly string[];
  readonly ungraded?: Ungraded;
  /** Of an everyday name. */
  readonly meanings?: Meanings;
}

/** The readings of a name, the likeliest first: as it is written, then without its grade. */
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
 * What a name means: by the first of its readings that an ingredient fits exactly, else ingredients with similar
 * names. The catalogue's own names come before the shipped ones.
 * @param found the ingredients that were found for a key
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

/** The database compares letters and digits only; the names themselves decide. */
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

/** Each ingredient once, by its best match. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const sorted = candidates.toSorted(
    (one, other) => MATCHES.indexOf(one.matchedBy) - MATCHES.indexOf(other.matchedBy),
  );
  const ids = sorted.map(({ ingredient }) => ingredient.id);
  return sorted.filter(({ ingredient }, at) => ids.indexOf(ingredient.id) === at);
}
