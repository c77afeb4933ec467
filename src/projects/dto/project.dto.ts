import { ApiProperty } from '@nestjs/swagger';

export class ProjectDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '春季护肤' })
  name!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  description!: string | null;

  @ApiProperty({ format: 'uuid', description: 'The user who created it' })
  createdBy!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;
}

class ProjectCountDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Formulas in the project', example: 3 })
  formulas!: number;
}

export class ListedProjectDto extends ProjectDto {
  @ApiProperty()
  _count!: ProjectCountDto;
}
