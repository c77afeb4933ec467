import { ApiProperty } from '@nestjs/swagger';
import { NamedIngredientDto } from '../formula.fields';
import type { Composition } from '../composition/composition';

/** The version that is analysed. */
export class AnalysedVersionDto {
  @ApiProperty({ format: 'uuid' })
  formulaId!: string;

  @ApiProperty({ example: '保湿霜' })
  formulaName!: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  versionNumber!: number;

  @ApiProperty({
    description: 'Sum of the percentages as they were entered; 99.5 to 100.5',
    example: 100,
  })
  totalPercentage!: number;
}

/** An ingredient line, as analyses show it. */
export class AnalysedLineDto {
  @ApiProperty({ format: 'uuid', description: 'Of the ingredient line' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  ingredientId!: string;

  @ApiProperty()
  ingredient!: NamedIngredientDto;

  @ApiProperty({ description: 'Percent of the formula as it was entered', example: 5 })
  percentage!: number;
}

export class AnalysedPhaseDto {
  @ApiProperty({ example: '水相' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  sortOrder!: number;

  @ApiProperty({ description: 'Percent of the formula', example: 77.5 })
  percentage!: number;
}

export const versionOf = ({ formulaId, formulaName, versionNumber }: Composition) => ({
  formulaId,
  formulaName,
  versionNumber,
});

export const lineOf = ({ id, ingredientId, ingredient, percentage }: AnalysedLineDto): AnalysedLineDto => ({
  id,
  ingredientId,
  ingredient,
  percentage,
});
