import { EnumField, NumberField, TextField } from '../common/validation/fields';
import { IdField, TimestampField } from '../common/validation/record-fields';
import { FUNCTION_CATEGORIES, type FunctionCategory } from './function-category';

/** An ingredient of the catalogue: every field once, for requests, responses and files. */
export class IngredientFields {
  @IdField()
  id!: string;

  @TextField({ max: 200, description: 'International name (INCI)', example: 'Glycerin' })
  inciName!: string;

  @TextField({ max: 200, example: '甘油' })
  chineseName!: string;

  @EnumField({ values: FUNCTION_CATEGORIES, enumName: 'FunctionCategory', example: 'humectant' })
  functionCategory!: FunctionCategory;

  @TextField({ max: 200, presence: 'optional', example: '某某化工' })
  supplier?: string | null;

  @TextField({ max: 200, presence: 'optional', default: 'kg', description: 'Default kg', example: 'kg' })
  unit?: string | null;

  @NumberField({ min: 0, presence: 'optional', description: 'Currency per unit', example: 12.5 })
  unitPrice?: number | null;

  @TextField({ max: 2000, presence: 'optional', example: '植物来源' })
  description?: string | null;

  @TimestampField()
  createdAt!: string;
}
