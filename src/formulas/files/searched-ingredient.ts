import type { CellFault } from '../../files/import-report';
import { nameKey } from '../../platform/common/name-forms';
import type { Candidate, Resolution } from '../../ingredients/names/resolution';
import type { FormulaRow } from './formula-row';

/** The ingredient of a row. */
export interface FoundIngredient {
  readonly id: string;
  readonly inciName?: string;
  /** How the name of the row was read, if it is not one of the ingredient's own. */
  readonly note?: string;
}

/** The reason why a row has no ingredient. */
export interface NoIngredient {
  readonly fault: CellFault;
  /** `unknown`: the catalogue has no such name. `creatable`: an import may create the ingredient of that name. */
  readonly state: 'unknown' | 'creatable' | 'refused';
}

export type RowIngredient = FoundIngredient | NoIngredient;

type Ingredient = Candidate['ingredient'];
type Search = ReadonlyMap<string, Resolution>;

/** Most ingredients that a reason names. */
const MOST_NAMED = 3;

/** Texts of a row by which its ingredient is searched for: an INCI name decides alone. */
export function textsOf({
  inciName,
  ingredient,
  chineseName,
}: FormulaRow): { field: string; text: string }[] {
  const names: Record<string, string | null> = inciName === null ? { ingredient, chineseName } : { inciName };
  return Object.entries(names).flatMap(([field, text]) => (text === null ? [] : [{ field, text }]));
}

/** Adds what the names search has found to what the catalogue's names say of a row. */
export function searchedIngredient(row: FormulaRow, known: RowIngredient, search: Search): RowIngredient {
  const numbered = numberedIngredients(row, search);
  if ('id' in known) return contradiction(row, known, numbered) ?? known;
  if (known.state !== 'unknown') return known;
  const texts = textsOf(row);
  for (const { field, text } of texts) {
    const resolution = search.get(text);
    const named = resolution && namedIngredient({ field, text }, resolution, row, numbered);
    if (!named) continue;
    return 'id' in named ? (contradiction(row, named, numbered) ?? named) : named;
  }
  return byNumber(row, numbered, texts[0]) ?? unknown(row, known, search);
}

const exactOf = ({ candidates }: Resolution): readonly Candidate[] =>
  candidates.filter(({ matchedBy }) => matchedBy !== 'similar');

/** Returns undefined if neither the catalogue nor the shipped list knows the name. */
function namedIngredient(
  { field, text }: { field: string; text: string },
  resolution: Resolution,
  { supplier }: FormulaRow,
  numbered: readonly Ingredient[],
): RowIngredient | undefined {
  const exact = exactOf(resolution);
  const ingredients = exact.map(({ ingredient }) => ingredient);
  const refuse = (reason: string) => refused({ field, value: text, reason });
  if (resolution.certain) {
    const [ingredient] = ingredients as [Ingredient];
    return suppliedBy(supplier, ingredients).length > 0
      ? taken(text, ingredient)
      : refuse(`"${text}" of "${supplier}" is not in the catalogue, but ${labelOf(ingredient)} is`);
  }
  if (ingredients.length > 0) {
    const chosen = chosenOf(resolution, ingredients, supplier, numbered);
    return chosen
      ? taken(text, chosen)
      : refuse(
          `"${text}" may mean ${listOf(ingredients)}: write the INCI name or the supplier that is meant`,
        );
  }
  const { inciNames } = resolution;
  if (inciNames.length === 0 || inciNames.some((name) => nameKey(name) === nameKey(text))) return undefined;
  return refuse(
    `"${text}" means ${quotedList(inciNames)}, not in the catalogue: create the ingredient, or write another one`,
  );
}

/** A CAS number or a supplier can decide between ingredients that have the same name. */
function chosenOf(
  { grade, inciNames }: Resolution,
  ingredients: readonly Ingredient[],
  supplier: string | null | undefined,
  numbered: readonly Ingredient[],
): Ingredient | undefined {
  const [byCas, ...others] = ingredients.filter(({ id }) => numbered.some((one) => one.id === id));
  if (byCas && others.length === 0 && numbered.length === 1) return byCas;
  const isOneMeaning = grade === null && inciNames.length < 2;
  const supplied = isOneMeaning && supplier ? suppliedBy(supplier, ingredients) : [];
  return supplied.length === 1 ? supplied[0] : undefined;
}

