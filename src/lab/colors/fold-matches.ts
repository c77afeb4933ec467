/** What of a match says whether it is the same colour as another. */
export interface FoldableMatch {
  readonly id: string;
  readonly name: string;
  readonly targetLab: { readonly L: number; readonly a: number; readonly b: number };
  readonly colorantComposition: unknown;
}

/** A match, and the ids of the other colours that are the same. */
export type FoldedMatch<Match> = Match & { readonly duplicates: string[] };

/**
 * Folds matches that have the same target, name and colorants: the first of them stands for all. Case, blanks,
 * width and form of a name, and the order of keys in the colorants make no difference.
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
  JSON.stringify([L, a, b, plainName(name), sorted(colorantComposition)]);

const plainName = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, '');

/** The same JSON with the keys of objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
  // Pairs, because an object would put keys that are numbers first.
  return { pairs: entries.map(([key, inner]) => [key, sorted(inner)]) };
}
