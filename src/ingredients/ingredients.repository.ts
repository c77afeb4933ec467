import { Injectable } from '@nestjs/common';
import { offsetOf, type PageQuery } from '../common/pagination';
import { containing } from '../common/search-pattern';
import type { Slice } from '../common/http/envelope';
import { Database } from '../database/database';
import type { FunctionCategory } from './function-category';
import { IngredientEntity } from './ingredient.entity';

/** The foreign key of ingredient lines: it decides whether an ingredient is used. */
export const INGREDIENT_IN_USE = 'fk_formula_ingredients_ingredient';

export interface IngredientFilter extends PageQuery {
  search?: string;
  category?: FunctionCategory;
}

export type NewIngredient = Omit<IngredientEntity, 'id' | 'createdAt' | 'searchKey'>;

const COLUMNS = `id, inci_name AS "inciName", chinese_name AS "chineseName", function_category AS "functionCategory",
  supplier, unit, unit_price AS "unitPrice", description, created_at AS "createdAt"`;

// Hot reads are prepared statements: hydrating entities costs more than the read itself.
const BY_ID = { name: 'ingredients.by-id', text: `SELECT ${COLUMNS} FROM ingredients WHERE id = $1` };

const USAGE = {
  name: 'ingredients.usage',
  text: 'SELECT count(*) AS count FROM formula_ingredients WHERE ingredient_id = $1',
};

/**
 * One statement text for each combination of filters, so that each has a plan of its own; searches have no name and
 * are planned for their own pattern, because what serves a rare text does not serve a common one.
 */
function listStatements(filter: IngredientFilter) {
  const conditions: string[] = [];
  const values: unknown[] = [];
  if (filter.category) {
    values.push(filter.category);
    conditions.push(`function_category = $${values.length}`);
  }
  if (filter.search) {
    values.push(containing(filter.search));
    conditions.push(`search_key LIKE search_key($${values.length})`);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const named = (part: string) =>
    filter.search ? undefined : `ingredients.${part}${filter.category ? '.category' : ''}`;
  return {
    values,
    rows: {
      name: named('list'),
      text: `SELECT ${COLUMNS} FROM ingredients ${where} ORDER BY created_at DESC, id
             LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    },
    count: { name: named('count'), text: `SELECT count(*) AS total FROM ingredients ${where}` },
  };
}

@Injectable()
export class IngredientsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(filter: IngredientFilter): Promise<Slice<IngredientEntity>> {
    const { rows, count, values } = listStatements(filter);
    const [found, totals] = await Promise.all([
      this.database.query<IngredientEntity>(rows, [...values, filter.limit, offsetOf(filter)]),
      this.database.query<{ total: number }>(count, values),
    ]);
    return { rows: found, total: totals[0]?.total ?? 0 };
  }

  async findById(id: string): Promise<IngredientEntity | undefined> {
    const [ingredient] = await this.database.query<IngredientEntity>(BY_ID, [id]);
    return ingredient;
  }

  create(ingredient: NewIngredient): Promise<IngredientEntity> {
    return this.database.orm((manager) =>
      manager.save(manager.create(IngredientEntity, ingredient), { transaction: false }),
    );
  }

  /** Changes the given columns; nothing when there is no such ingredient. */
  async update(id: string, changes: Partial<NewIngredient>): Promise<IngredientEntity | undefined> {
    if (Object.keys(changes).length > 0) {
      await this.database.orm((manager) => manager.update(IngredientEntity, { id }, changes));
    }
    return this.findById(id);
  }

  /**
   * False when there is no such ingredient.
   * @throws ConstraintViolation `fk_formula_ingredients_ingredient` while a line uses it
   */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.database.orm((manager) => manager.delete(IngredientEntity, { id }));
    return affected === 1;
  }

  /** Lines of all versions of all formulas that use the ingredient. */
  async countUsages(id: string): Promise<number> {
    const [usage] = await this.database.query<{ count: number }>(USAGE, [id]);
    return usage?.count ?? 0;
  }
}
