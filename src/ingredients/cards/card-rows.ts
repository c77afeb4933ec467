import { nameKey } from '../../platform/common/name-forms';
import type { CardRowDto, SupplierEntry } from './card.dto';
import { type Card, preferredOf, supplierOf } from './card-rules';

/**
 * A card with what rows of a file say. A row replaces the price of the supplier with the same code, trade name, unit
 * and day; all others stay. The last density counts.
 */
export function cardWithRows(card: Card, rows: readonly CardRowDto[]): Card {
  const given = rows.map(({ supplier, preferred, ...row }) =>
    supplierOf({ ...row, name: supplier, preferred: preferred === 'yes' }),
  );
  const keys = new Set(given.map(entryKey));
  const suppliers = [...card.suppliers.filter((entry) => !keys.has(entryKey(entry))), ...given];
  const preferred = new Set(preferredIn(suppliers, given, preferredOf(card)));
  return {
    ...card,
    suppliers: suppliers.map((entry) => ({ ...entry, preferred: preferred.has(entry) })),
    density: rows.findLast(({ density }) => density)?.density ?? card.density,
  };
}

const supplierKey = ({ name, code }: SupplierEntry): string => JSON.stringify([nameKey(name), code]);

const entryKey = (entry: SupplierEntry): string =>
  JSON.stringify([supplierKey(entry), entry.tradeName, entry.unit, entry.date]);

/** The entries that rows prefer. Without any, the newest price of the supplier that was preferred, or is first. */
function preferredIn(
  suppliers: readonly SupplierEntry[],
  given: readonly SupplierEntry[],
  former = given[0]!,
): SupplierEntry[] {
  const marked = given.filter(({ preferred }) => preferred);
  if (marked.length > 0) return marked;
  const own = suppliers.filter((entry) => supplierKey(entry) === supplierKey(former));
  return [own.reduce((newest, entry) => ((entry.date ?? '') < (newest.date ?? '') ? newest : entry))];
}
