import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../access/access-policy';
import { type RowFilter, RowFilterService } from '../../access/row-filter';
import type { CurrentUser } from '../../common/current-user';
import { ConflictError, InvalidInputError, NotFoundError } from '../../common/errors/service-error';
import { text } from '../../common/texts/text';
import { FormulasService } from '../../formulas/formulas.service';
import { IngredientsService } from '../../ingredients/ingredients.service';
import { type Composition, linesOf, type NamedIngredient } from '../compositions/composition';
import { CompositionsService } from '../compositions/compositions.service';
import { describeReplacement, type Replacement, replacedComposition, TOTAL } from './replaced-composition';
import {
  REPLACEMENT_LIMITS,
  type ReplacedFormulaDto,
  type ReplaceIngredientDto,
  type ReplacementDto,
} from './replacement.dto';
import { type FormulaSelection, ReplacementRepository, type UsingFormula } from './replacement.repository';
import { replacedBy } from './replacement.words';

interface ReplacedFormula {
  readonly after: Composition;
  readonly shown: ReplacedFormulaDto;
}

/** Replaces an ingredient with another in the latest versions of formulas. */
@Injectable()
export class ReplacementService {
  constructor(
    private readonly formulas: FormulasService,
    private readonly ingredients: IngredientsService,
    private readonly compositions: CompositionsService,
    private readonly replacements: ReplacementRepository,
    private readonly rowFilters: RowFilterService,
    private readonly policy: AccessPolicy,
  ) {}

  /**
   * Creates new versions of all formulas that the user may change, or of none; a dry run writes nothing.
   * @throws NotFoundError for the replaced ingredient; InvalidInputError for other references, and if a formula
   *   would become invalid; ConflictError if there are too many formulas, or one is changed at the same time
   */
  async replace(user: CurrentUser, id: string, input: ReplaceIngredientDto): Promise<ReplacementDto> {
    const filter = await this.rowFilters.of(user);
    const selection = selectionOf(input);
    const replacement = await this.replacementOf(filter, id, input);
    await this.assertSelection(filter, selection);
    const using = await this.usingFormulas(filter, replacement, selection);
    const compositions = await this.compositionsOf(user, using);
    const mayChange = await this.changeable(user, using, compositions);

    const replaced = compositions
      .filter((_, index) => mayChange[index])
      .map((before) => replacedFormula(before, replacement));
    const dryRun = input.dryRun ?? true;
    if (!dryRun) await this.write(user, replaced, replacement);
    return {
      dryRun,
      ...replacement,
      formulas: replaced.map(({ shown }) => shown),
      notPermitted: using.filter((_, index) => !mayChange[index]).map(({ id, name }) => ({ id, name })),
    };
  }

  private async replacementOf(
    filter: RowFilter,
    id: string,
    { by, factor }: ReplaceIngredientDto,
  ): Promise<Replacement> {
    const ingredient = namesOf(await this.ingredients.get(filter, id));
    if (by.toLowerCase() === ingredient.id) throw fault('by', text('replacement.same-ingredient'));
    const other = await this.ingredients.get(filter, by).catch((error: unknown) => {
      throw error instanceof NotFoundError ? fault('by', text('ingredient.not-found')) : error;
    });
    return { ingredient, by: namesOf(other), factor: factor ?? 1 };
  }

  private async assertSelection(filter: RowFilter, { ids = [], projectId }: FormulaSelection): Promise<void> {
    if (ids.length === 0 && projectId === undefined) return;
    const found = await this.replacements.find(filter, { ids, projectId });
    if (projectId !== undefined && !found.hasProject) {
      throw fault('formulas.projectId', text('project.not-found'));
    }
    const known = new Set(found.ids);
    const faults = ids.flatMap((id, index) =>
      known.has(id.toLowerCase())
        ? []
        : [{ field: `formulas.ids.${index}`, message: text('formula.not-found') }],
    );
    if (faults.length > 0) throw InvalidInputError.of(faults);
  }

