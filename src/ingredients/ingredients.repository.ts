import { Injectable } from '@nestjs/common';
import type { JsonPage } from '../common/json-text';
import type { PageQuery } from '../common/pagination';
import { hasTrigram, literal, literalRegex } from '../common/search-pattern';
import { Conditions } from '../database/conditions';
import { keptCount, type Order } from '../database/counted-pages';
import { Database } from '../database/database';
import { JsonRepository } from '../database/json-repository';
import type { ReadAccess } from '../database/read-access';
import { readable } from '../database/readable';
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
 * What a search asks for.
 * @param text SQL, literal in LIKE
 * @param regex SQL, literal in a regular expression
 */
const asked = (text: string, regex: string): string => `
  SELECT '%' || key || '%' AS anywhere, key || '%' AS first, '%' || ${BETWEEN} || key || '%' AS second,
         key || ${BETWEEN} || '%' AS all_first, '%' || ${BETWEEN} || key AS all_second,
         '(?<![[:alnum:]])' || search_key(${regex}) || '(?![[:alnum:]])' AS word
  FROM (SELECT search_key(${text}) AS key) sought`;

const like = (pattern: string): string => `search_key LIKE (SELECT ${pattern} FROM asked)`;

/**
 * SQL: 0 where the text is a name, INCI or Chinese, 1 where a name begins with it, 2 where it is a whole word
 * of one (no letter or digit beside it), else 3.
 */
const FIT = `CASE
  WHEN ${like('first')} OR ${like('second')}
  THEN CASE WHEN ${like('all_first')} OR ${like('all_second')} THEN 0 ELSE 1 END
  WHEN search_key ~ (SELECT word FROM asked) THEN 2
  ELSE 3 END`;

const USAGE = {
  name: 'ingredients.usage',
  text: 'SELECT count(*) AS count FROM formula_ingredients WHERE ingredient_id = $1',
};

/** The same where some formulas may not be read: lines of those that may are `shown`. */
const READABLE_USAGE = {
  name: 'ingredients.readable-usage',
  text: `SELECT count(*) AS count, count(f.id) AS shown
         FROM formula_ingredients l
         JOIN formula_versions v ON v.id = l.formula_version_id
         LEFT JOIN formulas f ON f.id = v.formula_id AND ${readable.formula('f')}
         WHERE l.ingredient_id = $1`,
};

/** So many duplicates are named: one of them is what a person looks for. */
const MOST_DUPLICATES = 5;

/** $1: INCI name, literal in LIKE; $2: supplier, or null where any will do. */
const DUPLICATES = {
  name: 'ingredients.duplicates',
  text: `WITH asked AS MATERIALIZED (SELECT btrim(search_key($1)) || ${BETWEEN} || '%' AS name)
         SELECT id FROM ingredients
         WHERE search_key LIKE (SELECT name FROM asked)
           AND ($2::text IS NULL OR btrim(search_text(supplier)) = btrim(search_text($2)))
           AND ${readable.ingredient('ingredients')}
         ORDER BY created_at, id LIMIT ${MOST_DUPLICATES}`,
};

/** How many lines use an ingredient, and of how many the caller may read the formula. */
interface Usage {
  readonly count: number;
  readonly shown: number;
}

@Injectable()
export class IngredientsRepository extends JsonRepository<IngredientEntity, IngredientDto> {
  constructor(database: Database) {
    super(database, IngredientEntity, IngredientFields, readable.ingredient);
  }

  /** Whether the caller has a transaction, in which nothing can be asked behind a refused write. */
  get isInTransaction(): boolean {
    return this.database.isInTransaction;
  }

  /** Newest first; what a search finds by how well the name fits first. */
  list(
    access: ReadAccess,
    { search, category, ...page }: IngredientFilter,
  ): Promise<JsonPage<IngredientDto>> {
    const where = new Conditions(this.mayRead);
    if (category) where.and(`function_category = ${where.bind(category)}`);
    const kind = category ? '.category' : '';
    if (search) return this.listFitting(access, search, kind, where, page);
    const name = `ingredients.list${kind}`;
    const total = keptCount('ingredients', category && '$1');
    return this.countedPage(access, 'ingredient', { name, where, order: NEWEST_FIRST, total }, page);
  }

  private listFitting(access: ReadAccess, search: string, kind: string, where: Conditions, page: PageQuery) {
    const regex = literalRegex(search);
    const text = where.bind(literal(search));
    const isIndexed = hasTrigram(search);
    // An expression keeps the index out of it.
    where.and(isIndexed ? like('anywhere') : `search_key || '' LIKE (SELECT anywhere FROM asked)`);
    return this.search(
      access,
      {
        name: `ingredients.search${kind}${isIndexed ? '' : '.scan'}`,
        group: 'searches',
        asked: asked(text, where.bind(regex)),
        where,
        order: [[FIT, 'ASC'], ...NEWEST_FIRST],
      },
      page,
    );
  }

  /** Ids of those of the same INCI name and supplier, as searches compare them; the oldest first. */
  async duplicatesOf(access: ReadAccess, inciName: string, supplier: string | null): Promise<string[]> {
    const values = [literal(inciName), supplier];
    const found = await this.database.query<{ id: string }>(...access.reading(DUPLICATES, values));
    return found.map(({ id }) => id);
  }

  /** Lines of all versions of all formulas that use the ingredient. */
  async usageOf(access: ReadAccess, id: string): Promise<Usage> {
    if (access.restricts('formula')) {
      const [usage] = await this.database.query<Usage>(...access.reading(READABLE_USAGE, [id]));
      return usage!;
    }
    const [usage] = await this.database.query<{ count: number }>(USAGE, [id]);
    const { count } = usage!;
    return { count, shown: count };
  }
}
