import { ApiProperty, OmitType } from '@nestjs/swagger';
import { text } from '../../platform/texts/text';
import {
  EnumField,
  NumberField,
  ObjectField,
  TextField,
  TextListField,
  UuidField,
} from '../../platform/validation/fields';
import { IdField, ResponseType, ShownField } from '../../platform/validation/record-fields';
import { MAX_NAME } from '../formula.fields';
import { PRODUCT_TYPES, type ProductTraits, type ProductType } from '../product-types';

export const PACK_UNITS = ['g', 'kg', 'mL', 'L'] as const;
export const COST_BASES = ['kg', 'pack'] as const;

const CURRENCY = /^[A-Z]{3}$/;

export class PackSizeDto {
  @NumberField({ moreThan: 0, max: 1_000_000, example: 50 })
  amount!: number;

  @EnumField({ values: PACK_UNITS, description: 'A volume becomes a mass by the density', example: 'mL' })
  unit!: (typeof PACK_UNITS)[number];
}

export class TargetCostDto {
  @NumberField({ moreThan: 0, max: 1_000_000_000, example: 30 })
  amount!: number;

  @TextField({
    max: 3,
    rule: (code) => (CURRENCY.test(code) ? undefined : text('field.not-a-currency')),
    description: 'Three capital letters of ISO 4217',
    example: 'CNY',
  })
  currency!: string;

  @EnumField({ values: COST_BASES, description: 'Of a kilogram of the product, or of a pack', example: 'kg' })
  per!: (typeof COST_BASES)[number];
}

export class MixedWithDto {
  @UuidField({ presence: 'optional', description: 'Another formula that you may read', example: null })
  formulaId?: string | null;

  @TextField({
    max: MAX_NAME,
    presence: 'optional',
    trim: true,
    description:
      'Without `formulaId`: what it is. With it, the name of that formula, which remains when it is deleted; null if ' +
      'you may not see it',
    example: '6% 双氧乳',
  })
  name?: string | null;

  @NumberField({
    moreThan: 0,
    max: 1000,
    description: 'Parts by mass of it for one part of the product: 1.5 for 1 : 1.5',
    example: 1.5,
  })
  ratio!: number;
}

class ProductTraitsDto implements ProductTraits {
  @ApiProperty({ description: 'As the SCCS counts products' })
  rinsedOff!: boolean;

  @ApiProperty()
  mouth!: boolean;

  @ApiProperty({ description: 'Around the eyes' })
  eyes!: boolean;

  @ApiProperty()
  hairDye!: boolean;

  @ApiProperty({ description: 'It may be inhaled' })
  spray!: boolean;

  @ApiProperty({ description: 'Usually: `mixedWith` says with what' })
  mixedBeforeUse!: boolean;
}

/** The product that a formula is for. It belongs to the formula, not to a version. */
export class ProfileFields {
  @IdField()
  formulaId!: string;

  @EnumField({
    values: PRODUCT_TYPES,
    presence: 'optional',
    description: 'For labels, screenings and batch sheets',
    example: 'face-leave-on',
  })
  productType?: ProductType | null;

  @ShownField({ type: ProductTraitsDto, nullable: true, description: 'The consequences of the product type' })
  traits!: ProductTraits | null;

  @TextListField({
    ...{ maxItems: 20, max: 20 },
    presence: 'optional',
    default: [],
    description:
      'Regions of labels and limits. The first is that of screenings, and the first of `eu`, `us` and `cn` that of labels',
    example: ['cn', 'eu'],
  })
  markets?: string[] | null;

  @ObjectField({ type: () => PackSizeDto, presence: 'optional' })
  packSize?: PackSizeDto | null;

  @ObjectField({ type: () => TargetCostDto, presence: 'optional', description: 'Of the raw materials' })
  targetCost?: TargetCostDto | null;

  @NumberField({
    moreThan: 0,
    max: 25,
    presence: 'optional',
    description: 'Grams per millilitre',
    example: 0.98,
  })
  density?: number | null;

  @ObjectField({
    type: () => MixedWithDto,
    presence: 'optional',
    description: 'What the product is mixed with before use. Limits after mixing are judged on the mixture',
  })
  mixedWith?: MixedWithDto | null;
}

/** Replaces the profile: a field that is left out is empty. */
export class ReplaceProfileDto extends OmitType(ProfileFields, ['formulaId', 'traits']) {}

export class ProfileDto extends ResponseType(ProfileFields) {}

/** A profile as it is stored. */
export type Profile = Readonly<
  Pick<ProfileDto, 'productType' | 'packSize' | 'targetCost' | 'density'> & {
    markets: string[];
    mixedWith: Required<MixedWithDto> | null;
  }
>;

export const EMPTY_PROFILE: Profile = {
  ...{ productType: null, markets: [], packSize: null, targetCost: null, density: null, mixedWith: null },
};
