import { PageQuery } from '../../common/pagination';
import { IntegerField, ListField, NumberField, TextField, UuidField } from '../../common/validation/fields';
import { QueryEnumField, QueryTextField } from '../../common/validation/query-fields';
import { PERCENTAGE_SUM } from '../percentage-sum';

export const FORMULA_SORTS = ['createdAt', 'updatedAt', 'name'] as const;
export type FormulaSort = (typeof FORMULA_SORTS)[number];

const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

const NAME = 200;
const LONG_TEXT = 2000;

/** Stands for an ingredient's id, which every installation has its own of. */
const EXAMPLE_ID = '3f0c9b1e-5a52-4a0e-9d0c-6f1d2b7a8c41';

const EXAMPLE_PHASES = [
  {
    name: '水相',
    sortOrder: 1,
    ingredients: [
      { ingredientId: EXAMPLE_ID, percentage: 72.5, processNotes: '搅拌溶解' },
      { ingredientId: EXAMPLE_ID, percentage: 5 },
    ],
  },
  { name: '油相', sortOrder: 2, ingredients: [{ ingredientId: EXAMPLE_ID, percentage: 22.5 }] },
];

export class IngredientLineDto {
  @UuidField({ description: 'An ingredient of the catalogue', example: EXAMPLE_ID })
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
    description: `Percentages of all phases together: ${PERCENTAGE_SUM.min} to ${PERCENTAGE_SUM.max}`,
    example: EXAMPLE_PHASES,
  })
  phases!: PhaseDto[];
}

export class CreateFormulaDto extends CompositionDto {
  @TextField({ max: NAME, example: '保湿霜' })
  name!: string;

  @TextField({ max: LONG_TEXT, presence: 'optional', example: '清爽型日霜' })
  description?: string | null;

  @UuidField({ presence: 'optional', description: 'An existing project', example: null })
  projectId?: string | null;
}

/** Fields that are there are changed; a null description clears it. No new version. */
export class UpdateFormulaDto {
  @TextField({ max: NAME, presence: 'omittable', example: '保湿霜' })
  name?: string;

  @TextField({ max: LONG_TEXT, presence: 'optional', example: '清爽型日霜' })
  description?: string | null;
}

export class FormulaQuery extends PageQuery {
  @QueryTextField({
    max: NAME,
    description:
      'Part of name or description, regardless of case; where nothing contains it, typing errors are forgiven',
    example: '保湿',
  })
  search?: string;

  @QueryEnumField({ values: FORMULA_SORTS, default: 'updatedAt' })
  sortBy: FormulaSort = 'updatedAt';

  @QueryEnumField({ values: SORT_ORDERS, default: 'desc' })
  sortOrder: SortOrder = 'desc';
}
