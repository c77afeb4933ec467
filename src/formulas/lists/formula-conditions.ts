import type { RowCondition, RowFilter } from '../../platform/access/row-filter';
import { ConditionBuilder } from './condition-builder';
import type { FormulaFilterQuery } from './formula-list.dto';
import { NO_PROJECT, readTime } from './query-rules';

/**
 * The condition on formula `f` that the filters of a query make. What the reader may not see decides nothing: a
 * hidden project is none, and a hidden ingredient is contained in no formula.
 */
export const formulaCondition =
  (filter: RowFilter, query: Partial<FormulaFilterQuery>) =>
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
