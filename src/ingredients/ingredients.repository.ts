import { Injectable } from '@nestjs/common';
import type { JsonPage } from '../common/json-text';
import type { PageQuery } from '../common/pagination';
import { containing } from '../common/search-pattern';
import { Conditions } from '../database/conditions';
import { Database } from '../database/database';
import { JsonRepository } from '../database/json-repository';
import type { FunctionCategory } from './function-category';
import type { IngredientDto } from './ingredient.dto';
import { IngredientEntity } from './ingredient.entity';
import { IngredientFields } from './ingredient.fields';

/** The foreign key of ingredient lines: it decides whether an ingredient is used. */
export const INGREDIENT_IN_USE = 'fk_formula_ingredients_ingredient';

export interface IngredientFilter extends PageQuery {
  search?: string;
  category?: FunctionCategory;
}

const USAGE = {
  name: 'ingredients.usage',
  text: 'SELECT count(*) AS count FROM formula_ingredients WHERE ingredient_id = $1',
};

@Injectable()
export class IngredientsRepository extends JsonRepository<IngredientEntity, IngredientDto> {
  constructor(database: Database) {
    super(database, IngredientEntity, IngredientFields);
  }

  /**
   * Newest first. Searches have no name and are planned for their own pattern, because what serves a rare
   * text does not serve a common one.
   */
  list(filter: IngredientFilter): Promise<JsonPage<IngredientDto>> {
    const where = new Conditions()
      .and(filter.category, (category) => `function_category = ${category}`)
      .and(
        filter.search ? containing(filter.search) : undefined,
        (pattern) => `search_key LIKE search_key(${pattern})`,
      );
    const name = filter.search ? undefined : `ingredients.list${filter.category ? '.category' : ''}`;
    return this.page({ name, where, order: 'created_at DESC, id' }, filter);
  }

  /** Lines of all versions of all formulas that use the ingredient. */
  async countUsages(id: string): Promise<number> {
    const [usage] = await this.database.query<{ count: number }>(USAGE, [id]);
    return usage?.count ?? 0;
  }
}
