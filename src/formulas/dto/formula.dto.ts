import { ApiProperty } from '@nestjs/swagger';

class ProjectReferenceDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '春季护肤' })
  name!: string;
}

const project = {
  type: ProjectReferenceDto,
  nullable: true,
  description: 'null when it belongs to no project',
};
const timestamp = { type: String, format: 'date-time' };

/** A formula in a list. */
export class ListedFormulaDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '保湿霜' })
  name!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  description!: string | null;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  currentVersion!: number;

  @ApiProperty({ format: 'uuid', description: 'The user who created it' })
  createdBy!: string;

  @ApiProperty(timestamp)
  createdAt!: string;

  @ApiProperty({ ...timestamp, description: 'Moved by metadata and composition updates' })
  updatedAt!: string;

  @ApiProperty(project)
  project!: ProjectReferenceDto | null;
}

/** A formula without its versions. */
export class FormulaMetadataDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '保湿霜' })
  name!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  description!: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  projectId!: string | null;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  currentVersion!: number;

  @ApiProperty({ format: 'uuid', description: 'The user who created it' })
  createdBy!: string;

  @ApiProperty(timestamp)
  createdAt!: string;

  @ApiProperty({ ...timestamp, description: 'Moved by metadata and composition updates' })
  updatedAt!: string;

  @ApiProperty(project)
  project!: ProjectReferenceDto | null;
}

class NamedIngredientDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Glycerin' })
  inciName!: string;

  @ApiProperty({ example: '甘油' })
  chineseName!: string;
}

class FormulaLineDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  ingredientId!: string;

  @ApiProperty({ description: 'Percent of the whole formula', example: 72.5 })
  percentage!: number;

  @ApiProperty({ type: String, nullable: true, example: '搅拌溶解' })
  processNotes!: string | null;

  @ApiProperty()
  ingredient!: NamedIngredientDto;
}

class FormulaPhaseDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The formula version the phase belongs to' })
  formulaId!: string;

  @ApiProperty({ example: '水相' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  sortOrder!: number;

  @ApiProperty({ type: [FormulaLineDto] })
  ingredients!: FormulaLineDto[];
}

class SnapshotLineDto {
  @ApiProperty({ format: 'uuid' })
  ingredientId!: string;

  @ApiProperty({ example: 'Glycerin' })
  inciName!: string;

  @ApiProperty({ example: '甘油' })
  chineseName!: string;

  @ApiProperty({ example: 72.5 })
  percentage!: number;

  @ApiProperty({ type: String, nullable: true, example: '搅拌溶解' })
  processNotes!: string | null;
}

class SnapshotPhaseDto {
  @ApiProperty({ example: '水相' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  sortOrder!: number;

  @ApiProperty({ type: [SnapshotLineDto] })
  ingredients!: SnapshotLineDto[];
}

/** The composition with names as they were at that version. */
class SnapshotDto {
  @ApiProperty({ type: [SnapshotPhaseDto] })
  phases!: SnapshotPhaseDto[];
}

class FormulaVersionDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  versionNumber!: number;

  @ApiProperty({ type: String, nullable: true, example: null })
  description!: string | null;

  @ApiProperty()
  snapshotData!: SnapshotDto;

  @ApiProperty({ format: 'uuid' })
  createdBy!: string;

  @ApiProperty(timestamp)
  createdAt!: string;

  @ApiProperty({ type: [FormulaPhaseDto], description: 'By sortOrder, then as sent' })
  phases!: FormulaPhaseDto[];
}

/** A formula with its latest version. */
export class FormulaDto extends FormulaMetadataDto {
  @ApiProperty({
    type: [FormulaVersionDto],
    minItems: 1,
    maxItems: 1,
    description: 'The latest version only',
  })
  versions!: FormulaVersionDto[];
}
