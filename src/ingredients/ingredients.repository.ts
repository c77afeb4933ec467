import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RowFilter } from '../platform/access/row-filter';
import { JsonPage, JsonText } from '../platform/common/json-text';
import { offsetOf } from '../platform/common/pagination';
import { hasTrigram, literal, literalRegex } from '../platform/common/search-pattern';
import { DatabaseService, type Statement } from '../platform/database/database.service';
import { toRecord } from '../platform/database/entity-table';
import type { IngredientDto, IngredientQuery } from './ingredient.dto';
import type { MovedLinesDto } from './names/duplicates/duplicates.dto';
import { IngredientEntity } from './ingredient.entity';
import { IngredientFields } from './ingredient.fields';
import {
  containsSearched,
  FIT,
  type IngredientListing,
  listIngredientsWhere,
  searchedPatterns,
  SHOWN,
} from './ingredient-list.sql';

/** The foreign key of ingredient lines. It is violated if a used ingredient is deleted. */
export const INGREDIENT_IN_USE = 'fk_formula_ingredients_ingredient';

/** Columns of an ingredient that users set. */
export type IngredientValues = Partial<
  Omit<IngredientEntity, 'id' | 'searchKey' | 'inciKey' | 'chineseKey' | 'createdAt'>
>;

/** Number of lines that use an ingredient, and number of those in formulas that the user can read. */
interface Usage {
  readonly count: number;
  readonly shown: number;
}

/** $1 an ingredient. Nobody deletes a formula that uses it until the transaction ends. */
const LOCK_USING_FORMULAS = `
  SELECT count(*) FROM (
    SELECT f.id FROM formulas f WHERE f.id IN (
      SELECT v.formula_id FROM formula_ingredients line JOIN formula_versions v ON v.id = line.formula_version_id
      WHERE line.ingredient_id = $1)
    ORDER BY f.id FOR KEY SHARE) locked`;