/** The ingredients that have one of the row's CAS numbers. */
function numberedIngredients({ casNumbers }: FormulaRow, search: Search): Ingredient[] {
  const found = casNumbers.flatMap((number) => {
    const resolution = search.get(number);
    return resolution ? exactOf(resolution).filter(({ matchedBy }) => matchedBy === 'cas') : [];
  });
  return [...new Map(found.map(({ ingredient }) => [ingredient.id, ingredient])).values()];
}

function contradiction(
  { casNumbers }: FormulaRow,
  { id, inciName }: FoundIngredient,
  numbered: readonly Ingredient[],
): NoIngredient | undefined {
  const agrees = (one: Ingredient) =>
    one.id === id || (inciName !== undefined && nameKey(one.inciName) === nameKey(inciName));
  if (numbered.length === 0 || numbered.some(agrees)) return undefined;
  const value = casNumbers.join(' ');
  const reason = `the row names "${inciName}", and CAS number ${value} is one of ${listOf(numbered)}`;
  return refused({ field: 'casNumbers', value, reason });
}

/** The ingredient by its CAS number, if nothing is known of the row's name. */
function byNumber(
  { casNumbers, supplier }: FormulaRow,
  numbered: readonly Ingredient[],
  name: { text: string } | undefined,
): RowIngredient | undefined {
  const value = casNumbers.join(' ');
  if (numbered.length === 0) {
    if (name || value === '') return undefined;
    return refused({
      field: 'casNumbers',
      value,
      reason: `no ingredient of the catalogue has CAS number ${value}`,
    });
  }
  const supplied = numbered.length > 1 ? suppliedBy(supplier, numbered) : numbered;
  if (supplied.length === 1) return taken([name?.text, value].filter(Boolean).join(', '), supplied[0]!);
  const reason = `CAS number ${value} is one of ${listOf(numbered)}: write the INCI name or the supplier that is meant`;
  return refused({ field: 'casNumbers', value, reason });
}

/** Names similar ingredients, or the one that another name of the row means. */
function unknown(row: FormulaRow, known: NoIngredient, search: Search): NoIngredient {
  const texts = textsOf(row);
  const { value = '' } = known.fault;
  const other = row.inciName === null ? undefined : search.get(row.chineseName ?? row.ingredient ?? '');
  if (other?.certain) {
    const reason = `is no ingredient of the catalogue: "${value}", but "${other.name}" is ${labelOf(other.candidates[0]!.ingredient)}`;
    return refused({ ...known.fault, reason });
  }
  const similar = texts.flatMap(({ text }) => search.get(text)?.candidates ?? []);
  const reason =
    similar.length > 0
      ? `${known.fault.reason}; similar: ${listOf(similar.map(({ ingredient }) => ingredient))}`
      : known.fault.reason;
  const isSearched = texts.every(({ text }) => search.has(text));
  return {
    fault: { ...known.fault, reason },
    state: isSearched && texts.length > 0 ? 'creatable' : 'refused',
  };
}

const taken = (text: string, ingredient: Ingredient): FoundIngredient => ({
  ...ingredient,
  note: `${text} → ${labelOf(ingredient)}`,
});

const refused = (fault: CellFault): NoIngredient => ({ fault, state: 'refused' });

const suppliedBy = (supplier: string | null | undefined, ingredients: readonly Ingredient[]) =>
  supplier ? ingredients.filter((one) => one.supplier?.trim() === supplier) : ingredients;

const labelOf = ({ inciName, supplier }: Ingredient): string =>
  supplier ? `${inciName} (${supplier})` : inciName;

const quotedList = (names: readonly string[]): string =>
  names
    .slice(0, MOST_NAMED)
    .map((name) => `"${name}"`)
    .join(', ');

const listOf = (ingredients: readonly Ingredient[]): string => quotedList(ingredients.map(labelOf));
