import { ApiProperty } from '@nestjs/swagger';
import { UuidField } from '../../platform/validation/fields';
import { QueryIntegerField } from '../../platform/validation/query-fields';
import { COST_ROUNDING } from '../composition/cost';
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

class ComparedVersionDto {
  @ApiProperty({ format: 'uuid' })
  formulaId!: string;

  @ApiProperty({ example: '保湿霜' })
  formulaName!: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  versionNumber!: number;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt!: string;
}

/** Texts of both versions. */
class TextChangeDto {
  @ApiProperty({ type: String, nullable: true, description: 'null where there is none', example: '水相' })
  from!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'null where there is none', example: 'A 相' })
  to!: string | null;
}

/** Places in both versions. */
class PositionChangeDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'null where it is not there', example: 1 })
  from!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null where it is not there', example: 2 })
  to!: number | null;
}

/** Percent of the formula in both versions. */
class PercentageChangeDto {
  @ApiProperty({ type: Number, nullable: true, description: 'null where it is not there', example: 5 })
  from!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'null where it is not there', example: 7.5 })
  to!: number | null;
}

class PhaseChangeDto {
  @ApiProperty({
    enum: ['added', 'removed', 'renamed', 'reordered'],
    description: 'One that is renamed and in another place is `renamed`',
    example: 'renamed',
  })
  change!: string;

  @ApiProperty()
  name!: TextChangeDto;

  @ApiProperty({ description: 'Counted from 1 in the order of work' })
  position!: PositionChangeDto;
}

class LineChangeDto {
  @ApiProperty({
    enum: ['added', 'removed', 'changed', 'moved'],
    description: 'One with another percentage or other notes is `changed`, also where it is in another place',
    example: 'changed',
  })
  change!: string;

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

class TotalsDto {
  @ApiProperty({ description: 'Sum of all percentages', example: 100 })
  from!: number;

  @ApiProperty({ description: 'Sum of all percentages', example: 100 })
  to!: number;

  @ApiProperty({ example: 0 })
  difference!: number;
}

class ComparedCostDto {
  @ApiProperty({
    type: Number,
    nullable: true,
    description: `Currency per kilogram of the product, ${COST_ROUNDING}; null unless every line has a usable price`,
    example: 18.4,
  })
  costPerKg!: number | null;

  @ApiProperty({ description: 'The same of the lines that have a usable price', example: 18.4 })
  knownCostPerKg!: number;

  @ApiProperty({ description: 'Percent of the formula in lines that have a usable price', example: 100 })
  pricedPercentage!: number;
}

class CostChangeDto {
  @ApiProperty()
  from!: ComparedCostDto;

  @ApiProperty()
  to!: ComparedCostDto;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: `Currency per kilogram of the product, ${COST_ROUNDING}; null unless both costs are known`,
    example: 0.9,
  })
  difference!: number | null;
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
