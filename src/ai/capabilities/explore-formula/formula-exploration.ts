import { setImmediate } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { type Reader, RowFilterService } from '../../../access/row-filter';
import { InvalidInputError, NotFoundError } from '../../../common/errors/service-error';
import { text } from '../../../common/texts/text';
import { CatalogueNamesRepository } from '../ingredient-names/catalogue-names.repository';
import { inSteps } from '../ingredient-names/in-steps';
import { IngredientNames, writtenNames } from '../ingredient-names/ingredient-names';
import { BaseFormulaRepository } from './base-formula.repository';
import { ADDED_BY_PRESETS, explorePreset } from './explore-preset';
import { type ExploreInput, firstRefusal, pairsOf, prepareRules, rulesOf } from './explore-rules';

/** An exploration as it is requested: what is absent, null or empty is not set. */
type ExploreRequest = { readonly [Field in keyof ExploreInput]: ExploreInput[Field] | null } & {
  readonly baseFormulaId?: string | null;
};

/** The part of the answer that is not an option. */
export interface ExplorationNotes {
  /** How many of the names to exclude stand for nothing in the base. */
  readonly excludedNotInBase: number;
  /** Why there are no options, where that is known. */
  readonly noOptions?: string;
}

/** There are no options, and none was refused. */
const NO_OPTION = 'none-proposed';

const BASE_NOT_FOUND = text('formula.not-found');

/**
 * Makes an exploration's input of a request: it must have a demand; a stored base formula is filled in.
 */
@Injectable()
export class FormulaExploration {
  private readonly logger = new Logger(FormulaExploration.name);

  constructor(
    private readonly formulas: BaseFormulaRepository,
    private readonly catalogue: CatalogueNamesRepository,
    private readonly rowFilters: RowFilterService,
  ) {}

  /**
   * @throws InvalidInputError when neither a cost limit, nor target metrics, nor exclusions are set
   * @throws NotFoundError when there is no base formula that the reader may see
   */
  async inputOf(reader: Reader, request: ExploreRequest): Promise<ExploreInput> {
    // A limit of zero and empty lists ask for nothing.
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

  /** The same with what the reader's catalogue knows of the ingredients that it names. */
  async withCatalogue(reader: Reader, input: ExploreInput): Promise<ExploreInput> {
    const { baseIngredients = [], keepIngredients = [], excludeIngredients = [] } = input;
    const names = [
      ...baseIngredients.flatMap(({ name, inciName }) => (inciName ? [name, inciName] : [name])),
      ...keepIngredients,
      ...excludeIngredients,
    ];
    if (names.length === 0) return input;
    const written = await inSteps([...names, ...ADDED_BY_PRESETS], writtenNames);
    const found = await this.catalogue.named(await this.rowFilters.of(reader), [...new Set(written.flat())]);
    const records = [...pairsOf(baseIngredients), ...found];
    return { ...input, catalogue: await IngredientNames.of(records, names) };
  }

  /**
   * What can be said of an exploration before it begins.
   * @param isPreset whether presets answer it
   */
  async notesOn(input: ExploreInput, isPreset: boolean): Promise<ExplorationNotes> {
    await prepareRules(input, () => setImmediate());
    const excludedNotInBase = rulesOf(input).notInBase.length;
    if (!isPreset) return { excludedNotInBase };
    await setImmediate();
    const { options, faults } = explorePreset(input);
    await setImmediate();
    return { excludedNotInBase, ...(options.length === 0 && { noOptions: faults[0] ?? NO_OPTION }) };
  }

  /** Logs that an exploration has ended without options; what it was about is not for logs. */
  reportNone(input: ExploreInput): string {
    const reason = firstRefusal(input) ?? explorePreset(input).faults[0] ?? NO_OPTION;
    this.logger.log({ reason }, 'An exploration ended without options');
    return reason;
  }

  private async base(reader: Reader, id: string) {
    const formula = await this.formulas.latest(await this.rowFilters.of(reader), id);
    if (!formula) throw new NotFoundError(BASE_NOT_FOUND);
    return formula;
  }
}

function orAbsent<T>(list: readonly T[] | null | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}
