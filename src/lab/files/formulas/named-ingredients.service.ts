import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CurrentUser } from '../../../common/current-user';
import { RowFilterService } from '../../../access/row-filter';
import { IngredientImportService } from '../../../ingredients/ingredient-import.service';
import { FilesRepository, type NamedIngredient, type WantedIngredient } from '../files.repository';
import type { FormulaRow } from './formula-row';

/** The ingredient of a row, or the reason why it has none. */
export type Resolution = { id: string } | { fault: string; isMissing: boolean };

/** Id of an ingredient that a dry run would create. */
const NOT_YET = '00000000-0000-0000-0000-000000000000';

/** Most ingredients in one statement. */
const LOOKED_UP_TOGETHER = 500;

/** Number of rows that are processed before other work gets its turn. */
const ROWS_IN_TURN = 1000;

/** Finds the ingredients that rows of formulas name. */
@Injectable()
export class NamedIngredientsService {
  constructor(
    private readonly files: FilesRepository,
    private readonly ingredients: IngredientImportService,
    private readonly rowFilters: RowFilterService,
  ) {}

  /**
   * Finds ingredients by id, otherwise by INCI name and supplier, otherwise by Chinese name. If several fit, none
   * is chosen.
   * @param create creates missing ingredients; in a dry run they count as created
   * @returns the ingredient by the line of each row, and the number of created ones
   */
  async resolve(
    user: CurrentUser,
    rows: readonly FormulaRow[],
    { create, dryRun }: { create: boolean; dryRun: boolean },
  ): Promise<{ found: Map<number, Resolution>; created: number; notes: string[] }> {
    const found = await this.lookUp(user, rows);
    const missing = create ? distinct(rows.filter((row) => isMissing(found.get(row.line)!))) : [];
    if (missing.length === 0) return { found, created: 0, notes: [] };
    const notes = [`${missing.length} ingredients are created in the category "other": give them theirs`];
    if (dryRun) {
      for (const row of rows) if (isMissing(found.get(row.line)!)) found.set(row.line, { id: NOT_YET });
      return { found, created: missing.length, notes };
    }
    const { applied, refused } = await this.ingredients.importFor(user, { drafts: missing.map(draftOf) });
    const faults = refused.map(({ reason }) => reason);
    return {
      found: await this.lookUp(user, rows),
      created: applied ? missing.length : 0,
      notes: applied ? notes : faults,
    };
  }

  private async lookUp(user: CurrentUser, rows: readonly FormulaRow[]): Promise<Map<number, Resolution>> {
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
    const found = new Map<number, Resolution>();
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

const isMissing = (resolution: Resolution): boolean => 'fault' in resolution && resolution.isMissing;

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

function resolved(row: FormulaRow, candidates: readonly NamedIngredient[]): Resolution {
  const { inciName, chineseName, ingredient, ingredientId } = row;
  const byId = candidates.find(({ id }) => id === ingredientId);
  if (byId) {
    const isOther = inciName !== null && !same(inciName, byId.inciName);
    return isOther ? fault(`ingredientId: is "${byId.inciName}", and the row names "${inciName}"`) : byId;
  }
  const inci = inciName ?? ingredient;
  const chinese = chineseName ?? ingredient;
  const byInci = candidates.filter((one) => inci !== null && same(one.inciName, inci));
  const byChinese = candidates.filter((one) => chinese !== null && one.chineseName.trim() === chinese);
  const named = byInci.length > 0 ? byInci : inciName === null ? byChinese : [];
  const label = inci ?? chinese ?? ingredientId;
  if (named.length === 0) return missing(`is no ingredient of the catalogue: "${label}"`);
  const supplied = bySupplier(row.supplier, named);
  if (supplied.length === 0) return missing(`"${label}" of "${row.supplier}" is not in the catalogue`);
  const both = supplied.filter((one) => byChinese.includes(one));
  const chosen = supplied.length > 1 && both.length > 0 ? both : supplied;
  return chosen.length === 1
    ? chosen[0]!
    : fault(`"${label}" is the name of ${chosen.length} ingredients: name the id or the supplier`);
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

const fault = (text: string): Resolution => ({ fault: text, isMissing: false });
const missing = (text: string): Resolution => ({ fault: text, isMissing: true });

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
