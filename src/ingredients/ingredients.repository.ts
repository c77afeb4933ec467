import { Injectable } from '@nestjs/common';
import type { JsonPage } from '../common/json-text';
import type { PageQuery } from '../common/pagination';
import { literal, literalRegex } from '../common/search-pattern';
import { Conditions } from '../database/conditions';
import { keptCount, type Order } from '../database/counted-pages';
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

const NEWEST_FIRST: Order = [
  ['created_at', 'DESC'],
  ['id', 'ASC'],
];

/** Between the names in a search key. */
const BETWEEN = `U&'\\001F'`;

/**
 * SQL: 0 where the text is a name, INCI or Chinese, 1 where a name begins with it, 2 where it is a whole word
 * of one (no letter or digit beside it), else 3.
 * @param text parameter, literal in LIKE
 * @param regex parameter, literal in a regular expression
 */
const fit = (text: string, regex: string): string => `CASE
  WHEN search_key LIKE search_key(${text}) || '%'
    OR search_key LIKE '%' || ${BETWEEN} || search_key(${text}) || '%'
  THEN CASE
    WHEN search_key LIKE search_key(${text}) || ${BETWEEN} || '%'
      OR search_key LIKE '%' || ${BETWEEN} || search_key(${text}) THEN 0
    ELSE 1 END
  WHEN search_key ~ ('(?<![[:alnum:]])' || search_key(${regex}) || '(?![[:alnum:]])') THEN 2
  ELSE 3 END`;

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
   * Newest first; what a search finds by how well the name fits first. Searches have no name and are planned
   * for their own text, because what serves a rare one does not serve a common one.
   */
  list({ search, category, ...page }: IngredientFilter): Promise<JsonPage<IngredientDto>> {
    const where = new Conditions().and(category, (wanted) => `function_category = ${wanted}`);
    if (search) {
      where.and(literal(search), (text) => `search_key LIKE search_key('%' || ${text} || '%')`);
      const text = `$${where.values.length}`;
      const regex = `$${where.values.push(literalRegex(search))}`;
      return this.page({ where, order: [[fit(text, regex), 'ASC'], ...NEWEST_FIRST] }, page);
    }
    const list = { where, order: NEWEST_FIRST };
    return category
      ? this.countedPage(
          { ...list, name: 'ingredients.list.category', total: keptCount('ingredients', '$1') },
          page,
        )
      : this.countedPage({ ...list, name: 'ingredients.list', total: keptCount('ingredients') }, page);
  }

  /** Lines of all versions of all formulas that use the ingredient. */
  async countUsages(id: string): Promise<number> {
    const [usage] = await this.database.query<{ count: number }>(USAGE, [id]);
    return usage?.count ?? 0;
  }
}
