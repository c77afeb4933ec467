import { ApiProperty, PartialType, PickType } from '@nestjs/swagger';
import { IdField, ResponseType, TimestampField } from '../platform/validation/record-fields';
import { TextField } from '../platform/validation/fields';

export class ProjectFields {
  @IdField()
  id!: string;

  @TextField({ max: 200, trim: true, description: '1 to 200 characters after trimming', example: '春季护肤' })
  name!: string;

  @TextField({ max: 2000, presence: 'optional', example: '春季上市的护肤系列' })
  description?: string | null;

  @IdField({ description: 'The user who created it' })
  createdBy!: string;

  @TimestampField()
  createdAt!: string;
}

export class ProjectDto extends ResponseType(ProjectFields) {}

class ProjectCountDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Formulas in the project', example: 3 })
  formulas!: number;
}

export class ListedProjectDto extends ProjectDto {
  @ApiProperty()
  _count!: ProjectCountDto;
}

export class CreateProjectDto extends PickType(ProjectFields, ['name', 'description']) {}

/** Changes the fields that are present; a null description clears it. */
export class UpdateProjectDto extends PartialType(CreateProjectDto, { skipNullProperties: false }) {}
