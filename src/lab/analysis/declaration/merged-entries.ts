import { sumOfShares } from '../../raw-materials/expansion';
import { saysNano, substanceKey } from '../../raw-materials/substance-names';
import { mapping, type Steps } from '../../steps';
import type { DeclarationEntry, Origin } from './declaration-model';
import { grouped } from './grouped';
import type { SumOfLine } from './sum-of-line';

/** One origin for each line, although it brings many substances. */
export const mergedByLine = (origins: readonly Origin[], sumOf: SumOfLine): Origin[] =>
  grouped(origins, ({ line }) => line).map((same) => ({
    ...same[0]!,
    share: sumOf(
      same[0]!.line,
      same.map(({ share }) => share),
    ),
  }));

/** A label has each name once, with the shares of all that it names. Each stands where its first entry stood. */
export function* mergedByName(
  entries: readonly DeclarationEntry[],
  sumOf: SumOfLine,
): Steps<DeclarationEntry[]> {
  const keyed = yield* mapping(entries, (entry) => ({
    entry,
    key: entry.name === null ? entry : `${substanceKey(entry.name)}|${saysNano(entry.name)}`,
  }));
  return yield* mapping(
    grouped(keyed, ({ key }) => key),
    (same) =>
      same.length === 1
        ? same[0]!.entry
        : merged(
            same.map(({ entry }) => entry),
            sumOf,
          ),
  );
}

function merged(entries: readonly DeclarationEntry[], sumOf: SumOfLine): DeclarationEntry {
  const origins = mergedByLine(
    entries.flatMap((entry) => entry.origins),
    sumOf,
  );
  return {
    ...entries[0]!,
    // It is a colorant only where all of it is.
    kind: entries.find(({ kind }) => kind !== 'colorant')?.kind ?? 'colorant',
    chineseNames: [...new Set(entries.flatMap(({ chineseNames }) => chineseNames))],
    share: sumOfShares(origins.map(({ share }) => share)),
    countedInFragrance: sumOfShares(entries.map(({ countedInFragrance }) => countedInFragrance)),
    origins,
  };
}
