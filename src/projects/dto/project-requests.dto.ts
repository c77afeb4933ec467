import { TextField } from '../../common/validation/fields';

const name = { max: 200, trim: true, description: '1 to 200 characters after trimming', example: '春季护肤' };
const description = { max: 2000, presence: 'optional', example: '春季上市的护肤系列' } as const;

export class CreateProjectDto {
  @TextField(name)
  name!: string;

  @TextField(description)
  description?: string | null;
}

/** Fields that are there are changed; a null description clears it. */
export class UpdateProjectDto {
  @TextField({ ...name, presence: 'omittable' })
  name?: string;

  @TextField(description)
  description?: string | null;
}
