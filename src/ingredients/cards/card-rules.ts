import { text } from '../../platform/texts/text';
import { distinctBy } from '../../platform/common/collections';
import { toInsertValues } from '../../platform/validation/field-metadata';
import type { FieldFault } from '../raw-materials/substance-rules';
import { CardDto, MAX_ENTRIES, type ShownCardDto, type SupplierEntry } from './card.dto';

/** A card as it is stored. */
export type Card = Readonly<Omit<ShownCardDto, 'ingredientId'>>;

export const NO_CARD: Card = { suppliers: [], density: null, strength: null, solvent: null, documents: [] };

/** A card as it is stored, once its request class has checked its fields. */
export const cardOf = (given: CardDto): Card => toInsertValues(CardDto, given) as Card;

/** Everything that is wrong with a card beyond its single fields. */
export function cardFaults(card: CardDto): FieldFault[] {
  const { suppliers, strength, solvent } = card;
  const preferred = suppliers.flatMap((supplier, at) => (supplier.preferred ? [at] : []));
  const list = listWithTooMany(card);
  const required = text('field.required');
  return [
    ...preferred.slice(1).map((at) => ({
      field: `suppliers.${at}.preferred`,
      message: text('card.two-preferred', { position: preferred[0]! + 1 }),
    })),
    ...(list ? [{ field: list, message: text('field.too-many-items', { max: MAX_ENTRIES }) }] : []),
    ...(!strength && solvent ? [{ field: 'strength', message: required }] : []),
    ...(strength && !solvent ? [{ field: 'solvent', message: required }] : []),
  ];
}

/** The list of a card that has more entries than a card may have. */
export const listWithTooMany = ({
  suppliers,
  documents,
}: Pick<CardDto, 'suppliers' | 'documents'>): 'suppliers' | 'documents' | undefined => {
  if (suppliers.length > MAX_ENTRIES) return 'suppliers';
  return documents.length > MAX_ENTRIES ? 'documents' : undefined;
};

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
