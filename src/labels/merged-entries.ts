import { ciNumberOf } from '../ingredients/raw-materials/ci-numbers';
import { saysNano, substanceKey } from '../ingredients/raw-materials/substance-names';
import { mapping, type Steps } from '../platform/common/steps';
import type { InParts, ListedName } from './declaration-model';
import { grouped } from './grouped';

type Entry = InParts<ListedName>;

/** Merges entries with the same name at the position of the first, because a label contains each name once. */
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
  // The entry is a colorant only if all of its parts are.
  kind: entries.find(({ kind }) => kind !== 'colorant')?.kind ?? 'colorant',
  inciNames: distinct(entries.flatMap(({ inciNames }) => inciNames)),
  chineseNames: [...new Set(entries.flatMap(({ chineseNames }) => chineseNames))],
  parts: entries.flatMap(({ parts }) => parts),
});

/** One name per substance. The number identifies a colorant: `Titanium Dioxide (CI 77891)` and `CI 77891` are one. */
const distinct = (inciNames: readonly string[]): string[] =>
  grouped(inciNames, (inciName) => ciNumberOf(inciName) ?? substanceKey(inciName)).map(([first]) => first!);
