import { ApiProperty, PickType } from '@nestjs/swagger';
import { NumberOrNull, TextOrNull } from '../../platform/validation/record-fields';
import { UuidField } from '../../platform/validation/fields';
import { QueryIntegerField } from '../../platform/validation/query-fields';
import { AnalysedVersionDto } from '../costing/analysis.fields';
import { PercentagesDto } from '../costing/balance.dto';
import { CostChangeDto } from '../costing/cost.dto';
import { NamedIngredientDto } from '../formula.fields';
import { MAX_VERSION_NUMBER } from '../version-number';
import { DocumentQuery } from '../../documents/document-format';

export class CompareQuery extends DocumentQuery {
  @QueryIntegerField({
    min: 1,
    max: MAX_VERSION_NUMBER,
    description:
      'Number of the earlier version, of the formula in the path. Default: the one before `to`, or with the ' +
      'version of another formula the latest; version 1 has none before it (404)',
    example: 1,
  })
  from?: number;

  @QueryIntegerField({
    min: 1,
    max: MAX_VERSION_NUMBER,
    description: 'Number of the later version. Default: the latest',
    example: 2,
  })
  to?: number;

  @UuidField({ presence: 'omittable', description: 'The formula of the later version. Default: the same' })
  toFormula?: string;
}

/*
 * Responses
 */

const VERSION_NAMES = ['formulaId', 'formulaName', 'versionNumber'] as const;

export class ComparedVersionDto extends PickType(AnalysedVersionDto, VERSION_NAMES) {
  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;
}

/** The value in the earlier and in the later version; null if there is none. */
export interface FromTo<T> {
  readonly from: T | null;
  readonly to: T | null;
}

class TextChangeDto implements FromTo<string> {
  @TextOrNull('null where there is none', '水相')
  from!: string | null;

  @TextOrNull('null where there is none', 'A 相')
  to!: string | null;
}

class PositionChangeDto implements FromTo<number> {
  @ApiProperty({ type: 'integer', nullable: true, description: 'null where it is not there', example: 1 })
  from!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null where it is not there', example: 2 })
  to!: number | null;
}

class PercentageChangeDto implements FromTo<number> {
  @NumberOrNull('null where it is not there', 5)
  from!: number | null;

  @NumberOrNull('null where it is not there', 7.5)
  to!: number | null;
}

const PHASE_CHANGES = ['added', 'removed', 'renamed', 'reordered'] as const;
const LINE_CHANGES = ['added', 'removed', 'changed', 'moved'] as const;

export class PhaseChangeDto {
  @ApiProperty({
    enum: PHASE_CHANGES,
    description: 'One that is renamed and in another place is `renamed`',
    example: 'renamed',
  })
  change!: (typeof PHASE_CHANGES)[number];

  @ApiProperty()
  name!: TextChangeDto;

  @ApiProperty({ description: 'Counted from 1 in the order of work' })
  position!: PositionChangeDto;
}

export class LineChangeDto {
  @ApiProperty({
    enum: LINE_CHANGES,
    description: 'One with another percentage or other notes is `changed`, also where it is in another place',
    example: 'changed',
  })
  change!: (typeof LINE_CHANGES)[number];

  @ApiProperty()
  ingredient!: NamedIngredientDto;

  @ApiProperty({ description: 'Name of its phase' })
  phase!: TextChangeDto;

  @ApiProperty({ description: 'Of its phase, counted from 1 in the order of work' })
  phasePosition!: PositionChangeDto;

  @ApiProperty({ description: 'In its phase, counted from 1' })
  position!: PositionChangeDto;

  @ApiProperty()
  percentage!: PercentageChangeDto;

  @ApiProperty()
  processNotes!: TextChangeDto;
}

class TotalsDto extends PercentagesDto {
  @ApiProperty({ example: 0 })
  difference!: number;
}

/** Lines that are not listed are the same in both versions, in the same order. */
export class ComparisonDto {
  @ApiProperty()
  from!: ComparedVersionDto;

  @ApiProperty()
  to!: ComparedVersionDto;

  @ApiProperty({ type: [PhaseChangeDto], description: 'In the order of work of the later version' })
  phases!: PhaseChangeDto[];

  @ApiProperty({ type: [LineChangeDto], description: 'In the order of work of the later version' })
  lines!: LineChangeDto[];

  @ApiProperty({ description: 'Percent' })
  totals!: TotalsDto;

  @ApiProperty({ description: "Of the raw materials, by the catalogue's prices as they are now" })
  cost!: CostChangeDto;
}
