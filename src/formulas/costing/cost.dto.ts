import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { NumberOrNull, TextOrNull } from '../../platform/validation/record-fields';
import { QueryEnumField, QueryNumberField } from '../../platform/validation/query-fields';
import { DocumentQuery } from '../../documents/document-format';
import { ExchangeRateDto } from '../../ingredients/exchange-rates/exchange-rates.dto';
import { VersionQuery } from '../version-number';
import {
  AnalysedLineDto,
  AnalysedPhaseDto,
  AnalysedVersionDto,
  MASS_BOUNDS,
  MASS_UNITS,
  type MassUnit,
  PackDto,
} from './analysis.fields';
import { FromProfile, type ProfileUse } from '../profile/profile-defaults';
import { TargetCostDto } from '../profile/profile.fields';

export const COST_DECIMALS = 10;

const COST_ROUNDING = `rounded half up to ${COST_DECIMALS} decimals, sums from unrounded values`;

const REASONS = ['no-price', 'hidden', 'volume', 'unknown-unit', 'other-currency', 'price-too-high'] as const;
export type NoCostReason = (typeof REASONS)[number];

class CostOrderQuery extends VersionQuery {
  @QueryNumberField({ ...MASS_BOUNDS, default: 1, description: 'Mass of the batch', example: 25 })
  batch: number = 1;

  @QueryEnumField({ values: MASS_UNITS, default: 'kg', description: 'Unit of `batch`', example: 'kg' })
  unit: MassUnit = 'kg';
}

export class CostQuery extends IntersectionType(CostOrderQuery, DocumentQuery) {}

class CostLineDto extends AnalysedLineDto {
  @NumberOrNull('Currency per `priceUnit`', 12.5)
  unitPrice!: number | null;

  @TextOrNull(
    'Unit of the catalogue that the price is for; null where the ingredient is hidden from you',
    'kg',
  )
  priceUnit!: string | null;

  @ApiProperty({
    enum: ['ingredient', 'supplier'],
    nullable: true,
    description:
      'The `unitPrice` of the ingredient or, if it has none, the price of the preferred supplier on its card',
    example: 'ingredient',
  })
  priceFrom!: 'ingredient' | 'supplier' | null;

  @NumberOrNull(`Currency per kg of the product, ${COST_ROUNDING}; null where it is unknown`, 0.625)
  costPerKg!: number | null;

  @NumberOrNull(`Currency for the batch, ${COST_ROUNDING}; null where it is unknown`, 15.625)
  cost!: number | null;

  @ApiProperty({
    enum: REASONS,
    nullable: true,
    description:
      'Why the cost is unknown: there is no price; the ingredient is hidden from you; the price is per volume, and the ' +
      'card has no density; its unit is no mass; there is no exchange rate of its currency (`€/kg`, `USD/kg`); or it is ' +
      'above 1e12 per kg, before or after the exchange',
    example: null,
  })
  reason!: NoCostReason | null;
}

class UnpricedLineDto extends AnalysedLineDto {
  @ApiProperty({ enum: REASONS, example: 'no-price' })
  reason!: NoCostReason;
}

class CostCurrencyFields {
  @TextOrNull(
    'The currency of the exchange rates; without them that of most prices (of two versions: of the earlier one), null where ' +
      'they name none',
    'CNY',
  )
  currency!: string | null;

  @ApiProperty({ type: [ExchangeRateDto], description: 'The rates of other currencies that were used' })
  exchangeRates!: ExchangeRateDto[];
}

class CostSumFields {
  @NumberOrNull(
    `Currency per kg of the product, ${COST_ROUNDING}; null unless every line has a usable price`,
    6.4,
  )
  costPerKg!: number | null;

  @ApiProperty({ description: 'The same of the lines that have a usable price', example: 6.4 })
  knownCostPerKg!: number;

  @NumberOrNull(`Currency for the batch, ${COST_ROUNDING}; null unless every line has a usable price`, 160)
  cost!: number | null;

  @ApiProperty({ description: 'The same of the lines that have a usable price', example: 160 })
  knownCost!: number;

  @ApiProperty({ description: 'Percent of the formula in lines that have a usable price', example: 100 })
  pricedPercentage!: number;
}

class CostPhaseDto extends IntersectionType(AnalysedPhaseDto, CostSumFields) {
  @ApiProperty({ type: [CostLineDto] })
  ingredients!: CostLineDto[];
}

class CostPackDto extends PackDto {
  @NumberOrNull(`As of a batch, ${COST_ROUNDING}`, 0.32)
  cost!: number | null;
}

const TARGET_RESULTS = ['within', 'above', 'incomplete', 'other-currency', 'no-pack-mass'] as const;
export type TargetResult = (typeof TARGET_RESULTS)[number];

class CostTargetDto extends TargetCostDto {
  @ApiProperty({
    enum: TARGET_RESULTS,
    description:
      'above: also if the known part of an incomplete cost is; the last three: it is not known, and why. An exchange ' +
      'rate converts the target',
  })
  result!: TargetResult;

  @ApiProperty({ description: 'Prices name no currency, and are taken to be in that of the target' })
  currencyAssumed!: boolean;
}

export class FormulaCostDto extends IntersectionType(AnalysedVersionDto, CostCurrencyFields, CostSumFields) {
  @ApiProperty({ description: 'Mass of the batch, in `unit`', example: 25 })
  batch!: number;

  @ApiProperty({ enum: MASS_UNITS, example: 'kg' })
  unit!: MassUnit;

  @ApiProperty({ type: CostPackDto, nullable: true, description: 'By the pack size of the profile' })
  pack!: CostPackDto | null;

  @ApiProperty({ type: CostTargetDto, nullable: true, description: 'The target cost of the profile' })
  target!: CostTargetDto | null;

  @FromProfile()
  fromProfile!: ProfileUse[];

  @ApiProperty({ type: [UnpricedLineDto], description: 'Lines without a usable price' })
  unpriced!: UnpricedLineDto[];

  @ApiProperty({ type: [CostPhaseDto], description: 'In the order of work' })
  phases!: CostPhaseDto[];
}

export type CostOrder = Pick<FormulaCostDto, 'batch' | 'unit'>;

const PER_KG = ['costPerKg', 'knownCostPerKg', 'pricedPercentage'] as const;

class ComparedCostDto extends PickType(CostSumFields, PER_KG) {}

export class CostChangeDto extends CostCurrencyFields {
  @ApiProperty()
  from!: ComparedCostDto;

  @ApiProperty()
  to!: ComparedCostDto;

  @NumberOrNull(`Currency per kg of the product, ${COST_ROUNDING}; null unless both costs are known`, 0.9)
  difference!: number | null;
}
