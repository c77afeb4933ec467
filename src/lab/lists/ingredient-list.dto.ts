import { QueryEnumField, QueryNumberField, QueryTextField } from '../../common/validation/query-fields';
import { IngredientQuery } from '../../ingredients/ingredient.dto';
import { casFault } from '../raw-materials/registry-numbers';
import { idListFault, MAX_IDS } from './query-rules';

const SORT_ORDERS = ['asc', 'desc'] as const;

const SORTS = ['createdAt', 'inciName', 'chineseName', 'supplier', 'unitPrice'] as const;

/** Which ingredients a list has. Filters hold together. */
export class IngredientFilterQuery extends IngredientQuery {
  @QueryTextField({
    max: MAX_IDS * 40,
    rule: idListFault,
    description: `At most ${MAX_IDS} ids, separated by commas; those that do not exist are left out`,
    example: '3f0c9b1e-5a52-4a0e-9d0c-6f1d2b7a8c41',
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
    example: 10,
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
    rule: casFault,
    description: 'CAS number of the only substance that the ingredient consists of',
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
