import { ciNumberOf } from '../ingredients/raw-materials/ci-numbers';
import type { DeclarationEntry, GroupedEntry, Region } from './declaration-model';

/** Percent of the product below which the order is free (EU, US), and up to which an ingredient is a trace (China). */
const FREE_ORDER_BELOW = 1;
const TRACE_UP_TO = 0.1;

type Ordered = Pick<DeclarationEntry, 'inciName' | 'kind' | 'share'>;

/** Sorts and groups entries in the order of the label. Equal shares keep their order, which is that of the lines. */
export function groupEntries<Entry extends Ordered>(
  entries: readonly Entry[],
  region: Region,
): GroupedEntry<Entry>[] {
  const descending = entries.toSorted((one, other) => other.share.middle.cmp(one.share.middle));
  if (region === 'cn') {
    return descending.map((entry) => ({
      ...entry,
      group: entry.share.middle.gt(TRACE_UP_TO) ? 'descending' : 'trace',
    }));
  }
  const isColorant = ({ kind }: Entry) => kind === 'colorant';
  const others = descending
    .filter((entry) => !isColorant(entry))
    .map((entry): GroupedEntry<Entry> => ({
      ...entry,
      group: entry.share.middle.gte(FREE_ORDER_BELOW) ? 'descending' : 'below-one-percent',
    }));
  const colorants = entries.filter(isColorant).toSorted(byCiNumber);
  return [...others, ...colorants.map((entry) => ({ ...entry, group: 'colorants' as const }))];
}

/** Colorants without a number come last. */
function byCiNumber(one: Ordered, other: Ordered): number {
  const [first, second] = [ciNumberOf(one.inciName), ciNumberOf(other.inciName)];
  if (first === second) return 0;
  if (first === undefined) return 1;
  if (second === undefined) return -1;
  return first < second ? -1 : 1;
}
