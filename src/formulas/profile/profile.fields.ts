import { OmitType } from '@nestjs/swagger';
import { validateSync } from 'class-validator';
import { CurrencyField, DensityField } from '../../ingredients/cards/card.dto';
import { distinct } from '../../platform/common/collections';
import { toInsertValues } from '../../platform/validation/field-metadata';
import { fieldFaults } from '../../platform/validation/input.pipe';
import { requestInstance } from '../../platform/validation/request-instance';
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
import { PRODUCT_TRAITS, PRODUCT_TYPES, type ProductTrait, type ProductType } from '../product-types';

export const PACK_UNITS = ['g', 'kg', 'mL', 'L'] as const;
export const COST_BASES = ['kg', 'pack'] as const;

export class PackSizeDto {
  @NumberField({ min: 0.01, max: 1_000_000, example: 50 })
  amount!: number;

  @EnumField({ values: PACK_UNITS, description: 'A volume becomes a mass by the density', example: 'mL' })
  unit!: (typeof PACK_UNITS)[number];
}

export class TargetCostDto {
  @NumberField({ moreThan: 0, max: 1_000_000_000, example: 30 })
  amount!: number;

  @CurrencyField({ description: 'Its code or sign' })
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
      'With `formulaId` it is the name of that formula, which remains when it is deleted; null if you may not see it',
    example: '6% 双氧乳',
  })
  name?: string | null;

  @NumberField({
    moreThan: 0,
    max: 1000,
    description: 'Its parts by mass for one part of the product',
    example: 1.5,
  })
  ratio!: number;
}

/** The product that a formula is for. It belongs to the formula, not to a version. */
class ProfileFields {
  @IdField()
  formulaId!: string;

  @EnumField({ values: PRODUCT_TYPES, presence: 'optional', example: 'face-leave-on' })
  productType?: ProductType | null;

  @ShownField({
    enum: PRODUCT_TRAITS,
    isArray: true,
    description:
      'What follows from the product type; `mixed-before-use`: usually, `mixedWith` says with what',
    example: ['leave-on'],
  })
  traits!: ProductTrait[];

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

  @DensityField()
  density?: number | null;

  @ObjectField({
    type: () => MixedWithDto,
    presence: 'optional',
    description: 'Limits after mixing are of the mixture',
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

const NOTHING = { packSize: null, targetCost: null, density: null, mixedWith: null };
export const EMPTY_PROFILE: Profile = { productType: null, markets: [], ...NOTHING };

/** Returns the values of a profile, with its markets in small letters, each once. */
export function toProfile(input: ReplaceProfileDto): Profile {
  const { markets, ...others } = toInsertValues(ProfileFields, input);
  const regions = distinct((markets ?? []).map((market) => market.trim().toLowerCase()));
  return { ...EMPTY_PROFILE, ...others, markets: regions } as Profile;
}

let last: { json: string; read: Profile | { fault: string } } = { json: '', read: { fault: 'JSON' } };

/** Returns the profile that a JSON text has, or what is wrong with it. Rows of one formula have the same. */
export function profileOfText(json: string): Profile | { fault: string } {
  if (last.json !== json) last = { json, read: profileIn(json) };
  return last.read;
}

function profileIn(json: string): Profile | { fault: string } {
  try {
    const written = JSON.parse(json.startsWith('{') ? json : '') as object;
    const input: ReplaceProfileDto = requestInstance(ReplaceProfileDto, written);
    const [fault] = fieldFaults(validateSync(input, { whitelist: true, forbidUnknownValues: false }));
    if (fault?.field !== undefined) return { fault: fault.field };
    const { mixedWith } = input;
    if (mixedWith && !mixedWith.formulaId && !mixedWith.name) return { fault: 'mixedWith' };
    // A plain object, as stored ones are.
    return JSON.parse(JSON.stringify(toProfile(input))) as Profile;
  } catch {
    return { fault: 'JSON' };
  }
}
