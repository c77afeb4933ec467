import { PageQuery } from '../../common/pagination';
import {
  EnumField,
  NumberField,
  QueryEnumField,
  QueryTextField,
  TextField,
} from '../../common/validation/fields';
import { FUNCTION_CATEGORIES, type FunctionCategory } from '../function-category';
import { INGREDIENT_LIMITS } from '../ingredient-limits';

const category = { values: FUNCTION_CATEGORIES, enumName: 'FunctionCategory' };

export class CreateIngredientDto {
  @TextField({ max: INGREDIENT_LIMITS.name, description: 'International name (INCI)', example: 'Glycerin' })
  inciName!: string;

  @TextField({ max: INGREDIENT_LIMITS.name, example: '甘油' })
  chineseName!: string;

  @EnumField({ ...category, example: 'humectant' })
  functionCategory!: FunctionCategory;

  @TextField({ max: INGREDIENT_LIMITS.name, presence: 'optional', example: '某某化工' })
  supplier?: string | null;

  @TextField({ max: INGREDIENT_LIMITS.unit, presence: 'optional', description: 'Default kg', example: 'kg' })
  unit?: string | null;

  @NumberField({ min: 0, presence: 'optional', description: 'Currency per unit', example: 12.5 })
  unitPrice?: number | null;

  @TextField({ max: INGREDIENT_LIMITS.description, presence: 'optional', example: '植物来源' })
  description?: string | null;
}

/** Fields that are there are changed; null clears an optional one (and sets `unit` back to kg). */
export class UpdateIngredientDto {
  @TextField({
    max: INGREDIENT_LIMITS.name,
    presence: 'omittable',
    description: 'International name (INCI)',
    example: 'Glycerin',
  })
  inciName?: string;

  @TextField({ max: INGREDIENT_LIMITS.name, presence: 'omittable', example: '甘油' })
  chineseName?: string;

  @EnumField({ ...category, presence: 'omittable', example: 'humectant' })
  functionCategory?: FunctionCategory;

  @TextField({ max: INGREDIENT_LIMITS.name, presence: 'optional', example: '某某化工' })
  supplier?: string | null;

  @TextField({ max: INGREDIENT_LIMITS.unit, presence: 'optional', example: 'kg' })
  unit?: string | null;

  @NumberField({ min: 0, presence: 'optional', description: 'Currency per unit', example: 13 })
  unitPrice?: number | null;

  @TextField({ max: INGREDIENT_LIMITS.description, presence: 'optional', example: '植物来源' })
  description?: string | null;
}

export class IngredientQuery extends PageQuery {
  @QueryTextField({
    max: INGREDIENT_LIMITS.name,
    description: 'Part of the INCI or Chinese name, regardless of case',
    example: 'glyc',
  })
  search?: string;

  @QueryEnumField({ ...category, example: 'humectant' })
  category?: FunctionCategory;
}