  /** @throws ConflictError if there are more formulas or lines than one request may change */
  private async usingFormulas(
    filter: RowFilter,
    { ingredient }: Replacement,
    selection: FormulaSelection,
  ): Promise<UsingFormula[]> {
    const { formulas, lines } = REPLACEMENT_LIMITS;
    const using = await this.replacements.listUsing(filter, ingredient.id, selection, formulas + 1);
    if (using.length > formulas) {
      throw new ConflictError(text('replacement.too-many-formulas', { max: formulas }));
    }
    if (using.reduce((sum, formula) => sum + formula.lines, 0) > lines) {
      throw new ConflictError(text('replacement.too-many-lines', { max: lines }));
    }
    return using;
  }

  private async compositionsOf(user: CurrentUser, using: readonly UsingFormula[]): Promise<Composition[]> {
    if (using.length === 0) return [];
    const versions = using.map(({ id, currentVersion }) => ({ formulaId: id, version: currentVersion }));
    return this.compositions.read(user, versions);
  }

  /**
   * Decides which formulas the user may change. As in the contract, a version with an ingredient that is hidden
   * from the user cannot be written.
   */
  private async changeable(
    user: CurrentUser,
    using: readonly UsingFormula[],
    compositions: readonly Composition[],
  ): Promise<boolean[]> {
    const decisions: boolean[] = [];
    for (const [index, { id, createdBy }] of using.entries()) {
      const isVisible = linesOf(compositions[index]!).every(({ catalogue }) => catalogue !== null);
      decisions.push(isVisible && (await this.policy.canChange(user, { kind: 'formula', id, createdBy })));
    }
    return decisions;
  }

  private async write(
    user: CurrentUser,
    replaced: readonly ReplacedFormula[],
    replacement: Replacement,
  ): Promise<void> {
    const faults = replaced.flatMap(({ shown }) => faultsOf(shown));
    if (faults.length > 0) throw InvalidInputError.of(faults);
    if (replaced.length === 0) return;
    const description = replacedBy(replacement);
    await this.formulas.reviseAll(
      user,
      replaced.map(({ after }) => ({
        id: after.formulaId,
        versionNumber: after.versionNumber,
        input: { phases: phasesOf(after), description },
      })),
    );
  }
}

/** @throws InvalidInputError unless exactly one of the two is given */
function selectionOf({ formulas }: ReplaceIngredientDto): FormulaSelection {
  if (!formulas) return {};
  const { ids, projectId } = formulas;
  if ((ids === undefined) === (projectId === undefined)) {
    throw fault('formulas', text('replacement.one-selection'));
  }
  return { ids, projectId };
}

function replacedFormula(before: Composition, replacement: Replacement): ReplacedFormula {
  const after = replacedComposition(before, replacement);
  return { after, shown: describeReplacement(before, after, replacement) };
}

/** Returns the faults that prevent writing a formula, with its name. */
function faultsOf({ name, warning, totalPercentage, share }: ReplacedFormulaDto) {
  if (warning === null) return [];
  const message =
    warning === 'sum-out-of-bounds'
      ? text('replacement.percentage-sum', { name, ...TOTAL, sum: totalPercentage.to })
      : text('replacement.line-out-of-range', { name, percentage: share.to });
  return [{ field: 'formulas', message }];
}

const phasesOf = ({ phases }: Composition) =>
  phases.map(({ name, sortOrder, lines }) => ({
    name,
    sortOrder,
    ingredients: lines.map(({ ingredientId, percentage, processNotes }) => ({
      ingredientId,
      percentage,
      processNotes,
    })),
  }));

const namesOf = ({ id, inciName, chineseName }: NamedIngredient): NamedIngredient => ({
  id,
  inciName,
  chineseName,
});

const fault = (field: string, message: ReturnType<typeof text>) => InvalidInputError.of([{ field, message }]);
