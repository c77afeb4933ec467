import { ApiProperty } from '@nestjs/swagger';
import { ApiFreeJson } from '../../common/validation/free-json';
import { COMPOSITION } from './color-requests.dto';
import { LabDto } from './lab.dto';

const composition = { description: 'Free-form JSON as it was sent', example: COMPOSITION };

const storedDeltaE = {
  type: Number,
  nullable: true,
  minimum: 0,
  description: 'Difference between target and measurement as given by the laboratory; never computed here',
  example: 0.8,
} as const;

/** A stored colour with its target, measurement and colorants. */
export class ColorFormulaDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '正红唇膏 01' })
  name!: string;

  @ApiProperty({ description: 'The colour aimed at' })
  targetLab!: LabDto;

  @ApiProperty({ type: LabDto, nullable: true, description: 'The colour measured' })
  actualLab!: LabDto | null;

  @ApiProperty(storedDeltaE)
  deltaE!: number | null;

  @ApiFreeJson(composition)
  colorantComposition!: unknown;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'The linked formula' })
  formulaId!: string | null;

  @ApiProperty({ format: 'uuid' })
  createdBy!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: Date;
}

/** A stored colour and how far its target is from the query. */
export class ColorMatchDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '正红唇膏 01' })
  name!: string;

  @ApiProperty({ description: 'The colour aimed at' })
  targetLab!: LabDto;

  @ApiProperty(storedDeltaE)
  deltaE!: number | null;

  @ApiFreeJson(composition)
  colorantComposition!: unknown;

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

export class MatchedFormulaDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: '正红唇膏 01' })
  name!: string;

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