@Injectable()
export class IngredientsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Lists ingredients, the newest first. A search orders them by rank first. */
  list(filter: RowFilter, query: IngredientQuery): Promise<JsonPage<IngredientDto>> {
    return query.search ? this.search(filter, query.search, query) : this.listAll(filter, query);
  }

  /** Like `list`, for ingredients that satisfy a condition, or in another order. */
  listWhere(filter: RowFilter, query: IngredientQuery, listing: IngredientListing) {
    const { text, values } = listIngredientsWhere(filter, query, listing);
    return this.page({ text }, values);
  }

  /** Reads the index from the end of the list that is nearer to the page. */
  private listAll(filter: RowFilter, query: IngredientQuery): Promise<JsonPage<IngredientDto>> {
    const { category } = query;
    const readable = filter.for('ingredient', 'i', category ? 4 : 3);
    const where = `WHERE ${category ? 'i.function_category = $3 AND ' : ''}${readable.sql}`;
    const isFiltered = filter.restricts('ingredient');
    const total = isFiltered
      ? `SELECT count(*) FROM ingredients i ${where}`
      : `SELECT coalesce(sum(delta), 0)::bigint FROM record_counts
         WHERE list = 'ingredients' ${category ? 'AND part = $3' : ''}`;
    const text = `
      WITH counted AS MATERIALIZED (SELECT (${total}) AS total)
      SELECT array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
          SELECT ${SHOWN}
          FROM (
            SELECT id FROM (
              (SELECT i.id FROM ingredients i ${where} ORDER BY i.created_at DESC, i.id ASC
               LIMIT (SELECT CASE WHEN 2 * $2::bigint <= total THEN $1::bigint ELSE 0 END FROM counted)
               OFFSET (SELECT $2::bigint))
              UNION ALL
              (SELECT i.id FROM ingredients i ${where} ORDER BY i.created_at ASC, i.id DESC
               LIMIT (SELECT CASE WHEN 2 * $2::bigint <= total THEN 0
                                  ELSE greatest(least($1::bigint, total - $2::bigint), 0) END FROM counted)
               OFFSET (SELECT greatest(total - $2::bigint - $1::bigint, 0) FROM counted))
            ) nearer LIMIT 100) page
          CROSS JOIN LATERAL (SELECT * FROM ingredients WHERE id = page.id LIMIT 1) i
          ORDER BY i.created_at DESC, i.id ASC) shown))::text AS data,
        total FROM counted`;
    return this.page(
      {
        name: filter.named(`ingredients.list${category ? '.category' : ''}`),
        text,
      },
      [query.limit, offsetOf(query), ...(category ? [category] : []), ...readable.values],
    );
  }

  /** The same plan is good for all texts. */
  private search(
    filter: RowFilter,
    search: string,
    query: IngredientQuery,
  ): Promise<JsonPage<IngredientDto>> {
    const { category } = query;
    const readable = filter.for('ingredient', 'i', category ? 6 : 5);
    const isIndexed = hasTrigram(search);
    const text = `
      WITH ${searchedPatterns('$3', '$4')},
      found AS MATERIALIZED (
        SELECT i.id, i.created_at, ${FIT} AS fit
        FROM ingredients i
        WHERE ${category ? 'i.function_category = $5 AND ' : ''}${readable.sql} AND ${containsSearched(search)})
      SELECT array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
          SELECT ${SHOWN}
          FROM (
            SELECT id, fit FROM (
              SELECT id, fit FROM found ORDER BY fit, created_at DESC, id
              LIMIT (SELECT $1::bigint) OFFSET (SELECT $2::bigint)) sorted LIMIT 100) page
          CROSS JOIN LATERAL (SELECT * FROM ingredients WHERE id = page.id LIMIT 1) i
          ORDER BY page.fit, i.created_at DESC, i.id) shown))::text AS data,
        (SELECT count(*) FROM found) AS total`;
    return this.page(
      {
        name: filter.named(`ingredients.search${category ? '.category' : ''}${isIndexed ? '' : '.scan'}`),
        text,
      },
      [
        query.limit,
        offsetOf(query),
        literal(search),
        literalRegex(search),
        ...(category ? [category] : []),
        ...readable.values,
      ],
    );
  }

  private async page(statement: Statement, values: unknown[]): Promise<JsonPage<IngredientDto>> {
    const [found] = await this.database.query<{ data: string; total: number }>(statement, values);
    return new JsonPage<IngredientDto>(new JsonText(found!.data), found!.total);
  }

  findById(filter: RowFilter, id: string): Promise<IngredientDto | undefined> {
    const readable = filter.for('ingredient', 'i', 2);
    const statement = {
      name: filter.named('ingredients.by-id'),
      text: `SELECT ${SHOWN} FROM ingredients i WHERE i.id = ANY ($1::uuid[]) AND ${readable.sql}`,
    };
    return this.database.findById<IngredientDto>(statement, id, readable.values);
  }

  /**
   * Like `findById`, but locks the row against changes and deletion until the transaction ends.
   * @param purpose before a deletion, the lock also blocks new references from formulas
   */
  async findLocked(
    filter: RowFilter,
    id: string,
    purpose: 'change' | 'delete',
  ): Promise<IngredientDto | undefined> {
    const lock = purpose === 'delete' ? 'FOR UPDATE' : 'FOR NO KEY UPDATE';
    await this.database.query(
      { name: `ingredients.lock-to-${purpose}`, text: `SELECT id FROM ingredients WHERE id = $1 ${lock}` },
      [id],
    );
    return this.findById(filter, id);
  }

  /** Returns the ids of the ingredients that can be read. */
  async visibleOf(filter: RowFilter, ids: readonly string[]): Promise<Set<string>> {
    const found = await this.database.query<{ id: string }>(
      ...filter.statement(
        'ingredients.visible',
        [ids],
        (readable) =>
          `SELECT i.id FROM ingredients i WHERE i.id = ANY ($1::uuid[]) AND ${readable('ingredient', 'i')}`,
      ),
    );
    return new Set(found.map(({ id }) => id));
  }

  /** Returns the ids that exist, and locks their rows against changes and deletion until the transaction ends. */
  async lockAll(ids: readonly string[]): Promise<Set<string>> {
    const found = await this.database.query<{ id: string }>(
      {
        name: 'ingredients.lock-all',
        text: 'SELECT id FROM ingredients WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE',
      },
      [ids],
    );
    return new Set(found.map(({ id }) => id));
  }

  /**
   * Returns the ids of ingredients whose INCI name has the same name key, and of the same
   * supplier unless that is null; the oldest first, at most five.
   */
  async duplicatesOf(filter: RowFilter, inciName: string, supplier: string | null): Promise<string[]> {
    const found = await this.database.query<{ id: string }>(
      ...filter.statement(
        'ingredients.duplicates',
        [inciName, supplier],
        (readable) => `
          SELECT i.id FROM ingredients i
          WHERE i.inci_key = name_key($1) AND i.inci_key <> ''
            AND ($2::text IS NULL OR name_key(i.supplier) = name_key($2))
            AND ${readable('ingredient', 'i')}
          ORDER BY i.created_at, i.id LIMIT 5`,
      ),
    );
    return found.map(({ id }) => id);
  }

  create(values: IngredientValues, id?: string): Promise<IngredientDto> {
    return this.database.orm(async (manager) => {
      const ingredient = manager.create(IngredientEntity, { ...values, id });
      await manager.insert(IngredientEntity, ingredient);
      return toRecord<IngredientDto>(IngredientFields, ingredient);
    });
  }

  /**
   * Changes the given columns. Returns undefined if there is no such ingredient. The user gets the
   * result even if the change hides the ingredient from the user.
   */
  async update(filter: RowFilter, id: string, changes: IngredientValues): Promise<IngredientDto | undefined> {
    if (Object.keys(changes).length === 0) return this.findById(filter, id);
    const update = (manager: EntityManager) => manager.update(IngredientEntity, { id }, changes);
    const { affected } = await this.database.orm(update);
    return affected === 0 ? undefined : this.findById(RowFilter.EVERYTHING, id);
  }

  /**
   * Returns false if there is no such ingredient.
   * @throws ConstraintViolation of a foreign key that refers to it
   */
  async delete(id: string): Promise<boolean> {
    const { affected } = await this.database.orm((manager) => manager.delete(IngredientEntity, { id }));
    return affected === 1;
  }

  /**
   * Replaces one ingredient by another in all lines of all versions. Does not change the dates of the versions.
   * Locks their formulas first: a concurrent deletion would copy lines with the ingredient that is merged.
   */
  async moveLines(filter: RowFilter, id: string, into: string): Promise<MovedLinesDto> {
    await this.database.query({ name: 'ingredients.lock-formulas', text: LOCK_USING_FORMULAS }, [id]);
    const [moved] = await this.database.query<MovedLinesDto>(
      ...filter.statement(
        'ingredients.move-lines',
        [id, into],
        (readable) => `
          WITH moved AS (
            UPDATE formula_ingredients SET ingredient_id = $2 WHERE ingredient_id = $1 RETURNING formula_version_id
          )
          SELECT count(*) AS lines, count(DISTINCT v.id) AS versions, count(DISTINCT f.id) AS formulas
          FROM moved JOIN formula_versions v ON v.id = moved.formula_version_id JOIN formulas f ON f.id = v.formula_id
          WHERE ${readable('formula', 'f')}`,
      ),
    );
    return moved!;
  }

  /** Counts the lines of all versions of all formulas that use the ingredient. */
  async usageOf(filter: RowFilter, id: string): Promise<Usage> {
    const [usage] = await this.database.query<Usage>(
      ...filter.statement(
        'ingredients.usage',
        [id],
        (readable) => `
          SELECT count(*) AS count, count(f.id) AS shown
          FROM formula_ingredients l
          JOIN formula_versions v ON v.id = l.formula_version_id
          LEFT JOIN formulas f ON f.id = v.formula_id AND ${readable('formula', 'f')}
          WHERE l.ingredient_id = $1`,
      ),
    );
    return usage!;
  }
}
