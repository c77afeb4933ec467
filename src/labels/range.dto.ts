import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { NumberOrNull, TextOrNull } from '../platform/validation/record-fields';
import { EXAMPLE_IDS } from '../platform/openapi/example-ids';
import { QueryTextField } from '../platform/validation/query-fields';
import { idListFault, uuidFault } from '../platform/validation/id-list';
import {
  DeclarationDto,
  DeclarationEntryDto,
  DeclarationProblemDto,
  DeclarationQuery,
} from './declaration.dto';

/** Most formulas of a range. */
export const MAX_SHADES = 50;

export class RangeQuery extends OmitType(DeclarationQuery, ['version']) {
  @QueryTextField({
    max: 2000,
    rule: (list) => idListFault(list, MAX_SHADES),
    description: `Ids of 2 to ${MAX_SHADES} formulas, separated by commas`,
  })
  formulas?: string;

  @QueryTextField({
    max: 36,
    rule: uuidFault,
    description: 'Instead of `formulas`: all formulas of the project that you may read',
    example: EXAMPLE_IDS.project,
  })
  projectId?: string;
}

class ShadeShareDto extends PickType(DeclarationDto, ['formulaId', 'formulaName']) {
  @NumberOrNull('Percent of the formula; null: not in it', 2)
  percentage!: number | null;
}

class ShadeDto extends PickType(DeclarationDto, ['formulaId', 'formulaName', 'versionNumber', 'isComplete']) {
  @ApiProperty({ type: [String], description: 'Its colorants, as the label has them', example: ['CI 77491'] })
  colorants!: string[];
}

class RangeEntryDto extends PickType(DeclarationEntryDto, ['position', 'name', 'inciName', 'group']) {
  @ApiProperty({ description: 'Percent: the least share in a formula that contains it', example: 2 })
  minPercentage!: number;

  @ApiProperty({ description: 'Percent: the largest share in a formula', example: 2.5 })
  maxPercentage!: number;
}

const RANGE_DIFFERENCES = ['not-in-all', 'order', 'trace'] as const;

export class RangeDifferenceDto extends PickType(DeclarationEntryDto, ['name', 'inciName']) {
  @ApiProperty({
    enum: RANGE_DIFFERENCES,
    description:
      'not-in-all: some formulas lack it; order: no order of the list is right for all formulas; trace: it is above ' +
      '0.1 percent in some formulas only (China)',
  })
  kind!: (typeof RANGE_DIFFERENCES)[number];

  @ApiProperty({ type: [ShadeShareDto], description: 'Its share in each formula' })
  shares!: ShadeShareDto[];
}

class RangeProblemDto extends PickType(DeclarationProblemDto, [
  'code',
  'message',
  'inciName',
  'alternatives',
]) {
  @ApiProperty({ type: [String], description: 'Names of the formulas that have it' })
  formulas!: string[];
}

export class RangeDeclarationDto extends PickType(DeclarationDto, [
  'region',
  'productType',
  'fromProfile',
  'heading',
  'isComplete',
  'closing',
]) {
  @TextOrNull(
    'The list as the label of every shade would have it; null if the formulas differ in more than colorants',
    'Ingredients: Aqua, Glycerin, Phenoxyethanol, [+/- CI 77491, CI 77492]',
  )
  text!: string | null;

  @ApiProperty({ type: [ShadeDto], description: 'The formulas of the range' })
  formulas!: ShadeDto[];

  @ApiProperty({ type: [RangeEntryDto], description: 'In the order of the label; none if there is no label' })
  entries!: RangeEntryDto[];

  @ApiProperty({ type: [RangeDifferenceDto], description: 'Why there is no label; at most 100' })
  differences!: RangeDifferenceDto[];

  @ApiProperty({
    type: [RangeProblemDto],
    description: 'Questions that a person has to settle, of all formulas',
  })
  problems!: RangeProblemDto[];
}
