import { Injectable } from '@nestjs/common';
import { InvalidInputError, NotFoundError } from '../../../common/errors/service-error';
import { text } from '../../../common/texts/text';
import type { Reader } from '../../../database/read-access';
import { Readers } from '../../../database/readers';
import { BaseFormulaRepository } from './base-formula.repository';
import { type ExploreInput } from './explore-rules';

/** An exploration as it is requested: what is absent, null or empty is not set. */
type ExploreRequest = { readonly [Field in keyof ExploreInput]: ExploreInput[Field] | null } & {
  readonly baseFormulaId?: string | null;
};

const BASE_NOT_FOUND = text('formula.not-found');

/**
 * Makes an exploration's input of a request: something must be asked for; a stored base formula is filled in.
 */
@Injectable()
export class FormulaExploration {
  constructor(
    private readonly formulas: BaseFormulaRepository,
    private readonly readers: Readers,
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

  private async base(reader: Reader, id: string) {
    const formula = await this.formulas.latest(await this.readers.of(reader), id);
    if (!formula) throw new NotFoundError(BASE_NOT_FOUND);
    return formula;
  }
}

function orAbsent<T>(list: readonly T[] | null | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}
