import { nameKey, plainText } from '../../platform/common/name-forms';
import type { FoundIngredient } from './ingredient-lookup.repository';
import type { NameReadings, Reading } from './name-readings';

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

/** Names that the laboratory gives an ingredient beside its own. */
const GIVEN: readonly MatchedBy[] = ['synonym', 'trade-name'];

export interface Candidate {
  readonly ingredient: Omit<FoundIngredient, 'via'>;
  readonly matchedBy: MatchedBy;
}

export interface Resolution {
  readonly name: string;
  /** True if exactly one ingredient is meant: the first of the candidates. */
  readonly certain: boolean;
  /** The grade that was removed from the name: `99%`. */
  readonly grade: string | null;
  /** INCI names from the built-in list of everyday names. */
  readonly inciNames: readonly string[];
  /** The best first: the ingredients that have exactly this name, or else similar ones. */
  readonly candidates: readonly Candidate[];
}

type Found = (key: string) => readonly FoundIngredient[];

/**
 * Resolves a name by the first reading with exact matches, then by its parts; otherwise returns ingredients with
 * similar names. Names of the catalogue precede the built-in everyday names.
 * @param found returns the ingredients that were found for a key
 */
export function resolutionOf(name: string, readings: NameReadings, found: Found): Resolution {
  const exact = exactResolution(name, readings.whole, found) ?? resolutionOfParts(name, readings, found);
  if (exact) return exact;
  const similar = readings.whole.flatMap(({ keys }) => keys.flatMap(found));
  const candidates = distinct(similar.map((one) => candidateOf(one, 'similar')));
  return { name, certain: false, grade: null, inciNames: inciNamesOf(readings.whole), candidates };
}

function exactResolution(name: string, readings: readonly Reading[], found: Found): Resolution | undefined {
  for (const reading of readings) {
    const matches = reading.keys.flatMap((key) => exactMatches(found(key), reading));
    const exact = distinct(matches);
    if (exact.length === 0) continue;
    const { ungraded } = reading;
    const decided = exact.length === 1 ? exact[0] : givenOf(matches);
    return {
      name,
      certain: decided !== undefined && (reading.meanings?.length ?? 1) === 1 && !ungraded?.isStrength,
      grade: ungraded?.grade ?? null,
      inciNames: inciNamesOf(readings),
      candidates: distinct([...(decided ? [decided] : []), ...exact], false),
    };
  }
  return undefined;
}

/** Returns the only one of several suppliers of a substance to which the laboratory has given the name. */
function givenOf(matches: readonly Candidate[]): Candidate | undefined {
  const isOneSubstance = new Set(matches.map(({ ingredient }) => nameKey(ingredient.inciName))).size === 1;
  const given = distinct(matches.filter(({ matchedBy }) => GIVEN.includes(matchedBy)));
  return isOneSubstance && given.length === 1 ? given[0] : undefined;
}

/**
 * Resolves `Aqua (Water)` by both names. It is certain if they mean one ingredient, or if a bracket that is no name
 * stands behind a name of the catalogue: `凡士林(白)`.
 */
function resolutionOfParts(
  name: string,
  { parts, isBracketed }: NameReadings,
  found: Found,
): Resolution | undefined {
  const resolved = parts.map((part) => exactResolution(name, part, found));
  const known = resolved.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  const meant = known.map(({ certain, candidates }) => (certain ? candidates.slice(0, 1) : candidates));
  const shared = meant[0]!.filter((one) =>
    meant.every((others) => others.some((other) => isSame(one, other))),
  );
  const isRemark =
    isBracketed && resolved[0]?.certain && resolved[0].candidates[0]!.matchedBy !== 'everyday-name';
  return {
    name,
    certain:
      shared.length === 1 &&
      known.some(({ certain }) => certain) &&
      known.every(({ certain, grade }) => certain || grade === null) &&
      (known.length === parts.length || isRemark === true),
    grade: known.find(({ grade }) => grade !== null)?.grade ?? null,
    inciNames: [...new Set(known.flatMap(({ inciNames }) => inciNames))],
    candidates: distinct(shared.length > 0 ? shared : meant.flat()),
  };
}

const inciNamesOf = (readings: readonly Reading[]): string[] =>
  (readings.find((reading) => reading.meanings)?.meanings ?? []).map(([inciName]) => inciName!);

const isSame = (one: Candidate, other: Candidate): boolean => one.ingredient.id === other.ingredient.id;

const exactMatches = (
  found: readonly FoundIngredient[],
  { meanings }: Pick<Reading, 'meanings'>,
): Candidate[] =>
  found
    .filter(({ via }) => via !== 'similar')
    .map((one) => candidateOf(one, meanings ? 'everyday-name' : one.via));

const candidateOf = ({ via: _, ...ingredient }: FoundIngredient, matchedBy: MatchedBy): Candidate => ({
  ingredient,
  matchedBy,
});

/** Keeps each ingredient once, with its best match, or with its first one. */
function distinct(candidates: readonly Candidate[], isSorted = true): Candidate[] {
  const rank = ({ matchedBy }: Candidate) => (isSorted ? MATCHES.indexOf(matchedBy) : 0);
  const sorted = candidates.toSorted((one, other) => rank(one) - rank(other));
  const ids = sorted.map(({ ingredient }) => ingredient.id);
  return sorted.filter(({ ingredient }, at) => ids.indexOf(ingredient.id) === at);
}

/** Returns the ingredients that have exactly the name, or that it means. */
export const exactOf = ({ candidates }: Resolution): Candidate['ingredient'][] =>
  candidates.filter(({ matchedBy }) => matchedBy !== 'similar').map(({ ingredient }) => ingredient);

/**
 * Returns the ingredients that a name means beside a supplier: one if it is certain.
 * @param supplier null for an empty cell, which prefers an ingredient without a supplier, but excludes no other;
 *   undefined if nothing is said of it
 */
export function suppliedOf(
  resolution: Resolution,
  supplier: string | null | undefined,
): { ingredients: Candidate['ingredient'][]; certain: boolean } {
  const exact = exactOf(resolution);
  const own = exact.filter((one) => plainText(one.supplier ?? '') === plainText(supplier ?? ''));
  if (supplier) {
    // The supplier decides between the materials of one substance, not between meanings, or what a solution is.
    const isOneMeaning = resolution.certain || (resolution.grade === null && resolution.inciNames.length < 2);
    return { ingredients: own, certain: isOneMeaning && own.length === 1 };
  }
  if (resolution.certain) return { ingredients: exact.slice(0, 1), certain: true };
  const isOneSubstance = new Set(exact.map(({ inciName }) => nameKey(inciName))).size === 1;
  const isPlain = supplier === null && isOneSubstance && resolution.grade === null && own.length === 1;
  return { ingredients: isPlain ? own : exact, certain: isPlain };
}
