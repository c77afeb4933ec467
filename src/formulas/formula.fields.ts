import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../platform/openapi/example-ids';
import { IntegerField, NumberField, TextField, UuidField } from '../platform/validation/fields';
import { IdField, ShownField, TimestampField } from '../platform/validation/record-fields';

/** Maximum length of the names of formulas and phases. */
export const MAX_NAME = 200;

/** Maximum length of descriptions and notes. */
export const LONG_TEXT = 2000;

/** Maximum number of phases of a composition, and of ingredient lines in all of them together. */
export const COMPOSITION_LIMITS = { phases: 200, lines: 1000 } as const;

export class ProjectReferenceDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '春季护肤' })
  name!: string;
}

export class NamedIngredientDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'International name (INCI)', example: 'Glycerin' })
  inciName!: string;

  @ApiProperty({ example: '甘油' })
  chineseName!: string;
}

/** A formula without its versions. Defines every field once, for requests, responses and statements. */
export class FormulaFields {
  @IdField()
  id!: string;

  @TextField({ max: MAX_NAME, example: '保湿霜' })
  name!: string;

  @TextField({ max: LONG_TEXT, presence: 'optional', example: '清爽型日霜' })
  description?: string | null;

  @UuidField({ presence: 'optional', description: 'An existing project', example: null })
  projectId?: string | null;

  @ShownField({ type: 'integer', minimum: 1, example: 1 })
  currentVersion!: number;

  @IdField({ description: 'The user who created it' })
  createdBy!: string;

  @TimestampField()
  createdAt!: string;

  @TimestampField({ description: 'Moved by metadata and composition updates' })
  updatedAt!: string;

  @ShownField({
    type: ProjectReferenceDto,
    nullable: true,
    description: 'null when it belongs to no project',
  })
  project!: ProjectReferenceDto | null;
}

/**
 * The columns of a formula's own row that clients send, in the order of the answers. Every statement that reads or
 * writes the row uses this list: answers, exports, copies, imports and the trash.
 */
export const FORMULA_COLUMNS = [
  { field: 'name', column: 'name', type: 'text' },
  { field: 'description', column: 'description', type: 'text' },
  { field: 'projectId', column: 'project_id', type: 'uuid' },
] as const;

export type FormulaValues = Required<Pick<FormulaFields, (typeof FORMULA_COLUMNS)[number]['field']>>;

export class PhaseFields {
  @IdField()
  id!: string;

  @IdField({ description: 'The formula version the phase belongs to' })
  formulaId!: string;

  @TextField({ max: MAX_NAME, example: '水相' })
  name!: string;

  @IntegerField({ description: 'Phases are shown in this order', example: 1 })
  sortOrder!: number;
}

export class LineFields {
  @IdField()
  id!: string;

  @UuidField({ description: 'An ingredient of the catalogue', example: EXAMPLE_IDS.ingredient })
  ingredientId!: string;

  @NumberField({ moreThan: 0, max: 100, description: 'Percent of the whole formula', example: 72.5 })
  percentage!: number;

  @TextField({ max: LONG_TEXT, presence: 'optional', example: '搅拌溶解' })
  processNotes?: string | null;

  @ShownField({ type: NamedIngredientDto })
  ingredient!: NamedIngredientDto;
}
