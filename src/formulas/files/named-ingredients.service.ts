import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CurrentUser } from '../../platform/common/current-user';
import { RowFilterService } from '../../platform/access/row-filter';
import { IngredientImportService } from '../../ingredients/ingredient-import.service';
import { FilesRepository, type NamedIngredient, type WantedIngredient } from './formula-files.repository';
import type { FormulaRow } from './formula-row';
import { type NoIngredient, type RowIngredient, searchedIngredient, textsOf } from './searched-ingredient';
import { MOST_SEARCHED, SearchedNamesService } from './searched-names.service';

/** Id of an ingredient that a dry run would create. */
const NOT_YET = '00000000-0000-0000-0000-000000000000';

/** Most ingredients in one statement. */
const LOOKED_UP_TOGETHER = 500;

/** Most notes on names that were searched for. */
const MOST_NOTES = 200;

/** Number of rows that are processed before other work gets its turn. */
const ROWS_IN_TURN = 1000;

/** Finds the ingredients that rows of formulas name. */
@Injectable()
export class NamedIngredientsService {
  constructor(
    private readonly files: FilesRepository,
    private readonly ingredients: IngredientImportService,
    private readonly rowFilters: RowFilterService,
    private readonly search: SearchedNamesService,
  ) {}

  /**
   * Finds ingredients by id, otherwise by INCI name and supplier, otherwise by Chinese name, otherwise by the names
   * search. If several fit, none is chosen.
   * @param create creates ingredients that neither the catalogue nor the shipped list of names knows; in a dry run
   *   they count as created
   * @returns the ingredient by the line of each row, and the number of created ones
   */
  async resolve(
    user: CurrentUser,
    rows: readonly FormulaRow[],
    { create, dryRun }: { create: boolean; dryRun: boolean },
  ): Promise<{ found: Map<number, RowIngredient>; created: number; notes: string[] }> {
    const found = await this.lookUp(user, rows);
    const notes = await this.searchFor(user, rows, found);
    const isCreatable = ({ line }: FormulaRow) => stateOf(found.get(line)!) === 'creatable';
    const missing = create ? rows.filter(isCreatable) : [];
    const drafts = distinct(missing).map(draftOf);
    if (drafts.length === 0) return { found, created: 0, notes };
    if (dryRun) {
      for (const { line } of missing) found.set(line, { id: NOT_YET });
      notes.push(`${drafts.length} ingredients would be created in the category "other"`);
      return { found, created: drafts.length, notes };
    }
    const { applied, refused } = await this.ingredients.importFor(user, { drafts });
    if (!applied) return { found, created: 0, notes: [...notes, ...refused.map(({ reason }) => reason)] };
    for (const [line, ingredient] of await this.lookUp(user, missing)) found.set(line, ingredient);
    notes.push(`${drafts.length} ingredients were created in the category "other": give them theirs`);
    return { found, created: drafts.length, notes };
  }

  /**
   * Searches for names that the catalogue does not have, and for CAS numbers.
   * @returns notes on names that were found
   */
  private async searchFor(
    user: CurrentUser,
    rows: readonly FormulaRow[],
    found: Map<number, RowIngredient>,
  ): Promise<string[]> {
    const texts = new Set<string>();
    for (const [position, row] of rows.entries()) {
      if (position % ROWS_IN_TURN === 0) await setImmediate();
      const isUnknown = stateOf(found.get(row.line)!) === 'unknown';
      if (isUnknown) for (const { text } of textsOf(row)) texts.add(text);
      if (isUnknown && row.chineseName !== null) texts.add(row.chineseName);
      for (const number of row.casNumbers) texts.add(number);
    }
    const search = await this.search.find(user, [...texts]);
    const notes = new Set<string>();
    for (const [position, row] of rows.entries()) {
      if (position % ROWS_IN_TURN === 0) await setImmediate();
      const known = found.get(row.line)!;
      const ingredient = searchedIngredient(row, known, search);
      found.set(row.line, ingredient);
      if ('id' in ingredient && ingredient.note) notes.add(ingredient.note);
    }
    const more = notes.size - MOST_NOTES;
    return [
      ...[...notes].slice(0, MOST_NOTES),
      ...(more > 0 ? [`and ${more} more notes on rows`] : []),
      ...(texts.size > MOST_SEARCHED
        ? [`Only the first ${MOST_SEARCHED} unknown names were searched for`]
        : []),
    ];
  }

