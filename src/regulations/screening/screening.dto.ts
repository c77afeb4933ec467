import { ApiProperty, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { AnalysedLineDto, AnalysedVersionDto } from '../../formulas/costing/analysis.fields';
import { SUBSTANCE_ROLES, type SubstanceRole } from '../../ingredients/raw-materials/substance';
import { EditionDto, LimitDto } from '../editions/limit.entity';
import { RefusedLimitRowDto } from '../editions/limit-editions.dto';
import { PRODUCT_TYPES, type ProductType } from '../../formulas/product-types';
import { QueryEnumField, QueryTextField } from '../../platform/validation/query-fields';
import { isDay } from '../../platform/validation/fields';
import { text } from '../../platform/texts/text';
import { FromProfile, type ProfileUse } from '../../formulas/profile/profile-defaults';
import { MixedWithDto } from '../../formulas/profile/profile.fields';
import { VersionQuery } from '../../formulas/version-number';
import { DocumentQuery } from '../../documents/document-format';

/** All possible results of a screening, the worst first. */
export const SCREENING_RESULTS = [
  'no-data',
  'prohibited',
  'above-limit',
  'cannot-be-judged',
  'listed-for-other-uses',
  'declare',
  'not-above-limit',
  'no-entry-matched',
] as const;
export type ScreeningResult = (typeof SCREENING_RESULTS)[number];

/** Missing information because of which a limit cannot be judged. */
const MISSING_INFORMATION = [
  'product-type',
  'scope',
  'purpose',
  'basis',
  'mixture',
  'composition',
  'conditions',
  'refused-row',
] as const;
export type MissingInformation = (typeof MISSING_INFORMATION)[number];

const FINDING_NOTES = [
  'after-mixing',
  'maximum-of-range',
  'own-basis',
  'factor-of-table',
  'shipped-factor',
  'not-converted',
  'counted-together',
  'known-part-above',
  'sum-not-stated',
  'no-number',
  'other-form',
  'several-purposes',
] as const;
export type FindingNote = (typeof FINDING_NOTES)[number];

/** `fragrance-rest`: the part of a fragrance that its composition does not name. */
const UNEXAMINED_REASONS = ['blend', 'hidden', 'fragrance', 'fragrance-rest'] as const;

/** Topics that a comparison of shares with a table says nothing of. */
export const UNEXAMINED_TOPICS = [
  'impurities',
  'extract-constituents',
  'outside-annexes',
  'conditions',
  'cmr',
  'nano-notification',
  'ph',
  'packaging',
] as const;

class ScreenedLineDto extends OmitType(AnalysedLineDto, ['id']) {
  @ApiProperty({ example: '后添加' })
  phase!: string;

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

/** A row of the table, without what serves to find it. */
class ScreenedRowDto extends OmitType(LimitDto, [
  'id',
  'editionId',
  'region',
  'inciNames',
  'casNumbers',
  'productTypes',
  'factor',
]) {}

class ScreeningResultDto {
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
      'Percent of the formula on the basis of the limit, with the note not-converted as it is: an exact decimal. After ' +
      'mixing percent of the mixture, rounded to 10 decimals. Null where nothing is loaded',
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

export class ScreeningQuery extends IntersectionType(VersionQuery, DocumentQuery) {
  @QueryTextField({
    max: 20,
    notBlank: true,
    description: 'Of the loaded rows. Default: the first market of the profile; without one it is required',
    example: 'demo',
  })
  region?: string;

  @QueryEnumField({
    values: PRODUCT_TYPES,
    description: 'Default: that of the profile. Without one only limits for all products are judged',
    example: 'face-leave-on',
  })
  productType?: ProductType;

  @QueryTextField({
    max: 10,
    rule: (value) => (isDay(value) ? undefined : text('field.not-a-day')),
    description: 'Day on which the limits must be in force; default: today (UTC)',
    example: '2026-12-01',
  })
  on?: string;

  @QueryTextField({
    max: 200,
    description:
      'Name or id of a loaded edition; default: that of the region, or the one that was loaded last',
    example: 'Demo limits (not legal data)',
  })
  edition?: string;

  @QueryTextField({
    max: 100,
    description:
      'Rows for other purposes then count as listed for other uses; a row that names none is for all',
    example: 'preservative',
  })
  purpose?: string;
}

const SUMMARIES = [...SCREENING_RESULTS, 'no-finding'] as const;

class ScreeningSummaryDto {
  @ApiProperty({ enum: SUMMARIES, description: 'The worst result; no-finding: no entry matched anything' })
  result!: (typeof SUMMARIES)[number];

  @ApiProperty({ description: 'In the language of the request' })
  wording!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many results of each kind there are',
    example: { 'above-limit': 1, 'no-entry-matched': 14 },
  })
  counts!: Partial<Record<ScreeningResult, number>>;
}

class UnexaminedPartDto extends PickType(ScreenedSubstanceDto, ['inciName', 'share', 'lines']) {
  @ApiProperty({ enum: UNEXAMINED_REASONS })
  reason!: (typeof UNEXAMINED_REASONS)[number];
}

class UnexaminedTopicDto {
  @ApiProperty({ enum: UNEXAMINED_TOPICS })
  code!: (typeof UNEXAMINED_TOPICS)[number];

  @ApiProperty({ description: 'In the language of the request' })
  wording!: string;
}

class RefusedEntryDto extends PickType(RefusedLimitRowDto, ['row', 'reason', 'message']) {
  @ApiProperty({ type: String, nullable: true, description: 'As written', example: 'Quinine and salts' })
  name!: string | null;

  @ApiProperty({ type: [String], description: 'Substances of the formula that the row may name' })
  substances!: string[];
}

class NotExaminedDto {
  @ApiProperty({ type: 'integer', description: 'Ingredients that no loaded entry matched', example: 14 })
  unmatched!: number;

  @ApiProperty({ description: 'Percent of the formula: parts of unknown composition', example: '0' })
  unknownPercentage!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Rows of the file that were refused when the table was loaded, so that it lacks them',
    example: 0,
  })
  refusedRows!: number;

  @ApiProperty({
    type: [RefusedEntryDto],
    description:
      'Of the region: the first 100, and before them those that may name a substance of the formula',
  })
  refusedEntries!: RefusedEntryDto[];

  @ApiProperty({ type: [UnexaminedPartDto] })
  parts!: UnexaminedPartDto[];

  @ApiProperty({ type: [UnexaminedTopicDto] })
  topics!: UnexaminedTopicDto[];
}

