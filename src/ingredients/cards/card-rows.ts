import { distinct, groupBy } from '../../platform/common/collections';
import { nameKey } from '../../platform/common/name-forms';
import type { CardRowDto, SupplierEntry } from './card.dto';
import { type Card, preferredOf, supplierOf } from './card-rules';

/**
 * A card with what rows of a file say. A row replaces the price of the supplier with the same code, trade name, unit
 * and day; all others stay. The last density counts.
 */
export function cardWithRows(card: Card, rows: readonly CardRowDto[]): Card {
  const complete = withNamesOf(card);
  const given = rows.map(({ supplier, preferred, ...row }) =>
    complete(supplierOf({ ...row, name: supplier, preferred: preferred === 'yes' })),
  );
  const keys = new Set(given.map(entryKey));
  const suppliers = [...card.suppliers.filter((entry) => !keys.has(entryKey(entry))), ...given];
  const open = given.filter((_, at) => !rows[at]!.preferred);
  const marked = given.filter(({ preferred }) => preferred);
  const preferred = new Set(
    marked.length > 0 ? marked : newestOfPreferred(suppliers, open, preferredOf(card)),
  );
  return {
    ...card,
    suppliers: suppliers.map((entry) => ({ ...entry, preferred: preferred.has(entry) })),
    density: rows.findLast(({ density }) => density)?.density ?? card.density,
  };
}

const supplierKey = ({ name, code }: SupplierEntry): string => JSON.stringify([nameKey(name), code]);

const entryKey = (entry: SupplierEntry): string =>
  JSON.stringify([supplierKey(entry), entry.tradeName, entry.unit, entry.date]);

/** Gives an entry the code and the trade name that it lacks, if those of the card leave no choice. */
function withNamesOf({ suppliers }: Card) {
  const present = new Set(suppliers.map(entryKey));
  const entriesOf = groupBy(suppliers, ({ name }) => nameKey(name));
  return (entry: SupplierEntry): SupplierEntry => {
    if (present.has(entryKey(entry))) return entry;
    const same = (entriesOf.get(nameKey(entry.name)) ?? []).filter(
      ({ code, tradeName }) => (entry.code ?? code) === code && (entry.tradeName ?? tradeName) === tradeName,
    );
    const only = (field: 'code' | 'tradeName') => {
      const values = distinct(same.flatMap((one) => one[field] ?? []));
      return values.length === 1 ? values[0]! : entry[field];
    };
    return { ...entry, code: only('code'), tradeName: only('tradeName') };
  };
}

/** The entry that was preferred, or the newest price of its supplier among those that leave it open. */
function newestOfPreferred(
  suppliers: readonly SupplierEntry[],
  open: readonly SupplierEntry[],
  former: SupplierEntry | undefined,
): SupplierEntry[] {
  if (!former) return [];
  const newer = open.filter((entry) => supplierKey(entry) === supplierKey(former));
  return [...suppliers.filter((entry) => entry === former), ...newer]
    .toSorted((one, other) => (one.date ?? '').localeCompare(other.date ?? ''))
    .slice(-1);
}
