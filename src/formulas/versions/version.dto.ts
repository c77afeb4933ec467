import { ApiProperty, PickType } from '@nestjs/swagger';
import { IntegerField, TextField, UuidField } from '../../platform/validation/fields';
import { FormulaVersionDto } from '../formula.dto';
import { LONG_TEXT, MAX_NAME } from '../formula.fields';
import { MAX_VERSION_NUMBER } from '../version-number';
import { AccountNameDto } from '../../users/people/people.dto';

/*
 * Requests
 */

const VersionDescription = (description: string, example: string) =>
  TextField({ max: LONG_TEXT, presence: 'optional', description, example });

export class DescribeVersionDto {
  @VersionDescription('Why the version was made; null clears it', '提高甘油用量')
  description?: string | null;
}

export class RestoreVersionDto {
  @VersionDescription(
    'Why the new version is made. Default: which version it was restored from; null for none',
    '客户更喜欢第一版',
  )
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

const LISTED = ['versionNumber', 'description', 'createdAt'] as const;

export class ListedVersionDto extends PickType(FormulaVersionDto, LISTED) {
  @ApiProperty()
  createdBy!: AccountNameDto;

  @ApiProperty({ type: 'integer', minimum: 0, example: 2 })
  phaseCount!: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 9 })
  lineCount!: number;

  @ApiProperty({ description: 'Sum of the percentages of all lines, exact', example: 100 })
  total!: number;
}
