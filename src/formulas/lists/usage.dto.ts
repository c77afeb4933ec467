import { ApiProperty } from '@nestjs/swagger';
import { PageQuery } from '../../platform/common/pagination';
import { QueryEnumField } from '../../platform/validation/query-fields';

export const SEARCHED_VERSIONS = ['current', 'all'] as const;
export type SearchedVersions = (typeof SEARCHED_VERSIONS)[number];

export class UsageQuery extends PageQuery {
  @QueryEnumField({
    values: SEARCHED_VERSIONS,
    default: 'current',
    description: '`current`: the latest version of each formula; `all`: earlier ones too',
  })
  versions: SearchedVersions = 'current';
}

/** A formula that contains an ingredient, in the chosen versions. */
export class UsingFormulaDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '保湿霜' })
  name!: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 5 })
  currentVersion!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Percent of the latest version, all lines together, exact; null where only earlier ones contain it',
    example: 5,
  })
  share!: number | null;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Versions that contain it', example: 3 })
  versionCount!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of the first of them', example: 2 })
  firstVersion!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of the last of them', example: 5 })
  lastVersion!: number;

  @ApiProperty({ description: 'Least percent of a version that contains it', example: 3 })
  minShare!: number;

  @ApiProperty({ description: 'Greatest percent of a version that contains it', example: 5 })
  maxShare!: number;
}
