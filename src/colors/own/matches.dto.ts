import { ApiProperty, PickType } from '@nestjs/swagger';
import { ColorFormulaDto } from '../color.dto';
import { QueryEnumField, QueryIntegerField, QueryNumberField } from '../../platform/validation/query-fields';
import type { DocumentLanguage } from '../../documents/document';
import { LanguageField, requestLanguage } from '../../documents/language-field';

/** From this CIEDE2000 difference on a stored colour is not near: a plainly different shade. */
export const NEAR_DELTA_E = 5;

/** Most of the nearest colours that are looked at for duplicates. */
export const MOST_COMPARED = 256;

export class NearestQuery {
  @QueryNumberField({ min: 0, max: 100, example: 42.5 })
  L!: number;

  @QueryNumberField({ min: -10_000, max: 10_000, example: 48.2 })
  a!: number;

  @QueryNumberField({ min: -10_000, max: 10_000, example: 21.7 })
  b!: number;

  @QueryIntegerField({ default: 5, min: 1, max: 20, description: 'How many of the nearest' })
  limit: number = 5;

  @QueryEnumField({
    values: ['true', 'false'],
    default: 'false',
    description: 'Fold colours with the same target, name and colorants into the first of them',
  })
  unique: 'true' | 'false' = 'false';

  @LanguageField('Language of the notes')
  lang: DocumentLanguage = requestLanguage();
}

class NearColorDto extends PickType(ColorFormulaDto, [
  'id',
  'name',
  'targetLab',
  'deltaE',
  'colorantComposition',
] as const) {
  @ApiProperty({
    minimum: 0,
    description: 'CIEDE2000 difference (kL = kC = kH = 1) between the query and targetLab',
    example: 1.37,
  })
  distance!: number;

  @ApiProperty({
    type: [String],
    description: 'Ids of the other colours with the same target, name and colorants; without `unique` none',
    example: [],
  })
  duplicates!: string[];
}

/** The stored colours nearest to a measurement. */
export class MatchesDto {
  @ApiProperty({ type: [NearColorDto] })
  matches!: NearColorDto[];

  @ApiProperty({
    description: 'Whether the nearest of them is within `threshold`',
    example: true,
  })
  isNear!: boolean;

  @ApiProperty({ description: 'CIEDE2000 difference up to which a colour is near', example: NEAR_DELTA_E })
  threshold!: number;

  @ApiProperty({
    type: [String],
    description: 'What to know about the matches: that none is near, or that there may be more duplicates',
    example: [],
  })
  notes!: string[];
}
