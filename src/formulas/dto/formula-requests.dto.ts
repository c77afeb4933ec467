import { PageQuery } from '../../common/pagination';
import {
  IntegerField,
  ListField,
  NumberField,
  QueryEnumField,
  QueryTextField,
  TextField,
  UuidField,
} from '../../common/validation/fields';
import type { FormulaSort, SortOrder } from '../formulas.repository';

const NAME = 200;
const LONG_TEXT = 2000;

export class IngredientLineDto {
  @UuidField()
  ingredientId!: string;

  @NumberField({ moreThan: 0, max: 100, description: 'Percent of the whole formula', example: 72.5 })
  percentage!: number;

  @TextField({ max: LONG_TEXT, presence: 'optional', example: '搅拌溶解' })
  processNotes?: string | null;
}

export class PhaseDto {
  @TextField({ max: NAME, example: '水相' })
  name!: string;

  @IntegerField({ description: 'Phases are shown in this order', example: 1 })
  sortOrder!: number;

  @ListField({ type: () => IngredientLineDto, min: 1 })
  ingredients!: IngredientLineDto[];
}

export class CompositionDto {
  @ListField({
    type: () => PhaseDto,
    min: 1,
    description: 'Percentages of all phases together: 99.5 to 100.5',
  })
  phases!: PhaseDto[];
}

export class CreateFormulaDto extends CompositionDto {
  @TextField({ max: NAME, example: '保湿霜' })
  name!: string;

  @TextField({ max: LONG_TEXT, presence: 'optional' })
  description?: string | null;

  @UuidField({ presence: 'optional' })
  projectId?: string | null;
}

/** Fields that are there are changed; a null description clears it. No new version. */
export class UpdateFormulaDto {
  @TextField({ max: NAME, presence: 'omittable', example: '保湿霜' })
  name?: string;

  @TextField({ max: LONG_TEXT, presence: 'optional' })
  description?: string | null;
}

export class FormulaQuery extends PageQuery {
  @QueryTextField({
    max: NAME,
    description:
      'Part of name or description, regardless of case; where nothing contains it, typing errors are forgiven',
  })
  search?: string;

  @QueryEnumField({ values: ['createdAt', 'updatedAt', 'name'], default: 'updatedAt' })
  sortBy: FormulaSort = 'updatedAt';

  @QueryEnumField({ values: ['asc', 'desc'], default: 'desc' })
  sortOrder: SortOrder = 'desc';
}