class UpcomingRowDto extends ScreenedRowDto {
  @ApiProperty({ type: [String], description: 'Substances of the formula that the row names' })
  substances!: string[];
}

class ScreenedEditionDto extends PickType(EditionDto, ['id', 'name', 'importedAt']) {
  @ApiProperty({ type: [String], description: 'The annexes that it holds for the region', example: ['H1'] })
  annexes!: string[];
}

const MIXTURE_BASES = ['composition', 'known-part', 'dilution', 'hidden', 'deleted'] as const;

export class ScreenedMixtureDto extends MixedWithDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'The latest version, which is mixed in' })
  versionNumber!: number | null;

  @ApiProperty({
    enum: MIXTURE_BASES,
    description:
      'dilution: a name without a formula, assumed to contain no listed substance; hidden: from you',
  })
  basis!: (typeof MIXTURE_BASES)[number];
}

export class ScreeningDto extends OmitType(AnalysedVersionDto, ['totalPercentage']) {
  @ApiProperty({ example: 'demo' })
  region!: string;

  @ApiProperty({ enum: PRODUCT_TYPES, nullable: true })
  productType!: ProductType | null;

  @FromProfile()
  fromProfile!: ProfileUse[];

  @ApiProperty({
    type: ScreenedMixtureDto,
    nullable: true,
    description: 'Of the profile: limits after mixing are of it',
  })
  mixture!: ScreenedMixtureDto | null;

  @ApiProperty({ type: String, nullable: true })
  purpose!: string | null;

  @ApiProperty({ description: 'Day on which the limits are in force', example: '2026-12-01' })
  on!: string;

  @ApiProperty({ type: ScreenedEditionDto, nullable: true, description: 'Null: no data loaded' })
  edition!: ScreenedEditionDto | null;

  @ApiProperty({
    description: 'Sum of the percentages; shares are compared as entered, not scaled to 100',
    example: 100,
  })
  total!: number;

  @ApiProperty()
  summary!: ScreeningSummaryDto;

  @ApiProperty({ type: 'integer', description: 'All results; results has the worst of them', example: 16 })
  resultCount!: number;

  @ApiProperty({ type: [ScreeningResultDto], description: 'The worst first' })
  results!: ScreeningResultDto[];

  @ApiProperty({ type: 'integer', description: 'All rows that begin later than the day', example: 0 })
  upcomingCount!: number;

  @ApiProperty({ type: [UpcomingRowDto], description: 'The first 1000 of these rows' })
  upcoming!: UpcomingRowDto[];

  @ApiProperty()
  notExamined!: NotExaminedDto;

  @ApiProperty({ description: 'In the language of the request' })
  closing!: string;
}
