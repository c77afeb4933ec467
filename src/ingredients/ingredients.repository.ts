import { Injectable } from '@nestjs/common';
import { offsetOf, type PageQuery } from '../common/pagination';
import { containing } from '../common/search-pattern';
import { JsonPage, JsonText } from '../common/http/json-text';
import { Database, type Statement } from '../database/database';
import { isoTimestamp, jsonPage } from '../database/json-columns';
import type { IngredientDto } from './dto/ingredient.dto';
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
  supplier, unit, unit_price AS "unitPrice", description, ${isoTimestamp('created_at')} AS "createdAt"`;

// Hot reads are statements whose answer the database writes as JSON: hydrating entities costs more than the read.
const BY_ID: Statement = {
  name: 'ingredients.by-id',
  text: `SELECT id, row_to_json(shown)::text AS json
         FROM (SELECT ${COLUMNS} FROM ingredients WHERE id = ANY ($1::uuid[])) shown`,
};

const CREATE = {
  name: 'ingredients.create',
  text: `WITH created AS (
           INSERT INTO ingredients (inci_name, chinese_name, function_category, supplier, unit, unit_price, description)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           RETURNING *
         )
         SELECT row_to_json(shown)::text AS json FROM (SELECT ${COLUMNS} FROM created) shown`,
};

const USAGE = {
  name: 'ingredients.usage',
  text: 'SELECT count(*) AS count FROM formula_ingredients WHERE ingredient_id = $1',
};

/**
 * One statement text for each combination of filters, so that each has a plan of its own; searches have no name and
 * are planned for their own pattern, because what serves a rare text does not serve a common one.
 */
function listStatement(filter: IngredientFilter): { statement: Statement; values: unknown[] } {
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
  return {
    statement: {
      name: filter.search ? undefined : `ingredients.list${filter.category ? '.category' : ''}`,
      text: jsonPage(
        `SELECT ${COLUMNS} FROM ingredients ${where} ORDER BY created_at DESC, id
         LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
        `SELECT count(*) FROM ingredients ${where}`,
      ),
    },
    values: [...values, filter.limit, offsetOf(filter)],
  };
}

@Injectable()
export class IngredientsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(filter: IngredientFilter): Promise<JsonPage<IngredientDto>> {
    const { statement, values } = listStatement(filter);
    const [found] = await this.database.query<{ data: string; total: number }>(statement, values);
    return new JsonPage<IngredientDto>(new JsonText(found!.data), found!.total);
  }

  async findById(id: string): Promise<JsonText<IngredientDto> | undefined> {
    const row = await this.database.findById<{ id: string; json: string }>(BY_ID, id);
    return row && new JsonText(row.json);
  }

  async create(ingredient: NewIngredient): Promise<JsonText<IngredientDto>> {
    const [row] = await this.database.query<{ json: string }>(CREATE, [
      ingredient.inciName,
      ingredient.chineseName,
      ingredient.functionCategory,
      ingredient.supplier,
      ingredient.unit,
      ingredient.unitPrice,
      ingredient.description,
    ]);
    return new JsonText(row!.json);
  }

  /** Changes the given columns; nothing when there is no such ingredient. */
  async update(id: string, changes: Partial<NewIngredient>): Promise<JsonText<IngredientDto> | undefined> {
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
