import { text } from '../../platform/texts/text';
import { distinctBy } from '../../platform/common/collections';
import { toInsertValues } from '../../platform/validation/field-metadata';
import { plainNumber } from '../raw-materials/registry-numbers';
import type { FieldFault } from '../raw-materials/substance-rules';
import { currencyNamed } from '../price-unit';
import {
  type CardDocument,
  type CardDto,
  DocumentFields,
  MAX_ENTRIES,
  type ShownCardDto,
  type Solvent,
  type SupplierEntry,
  SupplierFields,
} from './card.dto';

/** A card as it is stored. */
export type Card = Readonly<Omit<ShownCardDto, 'ingredientId'>>;

export const NO_CARD: Card = { suppliers: [], density: null, strength: null, solvent: null, documents: [] };

/** Everything that is wrong with a card beyond its single fields. */
export function cardFaults({ suppliers, strength, solvent }: CardDto): FieldFault[] {
  const preferred = suppliers.flatMap((supplier, at) => (supplier.preferred ? [at] : []));
  const required = text('field.required');
  return [
    ...preferred.slice(1).map((at) => ({
      field: `suppliers.${at}.preferred`,
      message: text('card.two-preferred', { position: preferred[0]! + 1 }),
    })),
    ...(suppliers.length > MAX_ENTRIES
      ? [{ field: 'suppliers', message: text('field.too-many-items', { max: MAX_ENTRIES }) }]
      : []),
    ...(!strength && solvent ? [{ field: 'strength', message: required }] : []),
    ...(strength && !solvent ? [{ field: 'solvent', message: required }] : []),
  ];
}

/** A card as it is stored, once its request class has checked its fields. */
export const cardOf = ({ suppliers, density, strength, solvent, documents }: CardDto): Card => ({
  suppliers: suppliers.map(supplierOf),
  density: density ?? null,
  strength: strength ?? null,
  solvent: solvent ? solventOf(solvent) : null,
  documents: documents.map(documentOf),
});

export function supplierOf(given: SupplierFields): SupplierEntry {
  const { code, tradeName, minimumOrder, currency, ...rest } = toInsertValues(SupplierFields, given);
  const { name, price, unit, date, preferred } = rest as SupplierEntry;
  return {
    name,
    code: code || null,
    tradeName: tradeName || null,
    price,
    currency: currencyNamed(currency ?? '') ?? null,
    unit,
    minimumOrder: minimumOrder || null,
    date,
    preferred,
  };
}

function documentOf(given: DocumentFields): CardDocument {
  const { kind, title, address, validUntil } = toInsertValues(DocumentFields, given);
  return { kind, title, address: address || null, validUntil: validUntil ?? null };
}

const solventOf = ({
  inciName,
  chineseName,
  casNumber,
  ecNumber,
}: NonNullable<CardDto['solvent']>): Solvent => ({
  inciName,
  chineseName: chineseName || null,
  casNumber: plainNumber(casNumber ?? '') || null,
  ecNumber: plainNumber(ecNumber ?? '') || null,
});

export const preferredOf = ({ suppliers }: Card): SupplierEntry | undefined =>
  suppliers.find(({ preferred }) => preferred);

const textOf = ({ preferred: _, ...entry }: SupplierEntry): string => JSON.stringify(entry);

/** The card of an ingredient after a merge: its own, then what only the other one says. */
export function mergedCard(into: Card, merged: Card): Card {
  const preferred = preferredOf(into) ?? preferredOf(merged);
  const suppliers = distinctBy([...into.suppliers, ...merged.suppliers], textOf);
  const { strength, solvent } = into.strength === null ? merged : into;
  return {
    suppliers: suppliers.map((entry) => ({
      ...entry,
      preferred: preferred !== undefined && textOf(entry) === textOf(preferred),
    })),
    density: into.density ?? merged.density,
    strength,
    solvent,
    documents: distinctBy([...into.documents, ...merged.documents], (document) => JSON.stringify(document)),
  };
}

/** The list of a card that has more entries than a card may have. */
export const listWithTooMany = ({ suppliers, documents }: Card): 'suppliers' | 'documents' | undefined => {
  if (suppliers.length > MAX_ENTRIES) return 'suppliers';
  return documents.length > MAX_ENTRIES ? 'documents' : undefined;
};