  private async lookUp(user: CurrentUser, rows: readonly FormulaRow[]): Promise<Map<number, RowIngredient>> {
    const wanted = new Map<string, { ingredient: WantedIngredient; rows: FormulaRow[] }>();
    for (const [position, row] of rows.entries()) {
      if (position % ROWS_IN_TURN === 0) await setImmediate();
      const ingredient = wantedOf(row);
      const key = JSON.stringify(ingredient);
      const known = wanted.get(key);
      if (known) known.rows.push(row);
      else wanted.set(key, { ingredient, rows: [row] });
    }
    const filter = await this.rowFilters.of(user);
    const all = [...wanted.values()];
    const found = new Map<number, RowIngredient>();
    for (let at = 0; at < all.length; at += LOOKED_UP_TOGETHER) {
      const some = all.slice(at, at + LOOKED_UP_TOGETHER);
      const candidates = await this.files.identify(
        filter,
        some.map(({ ingredient }) => ingredient),
      );
      for (const [index, { rows: own }] of some.entries()) {
        await setImmediate();
        for (const row of own) found.set(row.line, resolved(row, candidates[index]!));
      }
    }
    return found;
  }
}

const wantedOf = ({ ingredientId, inciName, chineseName, ingredient }: FormulaRow): WantedIngredient => ({
  id: ingredientId,
  inciName: inciName ?? ingredient,
  chineseName: chineseName ?? ingredient,
});

const stateOf = (ingredient: RowIngredient) => ('fault' in ingredient ? ingredient.state : undefined);

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

function resolved(row: FormulaRow, candidates: readonly NamedIngredient[]): RowIngredient {
  const { inciName, chineseName, ingredient, ingredientId, casNumbers } = row;
  const byId = candidates.find(({ id }) => id === ingredientId);
  if (byId) {
    const isOther = inciName !== null && !same(inciName, byId.inciName);
    return isOther
      ? fault('ingredientId', ingredientId!, `is "${byId.inciName}", and the row names "${inciName}"`)
      : byId;
  }
  const inci = inciName ?? ingredient;
  const chinese = chineseName ?? ingredient;
  const byInci = candidates.filter((one) => inci !== null && same(one.inciName, inci));
  const byChinese = candidates.filter((one) => chinese !== null && one.chineseName.trim() === chinese);
  const named = byInci.length > 0 ? byInci : inciName === null ? byChinese : [];
  const { field, text: label } = textsOf(row)[0] ?? {
    ...(ingredientId === null
      ? { field: 'casNumbers', text: casNumbers.join(' ') }
      : { field: 'ingredientId', text: ingredientId }),
  };
  if (named.length === 0)
    return fault(field, label, `is no ingredient of the catalogue: "${label}"`, 'unknown');
  const supplied = bySupplier(row.supplier, named);
  if (supplied.length === 0) {
    return fault(
      'supplier',
      row.supplier!,
      `"${label}" of "${row.supplier}" is not in the catalogue`,
      'creatable',
    );
  }
  const both = supplied.filter((one) => byChinese.includes(one));
  const chosen = supplied.length > 1 && both.length > 0 ? both : supplied;
  return chosen.length === 1
    ? chosen[0]!
    : fault(
        field,
        label,
        `"${label}" is the name of ${chosen.length} ingredients: name the id or the supplier`,
      );
}

/** An empty cell prefers an ingredient without a supplier, but excludes no other. */
function bySupplier(
  supplier: string | null | undefined,
  named: readonly NamedIngredient[],
): readonly NamedIngredient[] {
  if (supplier === undefined) return named;
  const own = named.filter((one) => (one.supplier?.trim() || null) === supplier);
  return supplier === null && own.length === 0 ? named : own;
}

const fault = (
  field: string,
  value: string,
  reason: string,
  state: NoIngredient['state'] = 'refused',
): NoIngredient => ({ fault: { field, value, reason }, state });

const distinct = (rows: readonly FormulaRow[]): FormulaRow[] => [
  ...new Map(rows.map((row) => [JSON.stringify([wantedOf(row), row.supplier]).toLowerCase(), row])).values(),
];

function draftOf({ line, inciName, chineseName, ingredient, supplier }: FormulaRow) {
  const inci = inciName ?? ingredient ?? chineseName!;
  return {
    line,
    inciName: inci,
    chineseName: chineseName ?? ingredient ?? inci,
    supplier: supplier ?? null,
    functionCategory: 'other',
  };
}
