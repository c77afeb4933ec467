import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../access/row-filter';
import type { CurrentUser } from '../../common/current-user';
import { InvalidInputError } from '../../common/errors/service-error';
import type { Slice } from '../../common/http/envelope';
import { text } from '../../common/texts/text';
import { FormulasService } from '../../formulas/formulas.service';
import { IngredientsService } from '../../ingredients/ingredients.service';
import { formulaCondition } from './formula-conditions';
import type { FormulaFilterQuery } from './formula-list.dto';
import { ingredientCondition } from './ingredient-conditions';
import type { IngredientFilterQuery } from './ingredient-list.dto';
import { ListsRepository } from './lists.repository';
import type { UsageQuery, UsingFormulaDto } from './usage.dto';

/** The contract's lists with more filters. */
@Injectable()
export class ListsService {
  constructor(
    private readonly formulas: FormulasService,
    private readonly ingredients: IngredientsService,
    private readonly lists: ListsRepository,
    private readonly rowFilters: RowFilterService,
  ) {}

  /** @throws InvalidInputError for a share of no ingredient */
  async listFormulas(user: CurrentUser, query: FormulaFilterQuery) {
    assertIngredientOfShare(query);
    const filter = await this.rowFilters.of(user);
    return this.formulas.list(filter, query, formulaCondition(filter, query));
  }

  async listIngredients(user: CurrentUser, query: IngredientFilterQuery) {
    const filter = await this.rowFilters.of(user);
    const { sortBy, sortOrder } = query;
    return this.ingredients.list(filter, query, {
      condition: ingredientCondition(filter, query),
      order: sortBy && { sortBy, sortOrder },
    });
  }

  /**
   * Formulas that the user may read and that contain an ingredient, by name.
   * @throws NotFoundError where there is no such ingredient that the user may read
   */
  async listUsage(
    user: CurrentUser,
    ingredientId: string,
    { versions, page, limit }: UsageQuery,
  ): Promise<Slice<UsingFormulaDto>> {
    const filter = await this.rowFilters.of(user);
    const { id } = await this.ingredients.get(filter, ingredientId);
    return this.lists.usageOf(filter, id, { page, limit, isCurrentOnly: versions === 'current' });
  }
}

function assertIngredientOfShare(query: FormulaFilterQuery): void {
  if (query.ingredientId !== undefined) return;
  const faults = (['minShare', 'maxShare'] as const)
    .filter((field) => query[field] !== undefined)
    .map((field) => ({ field, message: text('list.share-without-ingredient') }));
  if (faults.length > 0) throw InvalidInputError.of(faults);
}
