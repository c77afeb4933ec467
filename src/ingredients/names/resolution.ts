import { distinctBy } from '../../platform/common/collections';
import { nameKey, plainText } from '../../platform/common/name-forms';
import { substanceOf } from './everyday-names';
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
    const { ungraded, isGivenOnly, namesakes = [] } = reading;
    const given = givenOf(exact, [...reading.keys, ...namesakes], found);
    if (exact.length === 0 || (isGivenOnly && !given)) continue;
    const isContradicted = exact.some(
      (one) => one.matchedBy === 'inci' && !isOneSubstance([one, given ?? one]) && !isGivenOnly,
    );
    const decided = exact.length === 1 ? exact[0] : isContradicted ? undefined : given;
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

/** Returns the only one of several ingredients to which the laboratory has given one of the names. */
function givenOf(
  matches: readonly NameMatch[],
  keys: readonly string[],
  found: IngredientsOf,
): NameMatch | undefined {
  const ids = new Set(matches.map(idOf));
  const [given, ...others] = bestOf(
    keys
      .flatMap(found)
      .filter(({ id, via }) => ids.has(id) && GIVEN.includes(via as MatchedBy))
      .map((one) => candidateOf(one, one.via)),
  );
  return others.length === 0 ? given : undefined;
}

const isOneSubstance = (matches: readonly NameMatch[]): boolean =>
  new Set(matches.map(({ ingredient }) => substanceOf(ingredient.inciName))).size === 1;

/**
 * Resolves `Aqua (Water)` by both names. It is certain if they mean one ingredient, or if the bracket only says what
 * the ingredient is for: `甘油(保湿剂)`. Any other bracket may name another material: `Titanium Dioxide (nano)`.
 */
function resolutionOfParts(
  name: string,
  { parts, isBracketed, hasRemark }: NameReadings,
  found: IngredientsOf,
): Resolution | undefined {
  const resolved = parts.map((part) => exactResolution(name, part, found));
  const known = resolved.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  const meant = known.map(({ certain, candidates }) => (certain ? candidates.slice(0, 1) : candidates));
  const shared = meant[0]!.filter((one) =>
    meant.every((others) => others.some((other) => idOf(other) === idOf(one))),
  );
  const all = bestOf(meant.flat());
  const namesakes = parts.flat().flatMap((reading) => reading.namesakes ?? []);
  const given = isOneSubstance(all) ? givenOf(all, namesakes, found) : undefined;
  const isRead = known.length === parts.length || (hasRemark && resolved[0] !== undefined);
  const bracket = isBracketed && !isRead && resolved[0] ? parts.at(-1)![0]!.name : null;
  return {
    name,
    certain:
      isRead &&
      (given !== undefined || (shared.length === 1 && known.some(({ certain }) => certain))) &&
      known.every(({ certain, grade }) => certain || grade === null),
    grade: known.find(({ grade }) => grade !== null)?.grade ?? bracket,
    inciNames: [...new Set(known.flatMap(({ inciNames }) => inciNames))],
    candidates: given ? [given] : shared.length > 0 ? bestOf(shared) : all,
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
