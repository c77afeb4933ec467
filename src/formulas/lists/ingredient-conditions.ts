import type { RowCondition, RowFilter } from '../../platform/access/row-filter';
import { idsOf } from '../../platform/validation/id-list';
import { nameKey } from '../../platform/common/name-forms';
import { plainNumber } from '../../ingredients/raw-materials/registry-numbers';
import { ConditionBuilder } from './condition-builder';
import type { IngredientFilterQuery } from './ingredient-list.dto';

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
