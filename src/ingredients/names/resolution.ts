import { distinctBy } from '../../platform/common/collections';
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

/** Names that the laboratory adds to an ingredient. */
const GIVEN: readonly MatchedBy[] = ['synonym', 'trade-name'];

export interface NameMatch {
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
  readonly candidates: readonly NameMatch[];
}

type IngredientsOf = (key: string) => readonly FoundIngredient[];

/**
 * Resolves a name by the first reading with exact matches, then by its parts; otherwise returns ingredients with
 * similar names. Names of the catalogue precede the built-in everyday names.
 * @param found returns the ingredients that were found for a key
 */
export function resolutionOf(name: string, readings: NameReadings, found: IngredientsOf): Resolution {
  const exact = exactResolution(name, readings.whole, found) ?? resolutionOfParts(name, readings, found);
  if (exact) return exact;
  const similar = readings.whole.flatMap(({ keys }) => keys.flatMap(found));
  const candidates = bestOf(similar.map((one) => candidateOf(one, 'similar')));
  return { name, certain: false, grade: null, inciNames: inciNamesOf(readings.whole), candidates };
}

function exactResolution(
  name: string,
  readings: readonly Reading[],
  found: IngredientsOf,
): Resolution | undefined {
  for (const reading of readings) {
    const matches = reading.keys.flatMap((key) => exactMatches(found(key), reading));
    const exact = bestOf(matches);
    if (exact.length === 0) continue;
    const { ungraded } = reading;
    const decided = exact.length === 1 ? exact[0] : givenOf(matches);
    return {
      name,
      certain: decided !== undefined && (reading.meanings?.length ?? 1) === 1 && !ungraded?.isStrength,
      grade: ungraded?.grade ?? null,
      inciNames: inciNamesOf(readings),
      candidates: distinctBy([...(decided ? [decided] : []), ...exact], idOf),
    };
  }
  return undefined;
}

/** Returns the only one of several suppliers of a substance to which the laboratory has given the name. */
function givenOf(matches: readonly NameMatch[]): NameMatch | undefined {
  const isOneSubstance = new Set(matches.map(({ ingredient }) => nameKey(ingredient.inciName))).size === 1;
  const given = bestOf(matches.filter(({ matchedBy }) => GIVEN.includes(matchedBy)));
  return isOneSubstance && given.length === 1 ? given[0] : undefined;
}

/**
 * Resolves `Aqua (Water)` by both names. It is certain if they mean one ingredient, or if a bracket that is no name
 * stands behind a name of the catalogue: `凡士林(白)`.
 */
function resolutionOfParts(
  name: string,
  { parts, isBracketed }: NameReadings,
  found: IngredientsOf,
): Resolution | undefined {
  const resolved = parts.map((part) => exactResolution(name, part, found));
  const known = resolved.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  const meant = known.map(({ certain, candidates }) => (certain ? candidates.slice(0, 1) : candidates));
  const shared = meant[0]!.filter((one) =>
    meant.every((others) => others.some((other) => idOf(other) === idOf(one))),
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
    candidates: bestOf(shared.length > 0 ? shared : meant.flat()),
  };
}

const inciNamesOf = (readings: readonly Reading[]): string[] =>
  (readings.find((reading) => reading.meanings)?.meanings ?? []).map(([inciName]) => inciName!);

const exactMatches = (
  found: readonly FoundIngredient[],
  { meanings }: Pick<Reading, 'meanings'>,
): NameMatch[] =>
  found
    .filter(({ via }) => via !== 'similar')
    .map((one) => candidateOf(one, meanings ? 'everyday-name' : one.via));

const candidateOf = ({ via: _, ...ingredient }: FoundIngredient, matchedBy: MatchedBy): NameMatch => ({
  ingredient,
  matchedBy,
});

/** Returns each ingredient once, with its best match. */
const bestOf = (matches: readonly NameMatch[]): NameMatch[] =>
  distinctBy(
    matches.toSorted((one, other) => MATCHES.indexOf(one.matchedBy) - MATCHES.indexOf(other.matchedBy)),
    idOf,
  );

const idOf = ({ ingredient }: NameMatch): string => ingredient.id;

/** Returns the ingredients that have exactly the name, or that it means. */
export const exactOf = ({ candidates }: Resolution): NameMatch['ingredient'][] =>
  candidates.filter(({ matchedBy }) => matchedBy !== 'similar').map(({ ingredient }) => ingredient);

/**
 * Returns the ingredients that a name means together with a supplier: one if it is certain.
 * @param supplier null for an empty cell, which prefers an ingredient without a supplier, but excludes no other;
 *   undefined if nothing is said of it
 */
export function suppliedOf(
  resolution: Resolution,
  supplier: string | null | undefined,
): { ingredients: NameMatch['ingredient'][]; certain: boolean } {
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
