import { type Expansion, NOTHING, sumOfShares } from '../../raw-materials/expansion';
import type { DeclarationEntry } from './declaration-model';
import { isFragranceLine } from './fragrance';
import { grouped } from './grouped';

/** Raw materials, and parts of them, that nobody knows the substances of stand where all of these together would. */
export function unknownEntries({ unknown }: Expansion): DeclarationEntry[] {
  const parts = unknown.filter(({ line }) => !isFragranceLine(line));
  return grouped(parts, ({ line, inciName }) => `${line.ingredientId}|${inciName}`).map((same) => ({
    name: null,
    inciName: same[0]!.inciName,
    kind: 'unknown' as const,
    chineseNames: [],
    share: sumOfShares(same.map(({ share }) => share)),
    countedInFragrance: NOTHING,
    origins: same.map(({ phase, line, share }) => ({ phase, line, share })),
  }));
}
