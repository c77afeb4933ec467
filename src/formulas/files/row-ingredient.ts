import type { RowFault } from '../../files/import-report';
import type { Message } from '../../platform/texts/define-texts';
import { formulaImportText } from './formula-import.texts';
import { nameKey } from '../../platform/common/name-forms';
import { isStandardName, substanceOf } from '../../ingredients/names/everyday-names';
import { type NameMatch, exactOf, type Resolution, suppliedOf } from '../../ingredients/names/resolution';
import type { CatalogueIngredient } from '../formulas.repository';
import type { FormulaRow } from './formula-row';
import { PHASE_ROW } from './formula-row.words';

export interface FoundIngredient {
  readonly id: string;
  readonly inciName?: string;
  /** Kilograms per litre. */
  readonly density?: number | null;
  /** How the name of the row was read, if it is not one of the ingredient's own. */
  readonly note?: string;
}

export interface NoIngredient {
  readonly fault: RowFault;
  /** True if an import may create the ingredient of that name. */
  readonly isCreatable?: boolean;
}

export type RowIngredient = FoundIngredient | NoIngredient;

type Ingredient = NameMatch['ingredient'];
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

/**
 * Returns the ingredient of a row: that of its id, or that which its name means, or that of its CAS numbers.
 * @param byId the ingredients with the ids of rows
 * @param search what the names and numbers of rows mean
 */
export function ingredientOfRow(
  row: FormulaRow,
  byId: ReadonlyMap<string, CatalogueIngredient>,
  search: Search,
): RowIngredient {
  const numbered = numberedIngredients(row, search);
  const { ingredientId, inciName } = row;
  const stored = ingredientId === null ? undefined : byId.get(ingredientId);
  if (stored) {
    const isOther = inciName !== null && nameKey(inciName) !== nameKey(stored.inciName);
    const reason = formulaImportText('formula-import.other-id', { found: stored.inciName, name: inciName! });
    return isOther
      ? refused('ingredientId', ingredientId!, reason)
      : (contradiction(row, stored, numbered) ?? withOtherNames(row, stored, search));
  }
  const texts = textsOf(row);
  for (const name of texts) {
    const named = namedIngredient(name, search.get(name.text)!, row, numbered);
    if (!named) continue;
    return 'id' in named
      ? (contradiction(row, named, numbered) ?? withOtherNames(row, named, search))
      : named;
  }
  return byNumber(row, numbered, texts[0]) ?? unknown(row, search);
}

/** Returns undefined if neither the catalogue nor the shipped list knows the name. */
function namedIngredient(
  { field, text }: { field: string; text: string },
  resolution: Resolution,
  { supplier, chineseName }: FormulaRow,
  numbered: readonly Ingredient[],
): RowIngredient | undefined {
  const { inciNames } = resolution;
  const refuse = (reason: Message) => refused(field, text, reason);
  const exact = exactOf(resolution);
  if (exact.length === 0) {
    if (inciNames.length === 0 || inciNames.some((name) => nameKey(name) === nameKey(text))) return undefined;
    return refuse(
      formulaImportText('formula-import.not-in-catalogue', { name: text, names: quotedList(inciNames) }),
    );
  }
  const { ingredients, certain } = suppliedOf(resolution, supplier);
  if (certain) return taken(text, ingredients[0]!);
  const byCas = exact.filter(({ id }) => numbered.some((one) => one.id === id));
  if (byCas.length === 1 && numbered.length === 1) return taken(text, byCas[0]!);
  const areCalledSo = exact.every((one) => isOwnName(text, one));
  if (ingredients.length === 0) {
    const missing = { name: text, supplier: supplier! };
    return areCalledSo
      ? refused('supplier', supplier!, formulaImportText('formula-import.supplier', missing), true)
      : refuse(formulaImportText('formula-import.other-supplier', { ...missing, found: labelOf(exact[0]!) }));
  }
  const ofChineseName = ingredients.filter((one) => isSame(one.chineseName, chineseName));
  if (areCalledSo && ofChineseName.length === 1) return taken(text, ofChineseName[0]!);
  return refuse(
    areCalledSo
      ? formulaImportText('formula-import.several', { name: text, count: ingredients.length })
      : formulaImportText('formula-import.ambiguous', { name: text, names: listOf(ingredients) }),
  );
}

const isSame = (one: string, other: string | null): boolean =>
  other !== null && nameKey(one) === nameKey(other);

