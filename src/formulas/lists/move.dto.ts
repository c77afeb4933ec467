import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { UuidField, UuidListField } from '../../platform/validation/fields';
import { MAX_IDS } from '../../platform/validation/id-list';

export class MoveFormulasDto {
  @UuidListField({
    minItems: 1,
    maxItems: MAX_IDS,
    description: 'Formulas, all of which you may change',
    example: [EXAMPLE_IDS.formula],
  })
  ids!: string[];

  @ApiProperty({ required: true })
  @UuidField({
    presence: 'optional',
    description: 'A project; null takes the formulas out of theirs. It must be there',
    example: EXAMPLE_IDS.project,
  })
  projectId?: string | null;
}

export class MovedFormulasDto {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The project that all formulas are in now',
    example: null,
  })
  projectId!: string | null;

  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'Formulas that were elsewhere before, in the order sent; the others stayed as they were',
  })
  moved!: string[];
}
