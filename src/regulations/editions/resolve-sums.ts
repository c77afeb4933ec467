import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { RawLimit } from './limit-draft';

/** The sum that a row belongs to. */
export interface ResolvedSum {
  readonly sumGroup: string | null;
  /** The words of a sum with uncertain members. They replace the basis, which is then unknown. */
  readonly uncertain: string | null;
}

const NONE: ResolvedSum = { sumGroup: null, uncertain: null };

/** `sum with the nano form` and similar words. */
const WITH_NANO = /^sum with the (?:non-)?nano form$/;
const OF_ENTRIES = /^sum of entries (\w+) and (\w+)$/;
/** Substances of another entry, or of none: a row cannot name them all. */
const BEYOND_THE_ROW = /\b(?:combined with|alone or with|entry|entries)\b/;

/** Returns the sum groups of rows. A sum within one row has its own group. */
export function resolveSums(rows: readonly RawLimit[]): ResolvedSum[] {
  const forms = new Map<string, number>();
  const withSum = new Set<string>();
  for (const row of rows) {
    if (row.sum === null) continue;
    if (WITH_NANO.test(row.sum)) forms.set(formsKey(row), (forms.get(formsKey(row)) ?? 0) + 1);
    else withSum.add(entryKey(row, row.entry));
  }
  /** The group of a sum of several entries, by rows of each of these entries. */
  const ofEntries = new Map<string, string>();
  for (const row of rows) {
    const entries = entriesOf(row);
    if (!entries?.every((entry) => withSum.has(entryKey(row, entry)))) continue;
    for (const entry of entries) ofEntries.set(entryKey(row, entry), `${row.annex}/${entries.join(' + ')}`);
  }

  return rows.map((row) => {
    if (row.sumGroup !== undefined) return { sumGroup: row.sumGroup, uncertain: null };
    const { sum, annex, entry, scope } = row;
    if (sum === null) return NONE;
    if (WITH_NANO.test(sum)) {
      const key = formsKey(row);
      const isPair = row.inciNames.length > 0 && (forms.get(key) ?? 0) > 1;
      return isPair
        ? { sumGroup: `${annex}: ${namesKey(row)}, with and without nano`, uncertain: null }
        : { sumGroup: null, uncertain: sum };
    }
    const shared = ofEntries.get(entryKey(row, entry));
    if (shared !== undefined) return { sumGroup: shared, uncertain: null };
    if (BEYOND_THE_ROW.test(sum)) return { sumGroup: null, uncertain: sum };
    const place = entry === '' ? `${annex}: ${row.substance}` : `${annex}/${entry}`;
    return { sumGroup: [place, scope, sum].filter(Boolean).join(': '), uncertain: null };
  });
}

const entriesOf = ({ sum }: RawLimit) => (sum === null ? undefined : OF_ENTRIES.exec(sum)?.slice(1));

const namesKey = ({ inciNames }: RawLimit) => [...new Set(inciNames.map(substanceKey))].sort().join('; ');

/** The nano form and the other form are rows of one annex with the same name and limit. */
const formsKey = (row: RawLimit) => JSON.stringify([row.region, row.annex, row.limitPercent, namesKey(row)]);

/** Rows of an entry that count in one sum with this row: they have the same limit, basis and scope. */
const entryKey = ({ region, annex, scope, limitPercent, basis }: RawLimit, entry: string) =>
  JSON.stringify([region, annex, entry, scope, limitPercent, basis]);
