import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { QueryTextField } from '../../platform/validation/query-fields';
import { IngredientNamesDto } from '../composition/ingredient-names.dto';
import { EXPANSION_WORDS, expansionFault } from './expanded-formula';

export class ExpandQuery {
  @QueryTextField({
    max: 100,
    rule: expansionFault,
    description: `What is added to the ingredient of each line: some of ${EXPANSION_WORDS.join(', ')}, separated by commas`,
    example: 'price,unit,category',
  })
  expand?: string;
}

const HIDDEN = 'If `expand` names it. Null where you may not see the ingredient';

class ExpandedIngredientDto extends IngredientNamesDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    required: false,
    description: `${HIDDEN}, or it has no price`,
    example: 12.5,
  })
  unitPrice?: number | null;

  @ApiProperty({ type: String, nullable: true, required: false, description: HIDDEN, example: 'kg' })
  unit?: string | null;

  @ApiProperty({ type: String, nullable: true, required: false, description: HIDDEN, example: 'humectant' })
  functionCategory?: string | null;
}

class ExpandedLineDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  ingredientId!: string;

  @ApiProperty({ description: 'Percent of the whole formula', example: 72.5 })
  percentage!: number;

  @ApiProperty({ type: String, nullable: true, example: '搅拌溶解' })
  processNotes!: string | null;

  @ApiProperty()
  ingredient!: ExpandedIngredientDto;
}

class ExpandedPhaseDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The formula version the phase belongs to' })
  formulaId!: string;

  @ApiProperty({ example: '水相' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  sortOrder!: number;

  @ApiProperty({ type: [ExpandedLineDto] })
  ingredients!: ExpandedLineDto[];
}

/** As the contract's version, whose class belongs to the service. */
class ExpandedVersionDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  versionNumber!: number;

  @ApiProperty({ type: String, nullable: true, example: null })
  description!: string | null;

  @ApiProperty({ allOf: [{ $ref: getSchemaPath('SnapshotDto') }] })
  snapshotData!: object;

  @ApiProperty({ format: 'uuid' })
  createdBy!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: [ExpandedPhaseDto] })
  phases!: ExpandedPhaseDto[];
}

class ExpandedProjectDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '春季护肤' })
  name!: string;
}

/** The contract's formula with more fields in each line's ingredient. */
export class ExpandedFormulaDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '保湿霜' })
  name!: string;

  @ApiProperty({ type: String, nullable: true, example: '清爽型日霜' })
  description!: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: null })
  projectId!: string | null;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  currentVersion!: number;

  @ApiProperty({ format: 'uuid' })
  createdBy!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  updatedAt!: string;

  @ApiProperty({ type: ExpandedProjectDto, nullable: true })
  project!: ExpandedProjectDto | null;

  @ApiProperty({
    type: [ExpandedVersionDto],
    minItems: 1,
    maxItems: 1,
    description: 'The latest version only',
  })
  versions!: ExpandedVersionDto[];
}
