import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { NumberOrNull } from '../../platform/validation/record-fields';
import { QueryEnumField, QueryNumberField } from '../../platform/validation/query-fields';
import { DocumentQuery } from '../../documents/document-format';
import { ShownSupplierDto } from '../../ingredients/cards/card.dto';
import { VersionQuery } from '../version-number';
import { FormulaLineDto } from '../formula.dto';
import {
  AnalysedPhaseDto,
  AnalysedVersionDto,
  MASS_BOUNDS,
  MASS_UNITS,
  type MassUnit,
  PackDto,
} from './analysis.fields';
import { PRODUCT_TYPES, type ProductType } from '../product-types';
import { FromProfile, type ProfileUse } from '../profile/profile-defaults';
import { MixedWithDto } from '../profile/profile.fields';

class BatchOrderQuery extends VersionQuery {
  @QueryNumberField({
    ...MASS_BOUNDS,
    default: 1,
    description: 'Mass of the batch; a whole multiple of `step`',
    example: 25,
  })
  mass: number = 1;

  @QueryEnumField({ values: MASS_UNITS, default: 'kg', description: 'Unit of `mass`', example: 'kg' })
  unit: MassUnit = 'kg';

  @QueryNumberField({
    ...MASS_BOUNDS,
    default: 0.1,
    description: 'Smallest step that the balance shows; at most three significant digits',
    example: 0.1,
  })
  step: number = 0.1;

  @QueryEnumField({ values: MASS_UNITS, default: 'g', description: 'Unit of `step`', example: 'g' })
  stepUnit: MassUnit = 'g';
}

export class BatchQuery extends IntersectionType(BatchOrderQuery, DocumentQuery) {}

class BatchSupplierDto extends PickType(ShownSupplierDto, ['name', 'code', 'tradeName']) {}

export class BatchLineDto extends FormulaLineDto {
  @ApiProperty({
    type: BatchSupplierDto,
    nullable: true,
    description:
      'The preferred supplier on the card of the ingredient; null also where that is hidden from you',
  })
  supplier!: BatchSupplierDto | null;

  @ApiProperty({ description: 'Mass to weigh, in `unit`', example: 1.25 })
  weight!: number;

  @ApiProperty({ description: 'The same in `stepUnit`, as the balance shows it', example: 1250 })
  weightOnBalance!: number;

  @ApiProperty({
    description: 'The exact mass is less than one step, which this balance cannot weigh',
    example: false,
  })
  belowStep!: boolean;
}

class BatchPhaseDto extends AnalysedPhaseDto {
  @ApiProperty({ description: 'Sum of its lines, in `unit`', example: 19.375 })
  weight!: number;

  @ApiProperty({ description: 'The same in `stepUnit`', example: 19375 })
  weightOnBalance!: number;

  @ApiProperty({ type: [BatchLineDto] })
  ingredients!: BatchLineDto[];
}

class RoundingErrorDto {
  @ApiProperty({ format: 'uuid', description: 'The line that has it' })
  lineId!: string;

  @ApiProperty({
    description: 'Rounded mass less exact mass, in `stepUnit`, to six significant digits',
    example: -0.025,
  })
  error!: number;

  @ApiProperty({
    description:
      'The error without its sign, in percent of the exact mass of the line, to six significant digits',
    example: 0.002,
  })
  percentOfLine!: number;
}

class BatchPackDto extends PackDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'Full packs of the batch', example: 520 })
  count!: number | null;

  @NumberOrNull('Mass that remains, in `unit`', 0.04)
  rest!: number | null;
}

export class BatchSheetDto extends AnalysedVersionDto {
  @ApiProperty({ description: 'Mass of the batch, to which the weights add up exactly', example: 25 })
  mass!: number;

  @ApiProperty({ enum: MASS_UNITS, description: 'Unit of `mass` and of each `weight`', example: 'kg' })
  unit!: MassUnit;

  @ApiProperty({
    description: 'Step of the balance, of which every weight is a whole multiple',
    example: 0.1,
  })
  step!: number;

  @ApiProperty({
    enum: MASS_UNITS,
    description: 'Unit of `step` and of each `weightOnBalance`',
    example: 'g',
  })
  stepUnit!: MassUnit;

  @ApiProperty({ description: 'The mass in `stepUnit`', example: 25000 })
  massOnBalance!: number;

  @ApiProperty({ description: 'The largest error of rounding by mass' })
  largestError!: RoundingErrorDto;

  @ApiProperty({ description: 'The largest error of rounding relative to its line' })
  largestErrorOfLine!: RoundingErrorDto;

  @ApiProperty({ enum: PRODUCT_TYPES, nullable: true, description: 'Of the profile' })
  productType!: ProductType | null;

  @NumberOrNull('In L, rounded half up to 6 decimals', 26.041667)
  volume!: number | null;

  @ApiProperty({ type: BatchPackDto, nullable: true, description: 'By the pack size of the profile' })
  pack!: BatchPackDto | null;

  @ApiProperty({
    type: MixedWithDto,
    nullable: true,
    description: 'What the product is mixed with before use',
  })
  mixedWith!: Required<MixedWithDto> | null;

  @FromProfile()
  fromProfile!: ProfileUse[];

  @ApiProperty({ type: [BatchPhaseDto], description: 'In the order of work' })
  phases!: BatchPhaseDto[];
}

export type BatchOrder = Pick<BatchSheetDto, 'mass' | 'unit' | 'step' | 'stepUnit'>;
