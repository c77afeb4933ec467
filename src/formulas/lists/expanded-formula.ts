import { text } from '../../platform/texts/text';

/** Words that `expand` accepts, and the field of an ingredient that each adds. */
const EXPANSIONS = {
  price: 'unitPrice',
  unit: 'unit',
  category: 'functionCategory',
} as const;

export type ExpandedField = (typeof EXPANSIONS)[keyof typeof EXPANSIONS];

export const EXPANSION_WORDS = Object.keys(EXPANSIONS);

/** Fields of the catalogue that can be added to the ingredient of a line. */
export interface CatalogueFields {
  readonly id: string;
  readonly unitPrice: number | null;
  readonly unit: string;
  readonly functionCategory: string;
}

interface Line {
  readonly ingredientId: string;
  readonly ingredient: object;
}

interface Formula {
  readonly versions: readonly { readonly phases: readonly { readonly ingredients: readonly Line[] }[] }[];
}

const wordsOf = (list: string): string[] => list.split(',').map((word) => word.trim());

export const expansionFault = (list: string) =>
  wordsOf(list).every((word) => Object.hasOwn(EXPANSIONS, word))
    ? undefined
    : text('field.none-of', { values: EXPANSION_WORDS.join(', ') });

/** Returns the fields for a list of words, in the order of the catalogue. */
export function expandedFields(list: string): ExpandedField[] {
  const words = wordsOf(list);
  return Object.entries(EXPANSIONS).flatMap(([word, field]) => (words.includes(word) ? [field] : []));
}

/** Returns the ingredients of a formula's lines, each once. */
export const ingredientIdsOf = ({ versions }: Formula): string[] => [
  ...new Set(
    versions.flatMap(({ phases }) =>
      phases.flatMap(({ ingredients }) => ingredients.map(({ ingredientId }) => ingredientId)),
    ),
  ),
];

/** Returns the formula with fields of the catalogue in each line's ingredient; null if the reader may not see it. */
export function expandFormula<Given extends Formula>(
  formula: Given,
  fields: readonly ExpandedField[],
  entries: ReadonlyMap<string, CatalogueFields>,
) {
  const expandLine = (line: Line) => {
    const entry = entries.get(line.ingredientId);
    const added = Object.fromEntries(fields.map((field) => [field, entry?.[field] ?? null]));
    return { ...line, ingredient: { ...line.ingredient, ...added } };
  };
  return {
    ...formula,
    versions: formula.versions.map((version) => ({
      ...version,
      phases: version.phases.map((phase) => ({ ...phase, ingredients: phase.ingredients.map(expandLine) })),
    })),
  };
}
