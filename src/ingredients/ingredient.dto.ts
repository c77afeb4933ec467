import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { ErrorDto } from '../platform/openapi/responses';
import { PageQuery } from '../platform/common/pagination';
import { QueryEnumField, QueryTextField } from '../platform/validation/query-fields';
import { ResponseType } from '../platform/validation/record-fields';
import { FUNCTION_CATEGORIES, type FunctionCategory } from './function-category';
import { IngredientFields } from './ingredient.fields';

/** An ingredient of the catalogue. */
export class IngredientDto extends ResponseType(IngredientFields) {}

export class CreateIngredientDto extends OmitType(IngredientFields, ['id', 'createdAt']) {}

/** Present fields are changed; null clears an optional field (and resets `unit` to kg). */
export class UpdateIngredientDto extends PartialType(CreateIngredientDto, { skipNullProperties: false }) {}

export class IngredientQuery extends PageQuery {
  @QueryTextField({
    max: 200,
    description: 'Part of the INCI or Chinese name, regardless of case, normal form, width and kind of blank',
    example: 'glyc',
  })
  search?: string;

  @QueryEnumField({ values: FUNCTION_CATEGORIES, enumName: 'FunctionCategory', example: 'humectant' })
  category?: FunctionCategory;
}

/** The error for deleting an ingredient that formulas use. */
export class IngredientInUseDto extends ErrorDto {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Lines of all versions of all formulas',
    example: 3,
  })
  usageCount!: number;
}
