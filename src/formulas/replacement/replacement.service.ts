import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../platform/access/access-policy';
import { type RowFilter, RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { ConflictError, InvalidInputError, NotFoundError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import { BulkWrites } from '../bulk-writes.service';
import { FormulasRepository } from '../formulas.repository';
import { ProjectsRepository } from '../../projects/projects.repository';
import { IngredientsService } from '../../ingredients/ingredients.service';
import { type Composition, toCompositionDto } from '../composition/composition';
import type { IngredientDto } from '../../ingredients/ingredient.dto';
import { PERCENTAGE_SUM } from '../percentage-sum';
import { CompositionsService } from '../composition/compositions.service';
import { NO_PROJECT } from '../lists/lists.dto';
import { isAllowed, mayReadUsernames, namedIf } from '../../users/people/rights';
import {
  describeReplacement,
  lineOutOfRange,
  replacedBy,
  replacedComposition,
  type Replacement,
} from './replaced-composition';
import {
  type FormulaNameDto,
  type FormulaSelectionDto,
  REPLACEMENT_LIMITS,
  type ReplacedIngredientDto,
  type ReplacedFormulaDto,
  type ReplaceIngredientDto,
  type ReplacementDto,
} from './replacement.dto';
import { ReplacementRepository, type UsingFormula } from './replacement.repository';

interface ReplacedFormula {
  readonly after: Composition;
  readonly shown: ReplacedFormulaDto;
}

/** Replaces an ingredient with another in the latest versions of formulas. */
@Injectable()
export class ReplacementService {
  constructor(
    private readonly bulk: BulkWrites,
    private readonly formulas: FormulasRepository,
    private readonly projects: ProjectsRepository,
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
    const selected = await this.selectedFormulas(filter, selection);
    const using = await this.usingFormulas(user, filter, replacement, selection);
    const compositions = await this.compositionsOf(user, using.changeable);

    const replaced = compositions.map((before) => replacedFormula(before, replacement));
    const dryRun = input.dryRun ?? true;
    if (!dryRun) await this.write(user, replaced, replacement);
    return {
      dryRun,
      ...replacement,
      formulas: replaced.map(({ shown }) => shown),
      notPermitted: await this.shownNotPermitted(user, using.notPermitted),
      notPermittedCount: using.notPermittedCount,
      withoutIngredient: without(selected, [...using.changeable, ...using.notPermitted]),
    };
  }

  private async replacementOf(
    filter: RowFilter,
    id: string,
    { by, factor }: ReplaceIngredientDto,
  ): Promise<Replacement> {
    const ingredient = namesOf(await this.ingredients.get(filter, id));
    if (by.toLowerCase() === ingredient.id) throw replacementFault('by', text('replacement.same-ingredient'));
    const other = await this.ingredients.get(filter, by).catch((error: unknown) => {
      throw error instanceof NotFoundError ? replacementFault('by', text('ingredient.not-found')) : error;
    });
    return { ingredient, by: namesOf(other), factor: factor ?? 1 };
  }

  /**
   * The formulas that are selected by their ids.
   * @throws InvalidInputError for formulas and a project that the reader may not see
   */
  private async selectedFormulas(
    filter: RowFilter,
    { ids = [], projectId = NO_PROJECT }: FormulaSelectionDto,
  ): Promise<FormulaNameDto[]> {
    if (projectId !== NO_PROJECT && !(await this.projects.findById(filter, projectId))) {
      throw replacementFault('formulas.projectId', text('project.not-found'));
    }
    if (ids.length === 0) return [];
    const known = await this.formulas.findNames(filter, ids);
    const faults = ids.flatMap((id, index) =>
      known.has(id.toLowerCase())
        ? []
        : [{ field: `formulas.ids.${index}`, message: text('formula.not-found') }],
    );
    if (faults.length > 0) throw InvalidInputError.of(faults);
    return [...known.values()].map(({ id, name }) => ({ id, name }));
  }

  /** @throws ConflictError if the user may change more formulas or lines than one request changes */
  private async usingFormulas(
    user: CurrentUser,
    filter: RowFilter,
    { ingredient }: Replacement,
    selection: FormulaSelectionDto,
  ) {
    const { lines, decisions, notPermitted: listed } = REPLACEMENT_LIMITS;
    const scope = await this.policy.changeScope(user, 'formula');
    const { formulas, otherCount } = await this.replacements.listUsing(
      filter,
      ingredient.id,
      selection,
      { scope, userId: user.id },
      { candidates: decisions + 1, others: listed },
    );
    const candidates = formulas.filter(({ isCandidate }) => isCandidate);
    const changeable = await this.changeable(user, candidates);
    if (changeable.reduce((sum, formula) => sum + formula.lines, 0) > lines) {
      throw new ConflictError(text('replacement.too-many-lines', { max: lines }));
    }
    return {
      changeable,
      notPermitted: without(formulas, changeable).slice(0, listed),
      notPermittedCount: otherCount + candidates.length - changeable.length,
    };
  }

  /**
   * Returns those that the access policy lets the user change.
   * @throws ConflictError if there are too many of them, or too many to decide about
   */
  private async changeable(user: CurrentUser, candidates: readonly UsingFormula[]): Promise<UsingFormula[]> {
    const { formulas, decisions } = REPLACEMENT_LIMITS;
    const changeable: UsingFormula[] = [];
    for (const candidate of candidates.slice(0, decisions)) {
      const { id, createdBy } = candidate;
      const record = { kind: 'formula', id, createdBy: createdBy.id };
      if (await isAllowed(() => this.policy.canChange(user, record))) changeable.push(candidate);
      if (changeable.length > formulas) throw tooManyFormulas(formulas);
    }
    if (candidates.length > decisions) throw tooManyFormulas(decisions);
    return changeable;
  }

  private async shownNotPermitted(user: CurrentUser, formulas: readonly UsingFormula[]) {
    const mayReadNames = await mayReadUsernames(this.policy, user);
    return formulas.map(({ id, name, createdBy, share }) => ({
      id,
      name,
      createdBy: namedIf(mayReadNames, createdBy),
      share,
    }));
  }

  private async compositionsOf(user: CurrentUser, formulas: readonly UsingFormula[]): Promise<Composition[]> {
    if (formulas.length === 0) return [];
    const versions = formulas.map(({ id, currentVersion }) => ({ formulaId: id, version: currentVersion }));
    return this.compositions.read(user, versions);
  }

  private async write(
    user: CurrentUser,
    replaced: readonly ReplacedFormula[],
    replacement: Replacement,
  ): Promise<void> {
    const faults = replaced.flatMap(faultsOf);
    if (faults.length > 0) throw InvalidInputError.of(faults);
    if (replaced.length === 0) return;
    const reason = replacedBy(replacement);
    await this.bulk.revise(
      user,
      replaced.map(({ after }) => ({
        ...{ id: after.formulaId, versionNumber: after.versionNumber, reason },
        ...toCompositionDto(after),
      })),
    );
  }
}

/** @throws InvalidInputError unless exactly one of the two is given */
function selectionOf({ formulas }: ReplaceIngredientDto): FormulaSelectionDto {
  if (!formulas) return {};
  const { ids, projectId } = formulas;
  if ((ids === undefined) === (projectId === undefined)) {
    throw replacementFault('formulas', text('replacement.one-selection'));
  }
  return { ids, projectId };
}

function replacedFormula(before: Composition, replacement: Replacement): ReplacedFormula {
  const after = replacedComposition(before, replacement);
  return { after, shown: describeReplacement(before, after, replacement) };
}

/** Returns the faults that prevent writing a formula, with its name. */
function faultsOf({ after, shown: { name, warning, totalPercentage } }: ReplacedFormula) {
  if (warning === null) return [];
  const line = lineOutOfRange(after);
  const message = line
    ? text('replacement.line-out-of-range', { name, percentage: line.percentage })
    : text('replacement.percentage-sum', { name, ...PERCENTAGE_SUM, sum: totalPercentage.to });
  return [{ field: 'formulas', message }];
}

const namesOf = ({ id, inciName, chineseName, supplier }: IngredientDto): ReplacedIngredientDto => ({
  ...{ id, inciName, chineseName, supplier },
});

function without<Formula extends FormulaNameDto>(
  formulas: readonly Formula[],
  others: readonly FormulaNameDto[],
): Formula[] {
  const ids = new Set(others.map(({ id }) => id));
  return formulas.filter(({ id }) => !ids.has(id));
}

const tooManyFormulas = (max: number) => new ConflictError(text('replacement.too-many-formulas', { max }));

const replacementFault = (field: string, message: ReturnType<typeof text>) =>
  InvalidInputError.of([{ field, message }]);
