import { ApiProperty } from '@nestjs/swagger';
import { IntegerField, TextField, UuidField } from '../../platform/validation/fields';
import { LONG_TEXT, MAX_NAME } from '../formula.fields';
import { MAX_VERSION_NUMBER } from '../version-number';
import { AccountNameDto } from '../../users/people/people.dto';

/*
 * Requests
 */

export class DescribeVersionDto {
  @TextField({
    max: LONG_TEXT,
    presence: 'optional',
    description: 'Why the version was made; null clears it',
    example: '提高甘油用量',
  })
  description?: string | null;
}

export class RestoreVersionDto {
  @TextField({
    max: LONG_TEXT,
    presence: 'optional',
    description: 'Why the new version is made. Default: which version it was restored from; null for none',
    example: '客户更喜欢第一版',
  })
  description?: string | null;
}

export class CopyFormulaDto {
  @TextField({
    max: MAX_NAME,
    presence: 'optional',
    notBlank: true,
    description: 'Default: the name of the original, marked as a copy',
    example: '保湿霜 B',
  })
  name?: string | null;

  @UuidField({
    presence: 'optional',
    description:
      'An existing project; null for none. Default: the project of the original, where the user may see it',
    example: null,
  })
  projectId?: string | null;

  @IntegerField({
    min: 1,
    max: MAX_VERSION_NUMBER,
    presence: 'optional',
    description: 'Default: the latest version',
    example: 1,
  })
  version?: number | null;
}

/*
 * Responses
 */

/** A version in the list of a formula's versions. */
export class ListedVersionDto {
  @ApiProperty({ type: 'integer', minimum: 1, example: 3 })
  versionNumber!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the version was made; null where nobody has said',
    example: '提高甘油用量',
  })
  description!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;

  @ApiProperty()
  createdBy!: AccountNameDto;

  @ApiProperty({ type: 'integer', minimum: 0, example: 2 })
  phaseCount!: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 9 })
  lineCount!: number;

  @ApiProperty({ description: 'Sum of the percentages of all lines, exact', example: 100 })
  total!: number;
}
