import { OmitType } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import {
  QueryEnumField,
  QueryIntegerField,
  QueryNumberField,
  QueryTextField,
} from '../../platform/validation/query-fields';
import { IngredientQuery } from '../../ingredients/ingredient.dto';
import { IdListField, idsOf } from '../../platform/validation/id-list';
import { casFault, plainNumber } from '../../ingredients/raw-materials/registry-numbers';

const SORT_ORDERS = ['asc', 'desc'] as const;

const SORTS = ['createdAt', 'inciName', 'chineseName', 'supplier', 'unitPrice'] as const;

const DEFAULT_LIMIT = 20;

/** Which ingredients a list has. Filters hold together. */
export class IngredientFilterQuery extends OmitType(IngredientQuery, ['limit']) {
  @QueryIntegerField({
    min: 1,
    max: 100,
    description: `Records per page. Default: ${DEFAULT_LIMIT}; with \`ids\` as many as there are ids`,
    example: DEFAULT_LIMIT,
  })
  limit?: number;

  @IdListField({
    presence: 'omittable',
    description: 'Ids of ingredients',
    example: EXAMPLE_IDS.ingredient,
  })
  ids?: string;

  @QueryTextField({
    max: 200,
    notBlank: true,
    description: 'Part of the supplier, regardless of case, normal form, width and kind of blank',
    example: '化工',
  })
  supplier?: string;

  @QueryNumberField({
    min: 0,
    presence: 'omittable',
    description: 'Least price, per unit of the ingredient: units are not converted',
    example: 5,
  })
  minPrice?: number;

  @QueryNumberField({
    min: 0,
    presence: 'omittable',
    description: 'Greatest price, per unit of the ingredient: units are not converted',
    example: 100,
  })
  maxPrice?: number;

  @QueryTextField({
    max: 20,
    rule: (number) => casFault(plainNumber(number)),
    description: 'CAS number: one of the other names of the ingredient, or that of its only substance',
    example: '56-81-5',
  })
  casNumber?: string;

  @QueryEnumField({
    values: SORTS,
    description:
      'Default: as GET /api/ingredients, by how well a searched name fits, then the newest first. Ingredients without a ' +
      'value come last',
    example: 'inciName',
  })
  sortBy?: (typeof SORTS)[number];

  @QueryEnumField({ values: SORT_ORDERS, default: 'asc', description: 'With `sortBy` only' })
  sortOrder: (typeof SORT_ORDERS)[number] = 'asc';
}

/** The query with its limit. */
export const paged = <Query extends IngredientFilterQuery>(query: Query): Query & { limit: number } => ({
  ...query,
  limit: query.limit ?? (query.ids === undefined ? DEFAULT_LIMIT : idsOf(query.ids).length),
});
