import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { QueryEnumField, QueryTextField } from '../platform/validation/query-fields';
import { text } from '../platform/texts/text';
import { VersionQuery } from '../formulas/version-number';
import { DocumentQuery } from '../documents/document-format';
import { SCREENING_RESULTS, type ScreeningResult, type UnexaminedPart } from './screening/screening-model';
import { PRODUCT_TYPES, type ProductType } from './limit';
import { ScreenedLineDto, ScreenedRowDto, ScreeningResultDto } from './screening-result.dto';
import { UNEXAMINED_TOPICS, type UnexaminedTopic } from './screening.words';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function isDay(value: string): boolean {
  const time = DAY.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

export class ScreeningQuery extends IntersectionType(VersionQuery, DocumentQuery) {
  @QueryTextField({
    max: 20,
    presence: 'required',
    description: 'Whose limits: the region of the loaded rows',
    example: 'demo',
  })
  region!: string;

  @QueryEnumField({
    values: PRODUCT_TYPES,
    description: 'Without it only limits for all products are judged',
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
    description: 'Name or id of a loaded edition; default: the one of the region that was loaded last',
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

class UnexaminedPartDto {
  @ApiProperty()
  inciName!: string;

  @ApiProperty({ enum: ['blend', 'hidden', 'fragrance', 'fragrance-rest'] })
  reason!: UnexaminedPart['reason'];

  @ApiProperty({ description: 'Percent of the formula, an exact decimal', example: '0.5' })
  share!: string;

  @ApiProperty({ type: [ScreenedLineDto] })
  lines!: ScreenedLineDto[];
}

class UnexaminedTopicDto {
  @ApiProperty({ enum: UNEXAMINED_TOPICS })
  code!: UnexaminedTopic;

  @ApiProperty({ description: 'In the language of the request' })
  wording!: string;
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

  @ApiProperty({ type: [UnexaminedPartDto] })
  parts!: UnexaminedPartDto[];

  @ApiProperty({ type: [UnexaminedTopicDto] })
  topics!: UnexaminedTopicDto[];
}

class UpcomingRowDto extends ScreenedRowDto {
  @ApiProperty({ type: [String], description: 'Substances of the formula that the row names' })
  substances!: string[];
}

class ScreenedEditionDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'Demo limits (not legal data)' })
  name!: string;

  @ApiProperty({ format: 'date-time' })
  importedAt!: string;

  @ApiProperty({ type: [String], description: 'The annexes that it holds for the region', example: ['H1'] })
  annexes!: string[];
}

export class ScreeningDto {
  @ApiProperty({ format: 'uuid' })
  formulaId!: string;

  @ApiProperty({ example: '保湿霜' })
  formulaName!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  versionNumber!: number;

  @ApiProperty({ example: 'demo' })
  region!: string;

  @ApiProperty({ enum: PRODUCT_TYPES, nullable: true })
  productType!: ProductType | null;

  @ApiProperty({ type: String, nullable: true })
  purpose!: string | null;

  @ApiProperty({ description: 'Day on which the limits are in force', example: '2026-12-01' })
  on!: string;

  @ApiProperty({ type: ScreenedEditionDto, nullable: true, description: 'Null: no data loaded' })
  edition!: ScreenedEditionDto | null;

  @ApiProperty({ description: 'Percent: the lines of the formula together', example: 100 })
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
