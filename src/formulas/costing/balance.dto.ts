import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { QueryNumberField, QueryTextField } from '../../platform/validation/query-fields';
import { FormulaLineDto, FormulaPhaseDto } from '../formula.dto';
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
    description: 'Sum of the percentages in the proposal',
    example: 100,
  })
  to: number = 100;
}

export class PercentagesDto {
  @ApiProperty({ description: 'Percent', example: 72.3 })
  from!: number;

  @ApiProperty({ description: 'Percent', example: 72.5 })
  to!: number;
}

export class BalancedLineDto extends OmitType(AnalysedLineDto, ['percentage']) {
  @ApiProperty()
  percentage!: PercentagesDto;
}

class ProposedLineDto extends OmitType(FormulaLineDto, ['id']) {}

export class ProposedPhaseDto extends PickType(FormulaPhaseDto, ['name', 'sortOrder']) {
  @ApiProperty({ type: [ProposedLineDto], description: 'A revision ignores the names of their ingredients' })
  ingredients!: ProposedLineDto[];
}

export class BalanceProposalDto extends OmitType(AnalysedVersionDto, ['totalPercentage']) {
  @ApiProperty({ description: 'Sum of the percentages as entered, and of the proposal' })
  totalPercentage!: PercentagesDto;

  @ApiProperty({ description: 'The line that takes up the rest' })
  line!: BalancedLineDto;

  @ApiProperty({
    type: [ProposedPhaseDto],
    description: 'As PUT /api/formulas/{id}/composition takes them; nothing is written here',
  })
  phases!: ProposedPhaseDto[];
}
