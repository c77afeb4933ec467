import { ApiProperty } from '@nestjs/swagger';
import { ErrorDto } from '../../common/openapi/responses';
import { FUNCTION_CATEGORIES, type FunctionCategory } from '../function-category';

/** An ingredient of the catalogue. */
export class IngredientDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'International name (INCI)', example: 'Glycerin' })
  inciName!: string;

  @ApiProperty({ example: '甘油' })
  chineseName!: string;

  @ApiProperty({ enum: FUNCTION_CATEGORIES, enumName: 'FunctionCategory', example: 'humectant' })
  functionCategory!: FunctionCategory;

  @ApiProperty({ type: String, nullable: true, example: null })
  supplier!: string | null;

  @ApiProperty({ example: 'kg' })
  unit!: string;

  @ApiProperty({ type: Number, nullable: true, minimum: 0, description: 'Currency per unit', example: 12.5 })
  unitPrice!: number | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  description!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;
}

/** The refusal to delete an ingredient that formulas use. */
export class IngredientInUseDto extends ErrorDto {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Lines of all versions of all formulas',
    example: 3,
  })
  usageCount!: number;
}
