import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '../../../platform/validation/fields';
import { type MatchedBy, MATCHES } from '../../../ingredients/names/resolution';
import { CandidateDto, CandidateIngredientDto } from '../../../ingredients/names/resolve.dto';

const UNRESOLVED_REASONS = ['unknown', 'uncertain', 'percentage'] as const;
export type UnresolvedReason = (typeof UNRESOLVED_REASONS)[number];

export class ExtractTextDto {
  @TextField({
    max: 20_000,
    description: 'Free text that holds one formula',
    example: '水相\n去离子水 加至100\n甘油 5%\n油相\nGTCC 8%',
  })
  text!: string;
}

export class ReadLineDto {
  @ApiProperty({ format: 'uuid' })
  ingredientId!: string;

  @ApiProperty({ example: 5 })
  percentage!: number;

  @ApiProperty({ type: String, nullable: true, example: null })
  processNotes!: string | null;
}

export class ReadPhaseDto {
  @ApiProperty({ example: '水相' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  sortOrder!: number;

  @ApiProperty({ type: [ReadLineDto] })
  ingredients!: readonly ReadLineDto[];
}

export class UnresolvedLineDto {
  @ApiProperty({ type: 'integer', description: 'Among all lines that were read, counted from 1', example: 3 })
  position!: number;

  @ApiProperty({ description: 'The phase of the line', example: '油相' })
  phase!: string;

  @ApiProperty({ description: 'As the text has it', example: 'VE' })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The amount as the text has it; null where it gives no number',
    example: '0.5 %',
  })
  amount!: string | null;

  @ApiProperty({
    description: 'Percent of the formula; 0 where the text gives no number, or none that can be relied on',
    example: 0.5,
  })
  percentage!: number;

  @ApiProperty({ type: String, nullable: true, example: null })
  processNotes!: string | null;

  @ApiProperty({
    enum: UNRESOLVED_REASONS,
    enumName: 'UnresolvedReason',
    description:
      'unknown: no ingredient has the name; uncertain: the candidates may be meant, among others a substance of which ' +
      'the text names a solution; percentage: there is one candidate, and no usable amount. The text gives none or a ' +
      'range, or the percentage would be a share of all masses or the remainder, and another line was not read or ' +
      'has a range',
    example: 'uncertain',
  })
  reason!: UnresolvedReason;

  @ApiProperty({ type: [String], example: ['Tocopherol', 'Tocopheryl Acetate'] })
  inciNames!: readonly string[];

  @ApiProperty({ type: [CandidateDto], description: 'The best first' })
  candidates!: readonly CandidateDto[];
}

export class LineOfTextDto {
  @ApiProperty({ type: 'integer', description: 'Among all lines that were read, counted from 1', example: 2 })
  position!: number;

  @ApiProperty({ description: 'The name as the text has it, with a strength beside it', example: '汉生胶' })
  name!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The amount as the text has it',
    example: '0.2 %',
  })
  amount!: string | null;

  @ApiProperty({ type: CandidateIngredientDto, nullable: true, description: 'Null where it is not certain' })
  ingredient!: CandidateIngredientDto | null;

  @ApiProperty({
    type: String,
    enum: MATCHES,
    enumName: 'MatchedBy',
    nullable: true,
    description: 'By which of its names; null where the ingredient is not certain',
  })
  matchedBy!: MatchedBy | null;
}

export class UnreadLineDto {
  @ApiProperty({ type: 'integer', description: 'Of the text, counted from 1', example: 7 })
  line!: number;

  @ApiProperty({ example: '少量色浆' })
  text!: string;
}

export class WrongTotalDto {
  @ApiProperty({ type: 'integer', description: 'Of the text, counted from 1', example: 4 })
  line!: number;

  @ApiProperty({ description: 'The total as the text states it', example: '500 g' })
  stated!: string;

  @ApiProperty({ description: 'The sum of its lines', example: '490 g' })
  sum!: string;
}

export class ExtractedCompositionDto {
  @ApiProperty({
    type: [ReadPhaseDto],
    description: 'The lines whose ingredients are certain, as `POST /api/formulas` takes them',
  })
  phases!: readonly ReadPhaseDto[];

  @ApiProperty({
    type: [LineOfTextDto],
    description: 'All lines that were read, in the order of the text: what became of their names',
  })
  lines!: readonly LineOfTextDto[];

  @ApiProperty({ type: [UnresolvedLineDto], description: 'The other lines that were read' })
  unresolved!: readonly UnresolvedLineDto[];

  @ApiProperty({
    type: [UnreadLineDto],
    description: 'Lines of the text that may name an ingredient and were not read',
  })
  unread!: readonly UnreadLineDto[];

  @ApiProperty({
    type: [UnreadLineDto],
    description:
      'Lines of the text that name no ingredient: steps, remarks, properties; empty where a model has read the text',
  })
  notes!: readonly UnreadLineDto[];

  @ApiProperty({
    type: [WrongTotalDto],
    description: 'Totals that the lines of the text do not make; each is an unread line, too',
  })
  wrongTotals!: readonly WrongTotalDto[];

  @ApiProperty({
    type: [UnreadLineDto],
    description:
      'Volumes of lines: how each became a mass by the density on the card of its ingredient, as `500 mL × 1.26 kg/L = ' +
      '630 g`, or why it did not; such a line is unread',
  })
  volumes!: readonly UnreadLineDto[];

  @ApiProperty({
    type: 'integer',
    description: 'How many lines were not read; where a model has read the text, it is not known which',
    example: 1,
  })
  unreadCount!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The first line, if it was read as the title; null where there is none, or a model has read the text',
    example: '保湿霜',
  })
  title!: string | null;

  @ApiProperty({
    description: 'The sum of the percentages in phases and unresolved, as a decimal',
    example: '99.8',
  })
  percentTotal!: string;

  @ApiProperty({ description: 'Whether every line of the text is in phases', example: false })
  complete!: boolean;

  @ApiProperty({
    description:
      'Where the reading comes from, as `X-AI-Source` says it: the name of a provider, cache or preset answers',
    example: 'cache',
  })
  source!: string;
}
