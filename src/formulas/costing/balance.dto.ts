import { ApiProperty, OmitType } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { QueryNumberField, QueryTextField } from '../../platform/validation/query-fields';
import { NamedIngredientDto } from '../formula.fields';
import { PERCENTAGE_SUM } from '../percentage-sum';
import { VersionQuery } from '../version-number';
import { AnalysedLineDto, AnalysedVersionDto } from './analysis.fields';

export class BalanceQuery extends VersionQuery {
  @QueryTextField({
    presence: 'required',
    max: 100,
    description: 'Id of the ingredient line that takes up the rest (q.s.), of this version',
    example: EXAMPLE_IDS.line,
  })
  line!: string;

  @QueryNumberField({
    ...PERCENTAGE_SUM,
    default: 100,
    description: 'What the percentages add up to in the proposal',
    example: 100,
  })
  to: number = 100;
}

class BalancedPercentageDto {
  @ApiProperty({ description: 'Percent', example: 72.3 })
  from!: number;

  @ApiProperty({ description: 'Percent', example: 72.5 })
  to!: number;
}

class BalancedLineDto extends OmitType(AnalysedLineDto, ['percentage']) {
  @ApiProperty()
  percentage!: BalancedPercentageDto;
}

class ProposedLineDto {
  @ApiProperty({ format: 'uuid' })
  ingredientId!: string;

  @ApiProperty({ description: 'Its names; a revision ignores them' })
  ingredient!: NamedIngredientDto;

  @ApiProperty({ description: 'Percent of the formula', example: 72.5 })
  percentage!: number;

  @ApiProperty({ type: String, nullable: true, example: '搅拌溶解' })
  processNotes!: string | null;
}

class ProposedPhaseDto {
  @ApiProperty({ example: '水相' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  sortOrder!: number;

  @ApiProperty({ type: [ProposedLineDto] })
  ingredients!: ProposedLineDto[];
}

export class BalanceProposalDto extends OmitType(AnalysedVersionDto, ['totalPercentage']) {
  @ApiProperty({ description: 'Sum of the percentages as entered, and of the proposal' })
  totalPercentage!: BalancedPercentageDto;

  @ApiProperty({ description: 'The line that takes up the rest' })
  line!: BalancedLineDto;

  @ApiProperty({
    type: [ProposedPhaseDto],
    description: 'As PUT /api/formulas/{id}/composition takes them; nothing is written here',
  })
  phases!: ProposedPhaseDto[];
}
