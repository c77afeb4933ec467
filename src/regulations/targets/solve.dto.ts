import { ApiProperty, PickType } from '@nestjs/swagger';
import { TextOrNull } from '../../platform/validation/record-fields';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import {
  EnumField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  UuidField,
  UuidListField,
} from '../../platform/validation/fields';
import { FUNCTION_CATEGORIES, type FunctionCategory } from '../../ingredients/function-category';
import { BalanceProposalDto, ProposedPhaseDto } from '../../formulas/costing/balance.dto';
import { CostChangeDto } from '../../formulas/costing/cost.dto';
import { COMPOSITION_LIMITS } from '../../formulas/formula.fields';
import { FromProfile, type ProfileUse } from '../../formulas/profile/profile-defaults';
import type { Problem } from '../../formulas/solver/linear-program';
import { ComparisonDto } from '../../formulas/versions/comparison.dto';
import { ScreeningDto, ScreeningQuery } from '../screening/screening.dto';

/** Most ingredients of a category that are considered. */
export const MAX_CANDIDATES = 100;

class BoundsDto {
  @NumberField({ min: 0, max: 100, presence: 'omittable', description: 'Percent. Default 0', example: 0.2 })
  min?: number;

  @NumberField({ min: 0, max: 100, presence: 'omittable', description: 'Percent. Default 100', example: 6 })
  max?: number;
}

export class IngredientBoundsDto extends BoundsDto {
  @UuidField({ description: 'All its lines together', example: EXAMPLE_IDS.ingredient })
  ingredientId!: string;
}

export class PhaseBoundsDto extends BoundsDto {
  @TextField({ max: 200, description: 'All phases of this name together', example: 'D 后添加' })
  name!: string;
}

export class SubstanceBoundsDto extends BoundsDto {
  @TextField({
    max: 1000,
    description: 'As in `GET /api/ext/substances`, or another INCI name of the substance',
    example: 'phenoxyethanol',
  })
  key!: string;
}

export class AdditionDto extends PickType(BoundsDto, ['max']) {
  @EnumField({ values: FUNCTION_CATEGORIES, description: 'Of the catalogue', example: 'emollient' })
  category!: FunctionCategory;
}

class LimitsDto extends PickType(ScreeningQuery, ['region', 'productType', 'on', 'edition', 'purpose']) {}

export class SolveDto {
  @EnumField({
    values: ['least-cost', 'least-change'],
    description:
      'least-cost: of the formulas that fulfil all wishes the cheapest; of equally cheap ones, the one that changes ' +
      'least. least-change: the smallest sum of the changes of all lines, in percent of the formula; of equal ones, ' +
      'that of the larger lines',
    example: 'least-cost',
  })
  objective!: Problem['objective'];

  @NumberField({
    min: 0,
    presence: 'optional',
    description: 'Most per kg of the product, in the currency of `GET formulas/:id/cost`',
    example: 12.5,
  })
  maxCost?: number | null;

  @ListField({ type: () => IngredientBoundsDto, maxItems: COMPOSITION_LIMITS.lines, presence: 'optional' })
  bounds?: IngredientBoundsDto[] | null;

  @ListField({ type: () => PhaseBoundsDto, maxItems: COMPOSITION_LIMITS.phases, presence: 'optional' })
  phases?: PhaseBoundsDto[] | null;

  @ListField({
    type: () => SubstanceBoundsDto,
    maxItems: 50,
    presence: 'optional',
    description:
      'Limits and contents of actives, through blends. `max` is compared with the highest possible share, `min` with ' +
      'the lowest. A formula without the substance is within every `max`',
  })
  substances?: SubstanceBoundsDto[] | null;

  @ObjectField({
    type: () => LimitsDto,
    presence: 'optional',
    description:
      'Stay within the limits that apply to this product type, in the terms of `GET formulas/{id}/screening` and with its ' +
      'defaults. What is not certain is in the `screening` of the answer',
  })
  screening?: LimitsDto | null;

  @UuidListField({
    maxItems: COMPOSITION_LIMITS.lines,
    presence: 'optional',
    description:
      'Ingredients whose lines stay as they are, each once. No list of wishes may name a thing twice',
    example: [EXAMPLE_IDS.otherIngredient],
  })
  keep?: string[] | null;

  @UuidListField({
    maxItems: COMPOSITION_LIMITS.lines,
    presence: 'optional',
    description: 'Ingredients that are taken out, and that do not come in',
    example: [],
  })
  exclude?: string[] | null;

  @EnumField({
    values: ['free', 'unchanged'],
    presence: 'optional',
    default: 'free',
    description:
      'Ingredients without bounds. free: from 0 to 100 %, so that least-cost may take them out; unchanged: as they are',
    example: 'free',
  })
  others?: 'free' | 'unchanged' | null;

  @ListField({
    type: () => AdditionDto,
    maxItems: FUNCTION_CATEGORIES.length,
    presence: 'optional',
    description:
      'Categories of which ingredients may come in, at most `max` percent together: into the phase with the largest ' +
      `line of the category, else into the last one. Considered are those in \`bounds\`, and the ${MAX_CANDIDATES} with the ` +
      'lowest numbers as `unitPrice` or, without one, as price of the preferred supplier, whatever their units and currencies',
  })
  add?: AdditionDto[] | null;
}

/*
 * Responses
 */

class ConflictDto {
  @TextOrNull('The wish in the request; null for a line that stays as it is, see `notes`', 'bounds.0')
  field!: string | null;

  @ApiProperty({ description: 'In the language of the request', example: '甘油：2%～6%' })
  message!: string;
}

class ChangesDto extends PickType(ComparisonDto, ['phases', 'lines', 'totals']) {}

export class SolutionDto extends PickType(BalanceProposalDto, ['formulaId', 'formulaName', 'versionNumber']) {
  @ApiProperty({
    type: [ProposedPhaseDto],
    nullable: true,
    description:
      'As PUT /api/formulas/{id}/composition takes them; nothing is written here. They make exactly 100 %. null where ' +
      'the wishes exclude each other',
  })
  phases!: ProposedPhaseDto[] | null;

  @ApiProperty({ type: CostChangeDto, nullable: true, description: 'Before and after, at prices of today' })
  cost!: CostChangeDto | null;

  @ApiProperty({ type: ChangesDto, nullable: true, description: 'From the version to the solution' })
  comparison!: ChangesDto | null;

  @FromProfile()
  fromProfile!: ProfileUse[];

  @ApiProperty({
    type: ScreeningDto,
    nullable: true,
    description: 'Of the solution, where the request has `screening`; `versionNumber` is that of the version',
  })
  screening!: ScreeningDto | null;

  @ApiProperty({
    type: [ConflictDto],
    description:
      'Where there is no solution: wishes that exclude each other, given that all lines make 100 %. Without any one of ' +
      'them, the others of this list are possible. Otherwise empty',
  })
  conflict!: ConflictDto[];

  @ApiProperty({
    type: [String],
    description:
      'Which lines stay as they are, because they are hidden from you, have no usable price (least-cost), or may contain ' +
      'more of the substances than is known (substances, screening); and how many ingredients of each category of `add` were considered',
    example: ['角鲨烷 用量不变：没有可用价格'],
  })
  notes!: string[];
}
