import { ApiProperty } from '@nestjs/swagger';
import { NamedIngredientDto } from '../formulas/formula.fields';
import { SUBSTANCE_ROLES, type SubstanceRole } from '../ingredients/raw-materials/substance';
import {
  FINDING_NOTES,
  type FindingNote,
  MISSING_INFORMATION,
  type MissingInformation,
  SCREENING_RESULTS,
  type ScreeningResult,
} from './screening/screening-model';
import { LIMIT_KINDS, type LimitKind, PRODUCT_TYPES, type ProductType } from './limit';

export class ScreenedLineDto {
  @ApiProperty({ format: 'uuid' })
  ingredientId!: string;

  @ApiProperty()
  ingredient!: NamedIngredientDto;

  @ApiProperty({ example: '后添加' })
  phase!: string;

  @ApiProperty({ description: 'Of the line: percent of the formula', example: 1 })
  percentage!: number;

  @ApiProperty({
    description: 'The most that the line brings of the substance: percent of the formula, an exact decimal',
    example: '0.9',
  })
  share!: string;

  @ApiProperty({ enum: SUBSTANCE_ROLES, nullable: true })
  role!: SubstanceRole | null;
}

class ScreenedSubstanceDto {
  @ApiProperty({ example: 'Phenoxyethanol' })
  inciName!: string;

  @ApiProperty({ description: 'Whether it is in the form of a nanomaterial' })
  isNano!: boolean;

  @ApiProperty({ type: [String], example: ['122-99-6'] })
  casNumbers!: string[];

  @ApiProperty({ enum: ['inci-name', 'cas-number'], nullable: true, description: 'How a row was found' })
  matchedBy!: 'inci-name' | 'cas-number' | null;

  @ApiProperty({ type: String, nullable: true, example: 'Phenoxyethanol' })
  matchedValue!: string | null;

  @ApiProperty({
    description: 'Percent of the formula, an exact decimal; the maximum of a range',
    example: '0.9',
  })
  share!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Percent of the basis in one percent of the substance; null where it is not known or needed',
    example: '1',
  })
  factor!: string | null;

  @ApiProperty({ type: [ScreenedLineDto] })
  lines!: ScreenedLineDto[];
}

export class ScreenedRowDto {
  @ApiProperty({ example: 'H1' })
  annex!: string;

  @ApiProperty({ example: '1' })
  entry!: string;

  @ApiProperty({ type: String, nullable: true })
  tier!: string | null;

  @ApiProperty({ enum: LIMIT_KINDS })
  kind!: LimitKind;

  @ApiProperty({ description: 'The substance or group as the table names it' })
  substance!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Scope as written' })
  scope!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Percent of the product', example: '0.25' })
  limitPercent!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Limit as written', example: '0.25 %' })
  limitText!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Null: the substance itself', example: 'acid' })
  basis!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The substances of one group are summed against the largest limit of its rows',
  })
  sumGroup!: string | null;

  @ApiProperty({ type: String, nullable: true })
  purpose!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Conditions as written; they are not examined' })
  conditions!: string | null;

  @ApiProperty({ type: String, nullable: true, example: '2026-12-01' })
  validFrom!: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  validUntil!: string | null;

  @ApiProperty()
  source!: string;
}

export class ScreeningResultDto {
  @ApiProperty({ enum: SCREENING_RESULTS })
  result!: ScreeningResult;

  @ApiProperty({
    enum: MISSING_INFORMATION,
    isArray: true,
    description: 'What is missing where the result is cannot-be-judged',
  })
  missing!: MissingInformation[];

  @ApiProperty({ description: 'The result in the language of the request' })
  wording!: string;

  @ApiProperty({ enum: FINDING_NOTES, isArray: true, description: 'How the amount came about' })
  notes!: FindingNote[];

  @ApiProperty({ example: 'demo' })
  region!: string;

  @ApiProperty({ type: String, nullable: true, example: 'Demo limits (not legal data)' })
  edition!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Day on which it was loaded (UTC)' })
  editionDate!: string | null;

  @ApiProperty({ enum: PRODUCT_TYPES, nullable: true, description: 'The product type assumed' })
  productType!: ProductType | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Percent of the formula on the basis of the limit, with the note not-converted as it is: an exact decimal; ' +
      'null where nothing is loaded',
    example: '0.3',
  })
  amount!: string | null;

  @ApiProperty({
    type: [ScreenedRowDto],
    description:
      'The row; all rows of the entry where none is for this use; all rows with the limit of a sum',
  })
  rows!: ScreenedRowDto[];

  @ApiProperty({ type: [ScreenedSubstanceDto] })
  substances!: ScreenedSubstanceDto[];
}
