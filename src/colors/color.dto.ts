import { ApiProperty, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { PageQuery } from '../platform/common/pagination';
import { ObjectField } from '../platform/validation/fields';
import { QueryIntegerField, QueryNumberField } from '../platform/validation/query-fields';
import { ResponseType } from '../platform/validation/record-fields';
import { ColorFormulaFields } from './color-formula.fields';
import { LAB_FIELDS, LabDto } from './lab.fields';

export class CreateColorFormulaDto extends OmitType(ColorFormulaFields, ['id', 'createdBy', 'createdAt']) {}

/** Present fields are changed. null clears an optional field (and resets `name` to its default). */
export class UpdateColorFormulaDto extends PartialType(CreateColorFormulaDto, {
  skipNullProperties: false,
}) {}

/** Filters of a list of colours. */
export interface ColorListing extends PageQuery {
  /** A part of the name. */
  search?: string;
  /** Id of the linked formula. */
  formulaId?: string;
}

export class RecommendDto {
  @ObjectField({ type: () => LabDto, description: 'The colour to reach' })
  targetLab!: LabDto;
}

export class MatchQuery {
  @QueryNumberField({ ...LAB_FIELDS.L, example: 42.5 })
  L!: number;

  @QueryNumberField({ ...LAB_FIELDS.a, example: 48.2 })
  a!: number;

  @QueryNumberField({ ...LAB_FIELDS.b, example: 21.7 })
  b!: number;

  @QueryIntegerField({ default: 5, min: 1, max: 20, description: 'How many of the nearest' })
  limit: number = 5;
}

/** A stored colour with its target, measurement and colorants. */
export class ColorFormulaDto extends ResponseType(ColorFormulaFields) {
  declare name: string;
}

/** Computed differences between the target and the measurement of a colour; null if it was not measured. */
export interface ColorDifferences {
  /** CIEDE2000 (kL = kC = kH = 1). */
  deltaE2000: number | null;
  /** Euclidean (ΔE*ab, 1976). */
  deltaE76: number | null;
}

/** Fields of a stored colour in the result of a match. */
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
