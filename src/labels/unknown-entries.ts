import type { Expansion } from '../formulas/composition/expansion';
import type { InParts, ListedName } from './declaration-model';
import { isFragranceLine } from './fragrance';
import { grouped } from './grouped';

/** Raw materials, and parts of them, that nobody knows the substances of stand where all of these together would. */
export function unknownEntries({ unknown }: Expansion): InParts<ListedName>[] {
  const parts = unknown.filter(({ line }) => !isFragranceLine(line));
  return grouped(parts, ({ line, inciName }) => `${line.ingredientId}|${inciName}`).map((same) => ({
    name: null,
    inciName: same[0]!.inciName,
    inciNames: [],
    kind: 'unknown' as const,
    chineseNames: [],
    parts: same.map(({ phase, line, share }) => ({ phase, line, share, isCountedElsewhere: false })),
  }));
}
