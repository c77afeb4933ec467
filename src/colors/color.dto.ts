import { ApiProperty, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { PageQuery } from '../platform/common/pagination';
import { ObjectField, UuidField } from '../platform/validation/fields';
import {
  QueryEnumField,
  QueryIntegerField,
  QueryNumberField,
  QueryTextField,
} from '../platform/validation/query-fields';
import { IdField, ResponseType, ShownField } from '../platform/validation/record-fields';
import { CIELAB_FIELDS, CieLabDto, ColorFormulaFields } from './color.fields';
import type { DocumentLanguage } from '../documents/document';
import { LanguageField, requestLanguage } from '../documents/language-field';

export class CreateColorFormulaDto extends OmitType(ColorFormulaFields, ['id', 'createdBy', 'createdAt']) {}

/** Present fields are changed. null clears an optional field (and resets `name` to its default). */
export class UpdateColorFormulaDto extends PartialType(CreateColorFormulaDto, {
  skipNullProperties: false,
}) {}

export class RecommendDto {
  @ObjectField({ type: () => CieLabDto, description: 'The colour to reach' })
  targetLab!: CieLabDto;
}

export class MatchQuery {
  @QueryNumberField({ ...CIELAB_FIELDS.L, example: 42.5 })
  L!: number;

  @QueryNumberField({ ...CIELAB_FIELDS.a, example: 48.2 })
  a!: number;

  @QueryNumberField({ ...CIELAB_FIELDS.b, example: 21.7 })
  b!: number;

  @QueryIntegerField({ default: 5, min: 1, max: 20, description: 'How many of the nearest' })
  limit: number = 5;
}

export class ColorFormulaDto extends ResponseType(ColorFormulaFields) {
  declare name: string;
}

const MATCH_FIELDS = ['id', 'name', 'targetLab', 'deltaE', 'colorantComposition'] as const;

/** A stored colour, and the distance of its target from the query. */
export class ColorMatchDto extends PickType(ColorFormulaDto, MATCH_FIELDS) {
  @ApiProperty({
    minimum: 0,
    description:
      'CIEDE2000 difference (kL = kC = kH = 1) between the query and targetLab; the list ascends by it, then by id',
    example: 1.37,
  })
  distance!: number;
}

export class ColorantDto {
  @ApiProperty({ example: 'CI 77491' })
  name!: string;

  @ApiProperty({ description: 'Share among the colorants', example: 0.6 })
  ratio!: number;
}

export class ColorantRecommendationDto {
  @ApiProperty({ type: [ColorantDto] })
  colorants!: ColorantDto[];

  @ApiProperty({ minimum: 0, description: 'Expected CIEDE2000 difference to the target', example: 1.2 })
  predictedDeltaE!: number;

  @ApiProperty({ minimum: 0, maximum: 1, example: 0.7 })
  confidence!: number;
}

export class MatchedFormulaDto extends PickType(ColorFormulaDto, ['id', 'name']) {
  @ApiProperty({
    minimum: 0,
    description:
      'Euclidean difference in CIELAB (ΔE*ab, 1976) between the target and the stored targetLab; the list ascends by it, then by id',
    example: 2.1,
  })
  deltaE!: number;
}

/** Colorants that should give the target colour, and the stored colours nearest to it. */
export class RecommendationDto {
  @ApiProperty({ type: [ColorantRecommendationDto] })
  recommendations!: ColorantRecommendationDto[];

  @ApiProperty({
    type: [MatchedFormulaDto],
    maxItems: 5,
    description: 'The nearest of all stored colours, at most 5',
  })
  matchedFormulas!: MatchedFormulaDto[];
}

export class ColorFormulaQuery extends PageQuery {
  @QueryTextField({
    max: 200,
    description: 'Part of the name, regardless of case, normal form and width',
    example: '红',
  })
  search?: string;

  @UuidField({ presence: 'omittable', description: 'Colours that are linked to this formula' })
  formulaId?: string;
}

/** A stored colour with the differences between its target and its measurement. */
export class MeasuredColorDto extends ColorFormulaDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    description:
      'CIEDE2000 difference (kL = kC = kH = 1) between targetLab and actualLab, computed; null without actualLab. ' +
      '`deltaE` is what the laboratory stored.',
    example: 0.83,
  })
  deltaE2000!: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    description: 'Euclidean difference in CIELAB (ΔE*ab, 1976) of the same, computed; null without actualLab',
    example: 1.41,
  })
  deltaE76!: number | null;
}

/** From this CIEDE2000 difference on a stored colour is not near: a plainly different shade. */
export const NEAR_DELTA_E = 5;

/** Most of the nearest colours that are looked at for duplicates. */
export const MOST_COMPARED = 256;

export class SwatchQuery extends MatchQuery {
  @LanguageField('Language of the page')
  lang: DocumentLanguage = requestLanguage();
}

export class NearestQuery extends MatchQuery {
  @QueryEnumField({
    values: ['true', 'false'],
    default: 'false',
    description: 'Fold colours with the same target, name and colorants into the first of them',
  })
  unique: 'true' | 'false' = 'false';

  @LanguageField('Language of the notes')
  lang: DocumentLanguage = requestLanguage();
}

class NearColorDto extends ColorMatchDto {
  @ApiProperty({
    type: [String],
    description: 'Ids of the other colours with the same target, name and colorants; without `unique` none',
    example: [],
  })
  duplicates!: string[];
}

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
    description: 'Remarks on the matches: none is near, or there may be more duplicates',
    example: [],
  })
  notes!: string[];
}

export class LibraryQuery extends PageQuery {
  @QueryTextField({
    max: 200,
    description:
      'Part of a name, regardless of case: Chinese in simplified or traditional characters, pinyin with or without tone marks and ' +
      'spaces (ü also as v or u), English with or without accents. The exact name first, then names that begin with it.',
    example: 'yanzhi',
  })
  search?: string;

  @QueryNumberField({
    ...CIELAB_FIELDS.L,
    presence: 'omittable',
    description: `${CIELAB_FIELDS.L.description}; with a and b: the nearest first`,
  })
  L?: number;

  @QueryNumberField({ ...CIELAB_FIELDS.a, presence: 'omittable' })
  a?: number;

  @QueryNumberField({ ...CIELAB_FIELDS.b, presence: 'omittable' })
  b?: number;
}

/** The stored fields of a named colour, except the spellings for the search. */
class NamedColorFields {
  @IdField({ description: 'The same in every installation' })
  id!: string;

  @ShownField({ type: String, description: 'Chinese names in simplified characters', example: '胭脂' })
  name!: string;

  @ShownField({
    type: String,
    nullable: true,
    description: 'Of Chinese names, with tone marks',
    example: 'yān zhī',
  })
  pinyin!: string | null;

  @ShownField({ type: String, description: 'sRGB', pattern: '^#[0-9a-f]{6}$', example: '#952e3a' })
  hex!: string;

  @ObjectField({ type: () => CieLabDto, description: 'CIELAB of hex (D65, 2°)' })
  lab!: CieLabDto;

  @ShownField({
    type: String,
    description: 'The published list the colour comes from',
    example: 'chinese-colors',
  })
  source!: string;
}

/** A named colour for reference, derived from sRGB and therefore for D65 and the 2° observer. */
export class NamedColorDto extends ResponseType(NamedColorFields) {
  @ApiProperty({
    required: false,
    minimum: 0,
    description:
      'CIEDE2000 difference to L, a, b; only when they were given, the list then ascends by it, then by id',
    example: 0.9,
  })
  deltaE?: number;
}
