import { distinct, groupBy } from '../../platform/common/collections';
import { nameKey } from '../../platform/common/name-forms';
import { text } from '../../platform/texts/text';
import type { RowOf } from '../../files/read-import-file';
import type { FieldFault } from '../raw-materials/substance-rules';
import { type CardDocument, type CardRowDto, MAX_ENTRIES, type SupplierEntry } from './card.dto';
import { type Card, cardFaults, cardOf, preferredOf } from './card-rules';

export type CardRow = RowOf<CardRowDto>;

/** Rows of one raw material that give a fact differently. */
export function contradictions(rows: readonly CardRow[]): FieldFault[] {
  return (['density', 'strength', 'solvent'] as const).flatMap((field) => {
    const given = rows.filter((row) => row[field]);
    const [first] = given;
    const other = given.find((row) => JSON.stringify(row[field]) !== JSON.stringify(first![field]));
    if (!first || !other) return [];
    const value = field === 'solvent' ? first.solvent!.inciName : first[field]!;
    const message = text('card.contradiction', { line: first.line, value });
    return [{ field: `line ${other.line}: ${field}`, message }];
  });
}

/** Faults of the card that the rows make up, each at a row that it comes from. */
export const faultsOfRows = (card: Card, rows: readonly CardRow[]): FieldFault[] =>
  cardFaults(card).map(({ field, message }) => {
    const isList = field.startsWith('suppliers') || field === 'documents';
    const column = isList ? field.replace(/s\b.*/, '') : field;
    const row = rows.find((one) => (isList ? one[column] : (one.strength ?? one.solvent))) ?? rows[0]!;
    return { field: `line ${row.line}: ${column}`, message };
  });

/**
 * A card with what rows of a file say. A price replaces that of the supplier with the same code, trade name, unit,
 * minimum order and day, a document that of the same kind and title; all others stay.
 */
export function cardWithRows(card: Card, rows: readonly CardRowDto[]): Card {
  const suppliersOfRows = rows.flatMap(({ supplier }) => supplier ?? []);
  const fromRows = cardOf({
    // More entries are as much at fault as one too many.
    suppliers: suppliersOfRows.slice(0, MAX_ENTRIES + 1),
    documents: rows.flatMap(({ document }) => document ?? []).slice(0, MAX_ENTRIES + 1),
    density: rows.find(({ density }) => density)?.density,
    strength: rows.find(({ strength }) => strength)?.strength,
    solvent: rows.find(({ solvent }) => solvent)?.solvent,
  });
  const given = fromRows.suppliers.map(withNamesOf(card));
  const suppliers = replaced(card.suppliers, given, entryKey);
  const open = given.filter((_, at) => typeof suppliersOfRows[at]!.preferred !== 'boolean');
  const marked = given.filter(({ preferred }) => preferred);
  const preferred = new Set(
    marked.length > 0 ? marked : newestOfPreferred(suppliers, open, preferredOf(card)),
  );
  return {
    suppliers: suppliers.map((entry) => ({ ...entry, preferred: preferred.has(entry) })),
    density: fromRows.density ?? card.density,
    strength: fromRows.strength ?? card.strength,
    solvent: fromRows.solvent ?? card.solvent,
    documents: replaced(card.documents, fromRows.documents, documentKey),
  };
}

/** The entries that stay, then the new ones. */
function replaced<Entry>(
  entries: readonly Entry[],
  given: readonly Entry[],
  keyOf: (entry: Entry) => string,
) {
  const keys = new Set(given.map(keyOf));
  return [...entries.filter((entry) => !keys.has(keyOf(entry))), ...given];
}

const documentKey = ({ kind, title }: CardDocument): string => `${kind} ${nameKey(title)}`;

const supplierKey = ({ name, code }: SupplierEntry): string => JSON.stringify([nameKey(name), code]);

const entryKey = (entry: SupplierEntry): string =>
  JSON.stringify([supplierKey(entry), entry.tradeName, entry.unit, entry.minimumOrder, entry.date]);

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
