import { substanceKey } from '../../raw-materials/substance-names';
import type { RawLimit } from './limit-draft';

/** What a row adds together. */
export interface ResolvedSum {
  readonly sumGroup: string | null;
  /** The words of a sum whose members are not certain: they take the place of the basis, which is then not known. */
  readonly uncertain: string | null;
}

const NONE: ResolvedSum = { sumGroup: null, uncertain: null };

/** `sum with the nano form` and the like. */
const WITH_NANO = /^sum with the (?:non-)?nano form$/;
const OF_ENTRIES = /^sum of entries (\w+) and (\w+)$/;
/** Substances of another entry, or of none: a row cannot name them all. */
const BEYOND_THE_ROW = /\b(?:combined with|alone or with|entry|entries)\b/;

/** The sum groups of rows. A sum within one row has a group of its own. */
export function resolveSums(rows: readonly RawLimit[]): ResolvedSum[] {
  const forms = new Map<string, number>();
  const withSum = new Set<string>();
  for (const row of rows) {
    if (row.sum === null) continue;
    if (WITH_NANO.test(row.sum)) forms.set(formsKey(row), (forms.get(formsKey(row)) ?? 0) + 1);
    else withSum.add(entryKey(row, row.entry));
  }
  /** By rows of an entry: the group of a sum of several entries, of which it is one. */
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

/** The nano form and the other one are rows of one annex with the same name and limit. */
const formsKey = (row: RawLimit) => JSON.stringify([row.region, row.annex, row.limitPercent, namesKey(row)]);

/** Rows of an entry that count in one sum with this row: the same limit, of the same basis and scope. */
const entryKey = ({ region, annex, scope, limitPercent, basis }: RawLimit, entry: string) =>
  JSON.stringify([region, annex, entry, scope, limitPercent, basis]);
