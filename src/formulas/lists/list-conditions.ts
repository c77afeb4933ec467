import type { RowCondition, RowFilter } from '../../platform/access/row-filter';
import { type FormulaFilterQuery, type IngredientFilterQuery, NO_PROJECT, readTime } from './lists.dto';
import { idsOf } from '../../platform/validation/id-list';
import { nameKey } from '../../platform/common/name-forms';
import { plainNumber } from '../../ingredients/raw-materials/registry-numbers';

/** Builds a condition of parts joined by AND, and the values of their parameters. */
class ConditionBuilder {
  private readonly parts: string[] = [];
  private readonly values: unknown[] = [];

  /** @param firstParameter number of the first parameter, after those of the statement itself */
  constructor(
    private readonly filter: RowFilter,
    private readonly firstParameter: number,
  ) {}

  /** Adds a value and returns its parameter. */
  bind(value: unknown): string {
    return `$${this.firstParameter + this.values.push(value) - 1}`;
  }

  /** Returns a condition that is true if the reader may see the row. */
  readable(kind: 'ingredient' | 'project', row: string): string {
    const { sql, values } = this.filter.for(kind, row, this.firstParameter + this.values.length);
    this.values.push(...values);
    return sql;
  }

  where<Value>(value: Value | undefined, part: (value: Value) => string): this {
    if (value !== undefined) this.parts.push(part(value));
    return this;
  }

  build(): RowCondition {
    return { sql: this.parts.length > 0 ? `(${this.parts.join(' AND ')})` : '(true)', values: this.values };
  }
}

/**
 * The condition on formula `f` that the filters of a query make. What the reader may not see decides nothing: a
 * hidden project is none, and a hidden ingredient is contained in no formula.
 * @param rawMaterials those with the substance of the query, which the reader may see
 */
export const formulaCondition =
  (filter: RowFilter, query: Partial<FormulaFilterQuery>, rawMaterials?: readonly string[]) =>
  (f: string, firstParameter: number): RowCondition => {
    const builder = new ConditionBuilder(filter, firstParameter);
    return builder
      .where(query.projectId, (id) => inProject(builder, f, id))
      .where(query.createdBy, (id) => `${f}.created_by = ${builder.bind(id)}::uuid`)
      .where(
        query.changedSince,
        (time) =>
          `${f}.updated_at >= to_timestamp(${builder.bind(Date.parse(readTime(time)) / 1000)}::double precision)`,
      )
      .where(query.category, (category) => containsCategory(builder, f, category))
      .where(query.ingredientId, (id) => containsIngredient(builder, f, id, query))
      .where(rawMaterials, (ids) => containsOneOf(builder, f, ids))
      .where(query.productType, (type) => hasProfile(f, `->> 'productType' = ${builder.bind(type)}`))
      .where(query.market, (market) =>
        hasProfile(f, `-> 'markets' ? ${builder.bind(market.trim().toLowerCase())}`),
      )
      .build();
  };

function inProject(builder: ConditionBuilder, f: string, id: string): string {
  const project = `SELECT FROM projects p WHERE p.id = ${f}.project_id AND ${builder.readable('project', 'p')}`;
  return id === NO_PROJECT
    ? `(${f}.project_id IS NULL OR NOT EXISTS (${project}))`
    : `(${f}.project_id = ${builder.bind(id)}::uuid AND EXISTS (${project}))`;
}

/** Lines with their versions and with the ingredients that the reader may see. */
const visibleLines = (builder: ConditionBuilder): string => `
  formula_versions v
  JOIN formula_ingredients line ON line.formula_version_id = v.id
  JOIN ingredients i ON i.id = line.ingredient_id AND ${builder.readable('ingredient', 'i')}`;

const containsCategory = (builder: ConditionBuilder, f: string, category: string): string => `
  EXISTS (
    SELECT FROM ${visibleLines(builder)}
    WHERE v.formula_id = ${f}.id AND v.version_number = ${f}.current_version
      AND i.function_category = ${builder.bind(category)})`;

const containsIngredient = (
  builder: ConditionBuilder,
  f: string,
  id: string,
  { minShare, maxShare }: Partial<FormulaFilterQuery>,
): string => `
  (${f}.id, ${f}.current_version) IN (
    SELECT v.formula_id, v.version_number FROM ${visibleLines(builder)}
    WHERE line.ingredient_id = ${builder.bind(id)}::uuid
    GROUP BY v.formula_id, v.version_number
    HAVING sum(line.percentage) BETWEEN ${builder.bind(minShare ?? 0)}::numeric
      AND ${builder.bind(maxShare ?? 'Infinity')}::numeric)`;

const containsOneOf = (builder: ConditionBuilder, f: string, ids: readonly string[]): string => `
  (${f}.id, ${f}.current_version) IN (
    SELECT v.formula_id, v.version_number FROM ${visibleLines(builder)}
    WHERE line.ingredient_id = ANY (${builder.bind(ids)}::uuid[]))`;

const hasProfile = (f: string, condition: string): string =>
  `EXISTS (SELECT FROM formula_profiles stored WHERE stored.formula_id = ${f}.id AND stored.profile ${condition})`;

/** Returns the condition on ingredient `i` for the filters of a query. */
export const ingredientCondition =
  (filter: RowFilter, query: IngredientFilterQuery) =>
  (i: string, firstParameter: number): RowCondition => {
    const builder = new ConditionBuilder(filter, firstParameter);
    return builder
      .where(query.ids, (ids) => `${i}.id = ANY (${builder.bind(idsOf(ids))}::uuid[])`)
      .where(query.supplier, (part) => `${i}.supplier = ANY (${suppliersContaining(builder, part)})`)
      .where(query.minPrice, (price) => `${i}.unit_price >= ${builder.bind(price)}::numeric`)
      .where(query.maxPrice, (price) => `${i}.unit_price <= ${builder.bind(price)}::numeric`)
      .where(query.casNumber && plainNumber(query.casNumber), (number) =>
        hasCasNumber(i, builder.bind(number), builder.bind(nameKey(number))),
      )
      .build();
  };

/** Finds names of suppliers that contain a text. Compares each name once, not once for every ingredient. */
const suppliersContaining = (builder: ConditionBuilder, part: string): string => `
  ARRAY(
    SELECT supplier
    FROM (SELECT DISTINCT i.supplier FROM ingredients i WHERE ${builder.readable('ingredient', 'i')}) known
    WHERE strpos(search_text(supplier), btrim(search_text(${builder.bind(part)}))) > 0)`;

/** True if the number is a CAS number of the ingredient: among its other names, or that of its only substance. */
const hasCasNumber = (i: string, number: string, key: string): string => `
  (EXISTS (
    SELECT FROM ingredient_names n
    WHERE n.ingredient_id = ${i}.id AND n.kind = 'cas' AND n.key = ${key} COLLATE "C")
  OR EXISTS (
    SELECT FROM ingredient_substances s
    WHERE s.ingredient_id = ${i}.id AND s.cas_number = ${number} AND NOT EXISTS (
      SELECT FROM ingredient_substances another
      WHERE another.ingredient_id = ${i}.id AND another.position <> s.position)))`;
