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
  const faults = rows.flatMap((row, index) =>
    rowFaults(row, (field) => nameOf(index, field), candidates[index]!),
  );
  if (faults.length > 0) return { substances: new Map(), faults };
  const rowsOf = new Map<string, number[]>();
  for (const index of rows.keys()) {
    const id = candidates[index]![0]!;
    const indexes = rowsOf.get(id);
    if (indexes) indexes.push(index);
    else rowsOf.set(id, [index]);
  }
  const substances = new Map(
    [...rowsOf].map(([id, indexes]) => [id, indexes.map((index) => substanceOf(withRange(rows[index]!)))]),
  );
  return {
    substances,
    faults: [...rowsOf].flatMap(([id, indexes]) => togetherFaults(substances.get(id)!, indexes, nameOf)),
  };
}

function rowFaults(
  row: SubstanceRowDto,
  nameOf: (field: string) => string,
  candidates: readonly string[],
): FieldFault[] {
  const share = shareFault(row);
  const faults = share ? [{ ...share, field: nameOf(share.field) }] : [];
  const reference = referenceFault(row, candidates);
  return reference ? [{ ...reference, field: nameOf(reference.field) }, ...faults] : faults;
}

/** The fault of a row that means no raw material, or several. */
export function referenceFault(
  { ingredientId, ingredient }: RowReference,
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
