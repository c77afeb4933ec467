import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '../../../common/validation/fields';
import type { Composed, ComposedLine, ComposedPhase, UnresolvedLine } from './compose';
import { UNRESOLVED_REASONS, type UnresolvedReason } from './compose';
import { CandidateDto } from '../resolve/resolve.dto';

export class ExtractTextDto {
  @TextField({
    max: 20_000,
    description: 'Free text that holds one formula',
    example: '水相\n去离子水 加至100\n甘油 5%\n油相\nGTCC 8%',
  })
  text!: string;
}

export class ReadLineDto implements ComposedLine {
  @ApiProperty({ format: 'uuid' })
  ingredientId!: string;

  @ApiProperty({ example: 5 })
  percentage!: number;

  @ApiProperty({ type: String, nullable: true, example: null })
  processNotes!: string | null;
}

export class ReadPhaseDto implements ComposedPhase {
  @ApiProperty({ example: '水相' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  sortOrder!: number;

  @ApiProperty({ type: [ReadLineDto] })
  ingredients!: readonly ReadLineDto[];
}

export class UnresolvedLineDto implements UnresolvedLine {
  @ApiProperty({ type: 'integer', description: 'Among all lines that were read, counted from 1', example: 3 })
  position!: number;

  @ApiProperty({ description: 'The phase of the line', example: '油相' })
  phase!: string;

  @ApiProperty({ description: 'As the text has it', example: 'VE' })
  name!: string;

  @ApiProperty({ description: 'Percent of the formula; 0 where the text gives no number', example: 0.5 })
  percentage!: number;

  @ApiProperty({ type: String, nullable: true, example: null })
  processNotes!: string | null;

  @ApiProperty({
    enum: UNRESOLVED_REASONS,
    enumName: 'UnresolvedReason',
    description:
      'unknown: no ingredient has the name; uncertain: the candidates may be meant; percentage: the ingredient is ' +
      'certain, and its percentage is not above 0 and at most 100',
    example: 'uncertain',
  })
  reason!: UnresolvedReason;

  @ApiProperty({ type: [String], example: ['Tocopherol', 'Tocopheryl Acetate'] })
  inciNames!: readonly string[];

  @ApiProperty({ type: [CandidateDto], description: 'The best first' })
  candidates!: readonly CandidateDto[];
}

export class UnreadLineDto {
  @ApiProperty({ type: 'integer', description: 'Of the text, counted from 1', example: 7 })
  line!: number;

  @ApiProperty({ example: '少量色浆' })
  text!: string;
}

export class ExtractedCompositionDto implements Composed {
  @ApiProperty({
    type: [ReadPhaseDto],
    description: 'The lines whose ingredients are certain, as `POST /api/formulas` takes them',
  })
  phases!: readonly ReadPhaseDto[];

  @ApiProperty({ type: [UnresolvedLineDto], description: 'The other lines that were read' })
  unresolved!: readonly UnresolvedLineDto[];

  @ApiProperty({
    type: [UnreadLineDto],
    description: 'Lines of the text that may name an ingredient and were not read',
  })
  unread!: readonly UnreadLineDto[];

  @ApiProperty({
    type: 'integer',
    description: 'How many lines were not read; where a model has read the text, it is not known which',
    example: 1,
  })
  unreadCount!: number;

  @ApiProperty({
    description: 'The sum of the percentages of all lines that were read, resolved or not, as a decimal',
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