const isOwnName = (text: string, { inciName, chineseName }: Ingredient): boolean =>
  isSame(inciName, text) || isSame(chineseName, text);

/** The ingredients that have one of the row's CAS numbers. */
function numberedIngredients({ casNumbers }: FormulaRow, search: Search): Ingredient[] {
  const found = casNumbers.flatMap((number) => {
    const resolution = search.get(number);
    return resolution ? resolution.candidates.filter(({ matchedBy }) => matchedBy === 'cas') : [];
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
  const reason = formulaImportText('formula-import.other-number', {
    name: String(inciName),
    number: value,
    names: listOf(numbered),
  });
  return refused('casNumbers', value, reason);
}

/** Refuses an ingredient beside which the row has the name of another one, and notes names that are not known. */
function withOtherNames(row: FormulaRow, found: FoundIngredient, search: Search): RowIngredient {
  const { inciName = '' } = found;
  const unknown: string[] = [];
  for (const field of ['chineseName', 'ingredient'] as const) {
    const text = row[field];
    const named = text === null ? undefined : search.get(text);
    if (!named || nameKey(named.name) === nameKey(inciName)) continue;
    const exact = exactOf(named);
    const isListed = isStandardName(inciName) && named.inciNames.length > 0;
    const meant = exact.length > 0 ? exact.map((one) => one.inciName) : isListed ? named.inciNames : [];
    if (meant.length === 0) unknown.push(named.name);
    else if (!meant.some((name) => substanceOf(name) === substanceOf(inciName))) {
      const reason = formulaImportText('formula-import.other-id', { found: meant[0]!, name: inciName });
      return refused(field, named.name, reason);
    }
  }
  const note = found.note ?? (unknown.length > 0 ? `${unknown.join(', ')} → ${inciName}` : undefined);
  return { ...found, ...(note && { note }) };
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
    return refused(
      'casNumbers',
      value,
      formulaImportText('formula-import.unknown-number', { number: value }),
    );
  }
  const supplied = numbered.length > 1 ? suppliedBy(supplier, numbered) : numbered;
  if (supplied.length === 1) return taken([name?.text, value].filter(Boolean).join(', '), supplied[0]!);
  const reason = formulaImportText('formula-import.ambiguous-number', {
    number: value,
    names: listOf(numbered),
  });
  return refused('casNumbers', value, reason);
}

/** Names similar ingredients, or the one that another name of the row means. */
function unknown(row: FormulaRow, search: Search): NoIngredient {
  const { ingredientId, inciName, chineseName, ingredient } = row;
  const texts = textsOf(row);
  const { field, text: value } = texts[0] ?? { field: 'ingredientId', text: ingredientId! };
  const other = inciName === null ? undefined : search.get(chineseName ?? ingredient ?? '');
  if (other?.certain) {
    const reason = formulaImportText('formula-import.other-name-known', {
      name: value,
      other: other.name,
      found: labelOf(other.candidates[0]!.ingredient),
    });
    return refused(field, value, reason);
  }
  const similar = texts.flatMap(({ text }) => search.get(text)?.candidates ?? []);
  const reason =
    similar.length > 0
      ? formulaImportText('formula-import.similar', {
          name: value,
          names: listOf(similar.map((candidate) => candidate.ingredient)),
        })
      : formulaImportText('formula-import.unknown', { name: value });
  return refused(field, value, reason, texts.length > 0 && !PHASE_ROW.test(value));
}

const taken = (text: string, { id, inciName, ...ingredient }: Ingredient): FoundIngredient => ({
  id,
  inciName,
  density: ingredient.density,
  ...(!isOwnName(text, { id, inciName, ...ingredient }) && {
    note: `${text} → ${labelOf({ id, inciName, ...ingredient })}`,
  }),
});

const refused = (field: string, value: string, reason: Message, isCreatable?: boolean): NoIngredient => ({
  fault: { field, value, reason },
  isCreatable,
});

const suppliedBy = (supplier: string | null | undefined, ingredients: readonly Ingredient[]) =>
  supplier ? ingredients.filter((one) => one.supplier?.trim() === supplier) : ingredients;

const labelOf = ({ inciName, supplier }: Ingredient): string =>
  supplier ? `${inciName} (${supplier})` : inciName;

const quotedList = (names: readonly string[]): string[] =>
  names.slice(0, MOST_NAMED).map((name) => `"${name}"`);

const listOf = (ingredients: readonly Ingredient[]): string[] => quotedList(ingredients.map(labelOf));
