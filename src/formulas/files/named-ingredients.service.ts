import Big from 'big.js';
import { Injectable } from '@nestjs/common';
import { recordKey } from '../../files/compare-rows';
import { batches, type Reason } from '../../files/import-report';
import { withoutMost } from '../../files/read-import-file';
import { formulaImportText } from './formula-import.texts';
import { RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { inTurns } from '../../platform/common/in-turns';
import { INGREDIENT_RULES } from '../../ingredients/ingredient-file';
import { IngredientImportService } from '../../ingredients/ingredient-import.service';
import { IngredientResolver } from '../../ingredients/names/ingredient-resolver';
import { exactOf, type Resolution } from '../../ingredients/names/resolution';
import { FormulasRepository } from '../formulas.repository';
import type { FormulaRow } from './formula-row';
import { ingredientOfRow, type RowIngredient, textsOf } from './row-ingredient';

/** Id of an ingredient that a dry run would create. */
const NOT_YET = '00000000-0000-0000-0000-000000000000';

/** Rows whose names are in memory at once: few, so that V8 frees them in the young generation. */
const LOOKED_UP_TOGETHER = 2000;

/** Most unknown names for which similar ones are searched for. */
const MOST_SIMILAR = 5000;

@Injectable()
export class NamedIngredientsService {
  constructor(
    private readonly formulas: FormulasRepository,
    private readonly ingredients: IngredientImportService,
    private readonly resolver: IngredientResolver,
    private readonly rowFilters: RowFilterService,
  ) {}

  /**
   * Finds ingredients by id, otherwise by their names and suppliers, otherwise by CAS number. If several fit, none is
   * chosen.
   * @param create creates ingredients that neither the catalogue nor the shipped list of names knows; in a dry run
   *   they count as created
   * @returns the ingredient by the line of each row, and the number of created ones
   */
  async resolve(
    user: CurrentUser,
    rows: readonly FormulaRow[],
    { create, dryRun }: { create: boolean; dryRun: boolean },
  ): Promise<{ found: Map<number, RowIngredient>; created: number; notes: Reason[] }> {
    const found = await this.lookUp(user, rows);
    const notes = ingredientNotes(found);
    const sums = create ? await likeSums(rows) : new Set();
    const isCreatable = (row: FormulaRow) => {
      const ingredient = found.get(row.line)!;
      return 'fault' in ingredient && ingredient.isCreatable === true && !sums.has(row);
    };
    const missing = create ? rows.filter(isCreatable) : [];
    const drafts = await distinctDrafts(missing);
    if (drafts.length === 0) return { found, created: 0, notes };
    if (dryRun) {
      for (const { line } of missing) found.set(line, { id: NOT_YET });
      notes.push(formulaImportText('formula-import.would-create', { count: drafts.length }));
      return { found, created: drafts.length, notes };
    }
    const { applied, refused } = await this.ingredients.importFor(user, { drafts });
    if (!applied) {
      const reasons = refused.flatMap(({ faults }) => faults.map(({ reason }) => reason));
      return { found, created: 0, notes: [...notes, ...reasons] };
    }
    for (const [line, ingredient] of await this.lookUp(user, missing)) found.set(line, ingredient);
    notes.push(formulaImportText('formula-import.created', { count: drafts.length }));
    return { found, created: drafts.length, notes };
  }

  private async lookUp(user: CurrentUser, rows: readonly FormulaRow[]): Promise<Map<number, RowIngredient>> {
    const filter = await this.rowFilters.of(user);
    const found = new Map<number, RowIngredient>();
    const similar = new Map<string, Resolution>();
    for (const some of batches(rows, LOOKED_UP_TOGETHER)) {
      const ids = new Set<string>();
      const names = new Set<string>();
      await inTurns(some, (row) => {
        if (row.ingredientId !== null) ids.add(row.ingredientId);
        for (const { text } of textsOf(row)) names.add(text);
        for (const name of [row.chineseName ?? [], row.ingredient ?? [], row.casNumbers].flat())
          names.add(name);
      });
      const byId = await this.formulas.findIngredients(filter, [...ids]);
      const exact = await this.resolver.resolve(filter, [...names], { withSimilar: false });
      const byName = new Map(exact.map((resolution) => [resolution.name, resolution]));
      const unknown = exact.flatMap((one) =>
        exactOf(one).length === 0 && !similar.has(one.name) ? one.name : [],
      );
      for (const one of await this.resolver.resolve(filter, unknown.slice(0, MOST_SIMILAR - similar.size)))
        similar.set(one.name, one);
      for (const name of names) byName.set(name, similar.get(name) ?? byName.get(name)!);
      await inTurns(some, (row) => void found.set(row.line, ingredientOfRow(row, byId, byName)));
    }
    return found;
  }
}

/**
 * Rows in grams that have the sum of all lines above, perhaps under an unknown word for a sum. So may every row below a
 * volume, of which the mass is not known yet.
 */
async function likeSums(rows: readonly FormulaRow[]): Promise<Set<FormulaRow>> {
  const sums = new Map<string, Big>();
  const withVolumes = new Set<string>();
  const found = new Set<FormulaRow>();
  await inTurns(rows, (row, at) => {
    const { formula, amount, unit, milliliters } = row;
    if (milliliters) withVolumes.add(formula);
    if (withVolumes.has(formula)) found.add(row);
    const sum = sums.get(formula) ?? new Big(0);
    if (amount === 'rest') return;
    sums.set(formula, sum.plus(amount));
    if (unit === 'grams' && sum.eq(amount) && rows[at - 2]?.formula === formula) found.add(row);
  });
  return found;
}

/** Returns notes on rows whose name is not one of the ingredient's own. */
function ingredientNotes(found: ReadonlyMap<number, RowIngredient>): Reason[] {
  const notes = new Set<string>();
  for (const ingredient of found.values())
    if ('id' in ingredient && ingredient.note) notes.add(ingredient.note);
  return withoutMost([...notes]);
}

/** One draft for each ingredient: rows often write its name in several ways. */
async function distinctDrafts(rows: readonly FormulaRow[]) {
  const drafts = new Map<string, ReturnType<typeof draftOf>>();
  await inTurns(rows, (row) => {
    const draft = draftOf(row);
    drafts.set(recordKey(INGREDIENT_RULES, draft), draft);
  });
  return [...drafts.values()];
}

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
