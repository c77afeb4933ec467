import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { QueryNumberField, QueryTextField } from '../../platform/validation/query-fields';
import { FormulaQuery } from '../formula.dto';
import { IngredientQuery } from '../../ingredients/ingredient.dto';
import { uuidFault } from '../../platform/validation/id-list';
import { NO_PROJECT, projectFault, timeFault } from './query-rules';

const SHARE = { min: 0, max: 100 } as const;

/**
 * Which formulas a list has. Filters hold together; `search` finds among the formulas that they leave, and
 * `category` is of an ingredient that the latest version contains.
 */
export class FormulaFilterQuery extends IntersectionType(
  FormulaQuery,
  PickType(IngredientQuery, ['category']),
) {
  @ApiProperty({ description: 'Of an ingredient that the latest version contains' })
  override category?: IngredientQuery['category'];

  @QueryTextField({
    max: 36,
    rule: projectFault,
    description: `Id of a project; \`${NO_PROJECT}\`: formulas that show none`,
    example: EXAMPLE_IDS.project,
  })
  projectId?: string;

  @QueryTextField({
    max: 36,
    rule: uuidFault,
    description: 'The latest version contains this ingredient',
    example: EXAMPLE_IDS.ingredient,
  })
  ingredientId?: string;

  @QueryNumberField({
    ...SHARE,
    presence: 'omittable',
    description: 'Least percent of `ingredientId`, all its lines of the latest version together',
    example: 1,
  })
  minShare?: number;

  @QueryNumberField({
    ...SHARE,
    presence: 'omittable',
    description: 'Most percent of `ingredientId`, all its lines of the latest version together',
    example: 5,
  })
  maxShare?: number;

  @QueryTextField({
    max: 36,
    rule: uuidFault,
    description: 'Id of the user who created it',
    example: EXAMPLE_IDS.user,
  })
  createdBy?: string;

  @QueryTextField({
    max: 40,
    rule: timeFault,
    description: 'Changed at this time or later: a date (midnight UTC), or a time with its zone',
    example: '2026-01-31T08:00:00Z',
  })
  changedSince?: string;
}
