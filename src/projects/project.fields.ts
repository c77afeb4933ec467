import { TextField } from '../platform/validation/fields';
import { IdField, TimestampField } from '../platform/validation/record-fields';

/** All fields of a project, each defined once. */
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
