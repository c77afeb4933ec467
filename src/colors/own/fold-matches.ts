import { searchText } from '../../platform/common/name-forms';
/** The fields of a match that identify its colour. */
export interface FoldableMatch {
  readonly id: string;
  readonly name: string;
  readonly targetLab: { readonly L: number; readonly a: number; readonly b: number };
  readonly colorantComposition: unknown;
}

/** A match, and the ids of the other colours that are the same. */
export type FoldedMatch<Match> = Match & { readonly duplicates: string[] };

/**
 * Folds matches with the same target, name and colorants into the first of them. Ignores case, blanks, width and
 * normal form of names, the order of colorants with names, and the order of keys in the colorants.
 */
export function foldMatches<Match extends FoldableMatch>(matches: readonly Match[]): FoldedMatch<Match>[] {
  const folded = new Map<string, FoldedMatch<Match>>();
  for (const match of matches) {
    const key = keyOf(match);
    const first = folded.get(key);
    if (first) first.duplicates.push(match.id);
    else folded.set(key, { ...match, duplicates: [] });
  }
  return [...folded.values()];
}

const keyOf = ({ name, targetLab: { L, a, b }, colorantComposition }: FoldableMatch): string =>
  JSON.stringify([
    L,
    a,
    b,
    searchText(name).replaceAll(' ', ''),
    sorted(inOrderOfNames(colorantComposition)),
  ]);

/** Sorts a list of colorants by their names. Other JSON values stay: the order counts in `["CI 77491", 2.4]`. */
function inOrderOfNames(composition: unknown): unknown {
  if (!Array.isArray(composition) || !composition.every(isNamed)) return composition;
  const keys = composition.map((colorant) => JSON.stringify([colorant.name, sorted(colorant)]));
  return { colorants: keys.sort() };
}

const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';

/** Returns the JSON value with the keys of objects sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
  // Pairs, because an object would put numeric keys first.
  return { pairs: entries.map(([key, inner]) => [key, sorted(inner)]) };
}
