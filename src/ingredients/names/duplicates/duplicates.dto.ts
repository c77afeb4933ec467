import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../../platform/openapi/example-ids';
import { UuidField } from '../../../platform/validation/fields';
import { CandidateIngredientDto } from '../resolve.dto';

export const DUPLICATE_REASONS = ['inci-and-supplier', 'cas', 'chinese', 'synonym'] as const;
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];

/** Most ingredients that are shown of one group. */
export const MAX_SHOWN = 20;

export class DuplicateGroupDto {
  @ApiProperty({
    enum: DUPLICATE_REASONS,
    enumName: 'DuplicateReason',
    description:
      'inci-and-supplier: the INCI name and the supplier are equal, or both have none; cas: a CAS number is equal, ' +
      'that of a name or of the only substance; chinese: the Chinese name is equal; synonym: a synonym of one is the ' +
      'INCI or Chinese name of another. Names are compared without case, width, blanks and hyphens',
    example: 'chinese',
  })
  reason!: DuplicateReason;

  @ApiProperty({ description: 'The common name or number, as the oldest ingredient has it', example: '甘油' })
  value!: string;

  @ApiProperty({ type: 'integer', description: 'Number of ingredients in the group', example: 2 })
  count!: number;

  @ApiProperty({ type: [CandidateIngredientDto], maxItems: MAX_SHOWN, description: 'The oldest first' })
  ingredients!: CandidateIngredientDto[];
}

export class MergeIngredientDto {
  @UuidField({ description: 'The ingredient that stays', example: EXAMPLE_IDS.otherIngredient })
  into!: string;
}

export class MovedLinesDto {
  @ApiProperty({ type: 'integer', example: 12 })
  lines!: number;

  @ApiProperty({ type: 'integer', description: 'Versions with such lines', example: 9 })
  versions!: number;

  @ApiProperty({ type: 'integer', description: 'Formulas with such versions', example: 4 })
  formulas!: number;
}

export class MergedIngredientDto {
  @ApiProperty({ format: 'uuid', description: 'The deleted ingredient' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'The ingredient that got its lines and names' })
  into!: string;

  @ApiProperty({
    type: MovedLinesDto,
    description: 'Lines of formulas that you may read; the others moved too',
  })
  moved!: MovedLinesDto;
}
