import { ciNumberOf } from '../../raw-materials/ci-numbers';
import { saysNano, substanceKey } from '../../raw-materials/substance-names';
import { mapping, type Steps } from '../../steps';
import type { InParts, ListedName } from './declaration-model';
import { grouped } from './grouped';

type Entry = InParts<ListedName>;

/** A label has each name once, with the parts of all that it names. Each stands where its first entry stood. */
export function* mergedByName(entries: readonly Entry[]): Steps<Entry[]> {
  const keyed = yield* mapping(entries, (entry) => ({
    entry,
    key: entry.name === null ? entry : `${substanceKey(entry.name)}|${saysNano(entry.name)}`,
  }));
  return yield* mapping(
    grouped(keyed, ({ key }) => key),
    (same) => (same.length === 1 ? same[0]!.entry : merged(same.map(({ entry }) => entry))),
  );
}

const merged = (entries: readonly Entry[]): Entry => ({
  ...entries[0]!,
  // It is a colorant only where all of it is.
  kind: entries.find(({ kind }) => kind !== 'colorant')?.kind ?? 'colorant',
  inciNames: distinct(entries.flatMap(({ inciNames }) => inciNames)),
  chineseNames: [...new Set(entries.flatMap(({ chineseNames }) => chineseNames))],
  parts: entries.flatMap(({ parts }) => parts),
});

/** One name for each substance, which a colorant's number tells, too: `Titanium Dioxide (CI 77891)`, `CI 77891`. */
const distinct = (inciNames: readonly string[]): string[] =>
  grouped(inciNames, (inciName) => ciNumberOf(inciName) ?? substanceKey(inciName)).map(([first]) => first!);
