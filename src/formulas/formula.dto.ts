import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../platform/openapi/example-ids';
import { PageQuery } from '../platform/common/pagination';
import { type FaultText, text } from '../platform/texts/text';
import { ListField, TextField } from '../platform/validation/fields';
import { QueryEnumField, QueryTextField } from '../platform/validation/query-fields';
import { ResponseType, TextOrNull } from '../platform/validation/record-fields';
import {
  COMPOSITION_LIMITS,
  FormulaFields,
  LineFields,
  LONG_TEXT,
  NamedIngredientDto,
  PhaseFields,
} from './formula.fields';
import { PERCENTAGE_SUM } from './percentage-sum';

/*
 * Requests
 */

const EXAMPLE_PHASES = [
  {
    name: '水相',
    sortOrder: 1,
    ingredients: [
      { ingredientId: EXAMPLE_IDS.ingredient, percentage: 72.5, processNotes: '搅拌溶解' },
      { ingredientId: EXAMPLE_IDS.otherIngredient, percentage: 5 },
    ],
  },
  { name: '油相', sortOrder: 2, ingredients: [{ ingredientId: EXAMPLE_IDS.ingredient, percentage: 22.5 }] },
];

export class IngredientLineDto extends OmitType(LineFields, ['id', 'ingredient']) {}

class PhaseLinesDto {
  @ListField({ type: () => IngredientLineDto, minItems: 1, maxItems: COMPOSITION_LIMITS.lines })
  ingredients!: IngredientLineDto[];
}

// Errors are listed in the order of these types.
export class PhaseDto extends IntersectionType(OmitType(PhaseFields, ['id', 'formulaId']), PhaseLinesDto) {}

/** Checked before the lines are validated, so a phase may be any value. */
function tooManyLines(phases: readonly { ingredients?: unknown }[]): FaultText | undefined {
  let lines = 0;
  for (const { ingredients } of phases) if (Array.isArray(ingredients)) lines += ingredients.length;
  return lines > COMPOSITION_LIMITS.lines
    ? text('formula.too-many-lines', { max: COMPOSITION_LIMITS.lines })
    : undefined;
}

export class CompositionDto {
  @ListField({
    type: () => PhaseDto,
    minItems: 1,
    maxItems: COMPOSITION_LIMITS.phases,
    rule: tooManyLines,
    description:
      `Percentages of all phases together: ${PERCENTAGE_SUM.min} to ${PERCENTAGE_SUM.max}; ` +
      `at most ${COMPOSITION_LIMITS.lines} ingredient lines in all`,
    example: EXAMPLE_PHASES,
  })
  phases!: PhaseDto[];
}

export class RevisionDto extends CompositionDto {
  @TextField({
    max: LONG_TEXT,
    presence: 'optional',
    description: 'Of the version, not of the formula',
    example: '提高甘油用量',
  })
  description?: string | null;
}

const MADE_BY_SERVICE = ['id', 'currentVersion', 'createdBy', 'createdAt', 'updatedAt', 'project'] as const;

class NewFormulaDto extends OmitType(FormulaFields, MADE_BY_SERVICE) {}

export class CreateFormulaDto extends IntersectionType(NewFormulaDto, CompositionDto) {}

/** Present fields are changed; a null description clears it. Does not create a version. */
export class UpdateFormulaDto extends PartialType(OmitType(NewFormulaDto, ['projectId']), {
  skipNullProperties: false,
}) {}

export const FORMULA_SORTS = ['createdAt', 'updatedAt', 'name'] as const;
export type FormulaSort = (typeof FORMULA_SORTS)[number];

export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export class FormulaQuery extends PageQuery {
  @QueryTextField({
    max: 200,
    description:
      'Part of name or description, regardless of case, normal form, width and kind of blank; where nothing contains it, ' +
      'typing errors are forgiven',
    example: '保湿',
  })
  search?: string;

  @QueryEnumField({ values: FORMULA_SORTS, default: 'updatedAt' })
  sortBy: FormulaSort = 'updatedAt';

  @QueryEnumField({ values: SORT_ORDERS, default: 'desc' })
  sortOrder: SortOrder = 'desc';
}

export type FormulaListing = Omit<FormulaQuery, 'search'>;

/*
 * Responses
 */

export class FormulaMetadataDto extends ResponseType(FormulaFields) {}

const LISTED_COLUMNS = [
  'id',
  'name',
  'description',
  'currentVersion',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

export class ListedFormulaDto extends PickType(FormulaMetadataDto, [...LISTED_COLUMNS, 'project']) {}

export class FormulaLineDto extends ResponseType(LineFields) {}

export class FormulaPhaseDto extends ResponseType(PhaseFields) {
  @ApiProperty({ type: [FormulaLineDto] })
  ingredients!: FormulaLineDto[];
}

class SnapshotLineDto extends IntersectionType(
  OmitType(FormulaLineDto, ['id', 'ingredient']),
  OmitType(NamedIngredientDto, ['id']),
) {}

class SnapshotPhaseDto extends OmitType(FormulaPhaseDto, ['id', 'formulaId', 'ingredients']) {
  @ApiProperty({ type: [SnapshotLineDto] })
  ingredients!: SnapshotLineDto[];
}

/** The composition with names as they were at that version. */
class SnapshotDto {
  @ApiProperty({ type: [SnapshotPhaseDto] })
  phases!: SnapshotPhaseDto[];
}

export class FormulaVersionDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  versionNumber!: number;

  @TextOrNull('Why it was made; null where nobody has said', null)
  description!: string | null;

  @ApiProperty()
  snapshotData!: SnapshotDto;

  @ApiProperty({ format: 'uuid' })
  createdBy!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: [FormulaPhaseDto], description: 'By sortOrder, then as sent' })
  phases!: FormulaPhaseDto[];
}

export class FormulaDto extends FormulaMetadataDto {
  @ApiProperty({
    type: [FormulaVersionDto],
    minItems: 1,
    maxItems: 1,
    description: 'The latest version only',
  })
  versions!: FormulaVersionDto[];
}
