import { Injectable, Logger } from '@nestjs/common';
import type { Reader } from '../../../platform/access/row-filter';
import {
  InvalidInputError,
  NotFoundError,
  ServiceError,
} from '../../../platform/common/errors/service-error';
import { loggedError } from '../../../platform/common/errors/logged-error';
import { text } from '../../../platform/texts/text';
import { IngredientResolver } from '../../../ingredients/names/ingredient-resolver';
import { distinctBy } from '../../../platform/common/collections';
import { inTurns } from '../../../platform/common/in-turns';
import { linesOf } from '../../../formulas/composition/composition';
import { CompositionsService } from '../../../formulas/composition/compositions.service';
import { Solver, type Solved } from '../../../formulas/solver/solver';
import { IngredientNames } from '../ingredient-names';
import { ADDED_BY_PRESETS, explorePreset } from './explore-formula';
import { type ExploreInput, firstRefusal, pairsOf, prepareRules, rulesOf } from './explore-rules';
import { variantProblems } from './solved-variants';

/** The request body of an exploration. Absent, null and empty properties are not set. */
type ExploreRequest = { readonly [Field in keyof ExploreInput]: ExploreInput[Field] | null } & {
  readonly baseFormulaId?: string | null;
};

/** Notes on an exploration that are not part of its options. */
export interface ExplorationNotes {
  /** Number of names to exclude that match no ingredient of the base. */
  readonly excludedNotInBase: number;
  /** Reason why there are no options, if known. */
  readonly noOptions?: string;
}

/** Reason if no option was proposed, so none was refused either. */
const NO_OPTION = 'none-proposed';

/**
 * Converts a request to the input of an exploration: checks that it has a demand, and loads the stored base formula.
 */
@Injectable()
export class FormulaExploration {
  private readonly logger = new Logger(FormulaExploration.name);

  constructor(
    private readonly compositions: CompositionsService,
    private readonly resolver: IngredientResolver,
    private readonly solver: Solver,
  ) {}

  /**
   * @throws InvalidInputError if neither a cost limit, nor target metrics, nor exclusions are set
   * @throws NotFoundError if the user cannot read the base formula, or it does not exist
   */
  async inputOf(reader: Reader, request: ExploreRequest): Promise<ExploreInput> {
    // A limit of zero and empty lists are not demands.
    const costLimit = request.costLimit || undefined;
    const excludeIngredients = orAbsent(request.excludeIngredients);
    const targetMetrics =
      request.targetMetrics && Object.keys(request.targetMetrics).length > 0
        ? request.targetMetrics
        : undefined;
    if (costLimit === undefined && excludeIngredients === undefined && targetMetrics === undefined) {
      throw InvalidInputError.of([{ field: 'costLimit', message: text('exploration.without-goal') }]);
    }
    const base = request.baseFormulaId ? await this.base(reader, request.baseFormulaId) : undefined;
    return {
      baseFormulaName: request.baseFormulaName?.trim() || base?.name,
      baseIngredients: orAbsent(request.baseIngredients) ?? base?.ingredients,
      costLimit,
      keepIngredients: orAbsent(request.keepIngredients),
      excludeIngredients,
      targetMetrics,
    };
  }

  /** Returns the input with catalogue data of the ingredients it names, as far as the user can read it. */
  async withCatalogue(reader: Reader, input: ExploreInput): Promise<ExploreInput> {
    const { baseIngredients = [], keepIngredients = [], excludeIngredients = [] } = input;
    const names = [
      ...baseIngredients.flatMap(({ name, inciName }) => (inciName ? [name, inciName] : [name])),
      ...keepIngredients,
      ...excludeIngredients,
    ];
    if (names.length === 0) return input;
    const all = [...names, ...ADDED_BY_PRESETS];
    return {
      ...input,
      catalogue: await IngredientNames.of(this.resolver, reader, all, pairsOf(baseIngredients)),
    };
  }

  /** Returns the input with variants that are calculated, where prices are known and there are such variants. */
  async withSolutions(input: ExploreInput): Promise<ExploreInput> {
    await prepareRules(input);
    const solutions: (readonly number[])[] = [];
    for (const problem of variantProblems(input)) {
      const solution = await this.solver.solve(problem).catch((error: unknown) => this.noSolution(error));
      if ('percentages' in solution) solutions.push(solution.percentages);
    }
    return { ...input, solutions: distinctBy(solutions, String) };
  }

  /**
   * Returns the notes that are known before the exploration begins.
   * @param isPreset true if presets answer the request
   */
  async notesOn(input: ExploreInput, isPreset: boolean): Promise<ExplorationNotes> {
    await prepareRules(input);
    const excludedNotInBase = rulesOf(input).notInBase.length;
    if (!isPreset) return { excludedNotInBase };
    const [preset] = await inTurns([input], explorePreset);
    const { options, faults } = preset!;
    return { excludedNotInBase, ...(options.length === 0 && { noOptions: faults[0] ?? NO_OPTION }) };
  }

  /** Logs the reason why an exploration ended without options. The request itself must not be logged. */
  reportNone(input: ExploreInput): string {
    const reason = firstRefusal(input) ?? explorePreset(input).faults[0] ?? NO_OPTION;
    this.logger.log({ reason }, 'An exploration ended without options');
    return reason;
  }

  /** Without a solution, the exploration has other presets. */
  private noSolution(error: unknown): Solved {
    if (!(error instanceof ServiceError)) this.logger.error({ err: loggedError(error) }, 'The solver failed');
    return { conflict: [] };
  }

  /** The latest version of a stored formula. */
  private async base(reader: Reader, id: string) {
    const formula = await this.compositions.find(reader, id);
    if (!formula) throw new NotFoundError(text('formula.not-found'));
    const ingredients = linesOf(formula).map(({ ingredient: { chineseName, inciName }, percentage }) => ({
      ...{ name: chineseName, inciName, percentage },
    }));
    return { name: formula.formulaName, ingredients };
  }
}

function orAbsent<T>(list: readonly T[] | null | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}
