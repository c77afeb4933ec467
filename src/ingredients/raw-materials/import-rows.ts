import { groupBy } from '../../platform/common/collections';
import { text } from '../../platform/texts/text';
import { type FieldFault, repeatedSubstances, reversedRange, substanceOf, sumFault } from './substance-rules';
import type { RowReference, SubstanceDto, SubstanceRowDto } from './raw-material.dto';
import { MAX_SUBSTANCES, type Substance } from './substance';

/** Names a field of a row in a fault, by the index of the row. */
export type FieldName = (index: number, field: string) => string;

/**
 * The substances that rows give, by ingredient, or what is wrong with the rows.
 * @param candidates for each row the ids of the ingredients that it may mean: one only if that is certain
 */
export function substancesOfRows(
  rows: readonly SubstanceRowDto[],
  candidates: readonly (readonly string[])[],
  nameOf: FieldName,
): { substances: Map<string, Substance[]>; faults: FieldFault[] } {
  const { placesOf, faults } = placesByIngredient(rows, candidates, nameOf, shareFault);
  if (faults.length > 0) return { substances: new Map(), faults };
  const substances = new Map(
    [...placesOf].map(([id, places]) => [id, places.map((at) => substanceOf(withRange(rows[at]!)))]),
  );
  return {
    substances,
    faults: [...placesOf].flatMap(([id, places]) => togetherFaults(substances.get(id)!, places, nameOf)),
  };
}

/** The indexes of the rows that mean an ingredient, or what is wrong with single rows. */
export function placesByIngredient<Row extends Omit<RowReference, 'supplier'>>(
  rows: readonly Row[],
  candidates: readonly (readonly string[])[],
  nameOf: FieldName,
  faultOf: (row: Row) => FieldFault | undefined = () => undefined,
): { placesOf: Map<string, number[]>; faults: FieldFault[] } {
  const faults = rows.flatMap((row, at) =>
    [referenceFault(row, candidates[at]!), faultOf(row)].flatMap((fault) =>
      fault ? { ...fault, field: nameOf(at, fault.field) } : [],
    ),
  );
  return { placesOf: groupBy([...rows.keys()], (at) => candidates[at]![0]!), faults };
}

/** The fault of a row that means no raw material, or several. */
function referenceFault(
  { ingredientId, ingredient }: Omit<RowReference, 'supplier'>,
  candidates: readonly string[],
): FieldFault | undefined {
  if (candidates.length === 1) return undefined;
  if (!ingredientId && !ingredient) {
    return { field: 'ingredient', message: text('composition.row-without-ingredient') };
  }
  const message = text(candidates.length === 0 ? 'ingredient.not-found' : 'composition.ambiguous-ingredient');
  return { field: ingredientId ? 'ingredientId' : 'ingredient', message };
}

/** The fault in the columns that give the share of one row. */
function shareFault({ percentage, minPercentage, maxPercentage }: SubstanceRowDto): FieldFault | undefined {
  if (isGiven(percentage) === (isGiven(minPercentage) || isGiven(maxPercentage))) {
    return { field: 'percentage', message: text('composition.percentage-or-bounds') };
  }
  if (!isGiven(minPercentage)) return undefined;
  if (!isGiven(maxPercentage)) return { field: 'maxPercentage', message: text('composition.bound-missing') };
  if (minPercentage > maxPercentage) {
    return { field: 'minPercentage', message: reversedRange(minPercentage, maxPercentage) };
  }
  return undefined;
}

const isGiven = (share: number | null | undefined): share is number => typeof share === 'number';

/** A row with the range that its two columns make up. A highest share alone is a range from 0. */
const withRange = ({ minPercentage, maxPercentage, ...row }: SubstanceRowDto): SubstanceDto => ({
  ...row,
  range: isGiven(maxPercentage) ? { min: minPercentage ?? 0, max: maxPercentage } : null,
});

/** Faults in the rows of one ingredient together; they name the first of them. */
function togetherFaults(
  substances: readonly Substance[],
  indexes: readonly number[],
  nameOf: FieldName,
): FieldFault[] {
  const first = indexes[0]!;
  const { length: count } = substances;
  if (count > MAX_SUBSTANCES) {
    const message = text('composition.too-many-substances', { max: MAX_SUBSTANCES, count });
    return [{ field: nameOf(first, 'inciName'), message }];
  }
  const sum = sumFault(substances);
  return [
    ...repeatedSubstances(substances).map(([position, earlier]) => ({
      field: nameOf(indexes[position]!, 'inciName'),
      message: text('composition.repeated-substance', { position: indexes[earlier]! + 1 }),
    })),
    ...(sum ? [{ field: nameOf(first, 'percentage'), message: sum }] : []),
  ];
}
