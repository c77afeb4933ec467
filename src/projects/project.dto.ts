import { ApiProperty, PartialType, PickType } from '@nestjs/swagger';
import { ResponseType } from '../platform/validation/record-fields';
import { ProjectFields } from './project.fields';

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
