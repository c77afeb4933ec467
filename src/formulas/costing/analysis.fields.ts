import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { NumberOrNull } from '../../platform/validation/record-fields';
import Big, { type BigSource } from 'big.js';
import { kilogramsOf } from '../../ingredients/price-unit';
import { FormulaLineDto, FormulaPhaseDto, FormulaVersionDto } from '../formula.dto';
import type { Composition, CompositionLine } from '../composition/composition';
import { PackSizeDto, type Profile } from '../profile/profile.fields';

/** In grams. Each is a power of ten of the others, so that a number keeps its digits from one to another. */
const GRAMS = { kg: '1e3', g: '1', mg: '1e-3', t: '1e6' } as const;

export type MassUnit = keyof typeof GRAMS;

export const MASS_UNITS = Object.keys(GRAMS) as MassUnit[];

/** Bounds of a mass or step in any unit: from less than any balance shows to more than any vessel holds. */
export const MASS_BOUNDS = { min: 0.000_001, max: 1_000_000 } as const;

export const converted = (mass: BigSource, from: MassUnit, to: MassUnit): Big =>
  new Big(mass).times(GRAMS[from]).div(GRAMS[to]);

export class AnalysedVersionDto extends PickType(FormulaVersionDto, ['versionNumber']) {
  @ApiProperty({ format: 'uuid' })
  formulaId!: string;

  @ApiProperty({ example: '保湿霜' })
  formulaName!: string;

  @ApiProperty({
    description: 'Sum of the percentages as they were entered; 99.5 to 100.5',
    example: 100,
  })
  totalPercentage!: number;
}

export class AnalysedLineDto extends OmitType(FormulaLineDto, ['processNotes']) {}

export class AnalysedPhaseDto extends PickType(FormulaPhaseDto, ['name', 'sortOrder']) {
  @ApiProperty({ description: 'Percent of the formula', example: 77.5 })
  percentage!: number;
}

export const versionOf = ({ formulaId, formulaName, versionNumber }: Composition) => ({
  formulaId,
  formulaName,
  versionNumber,
});

export const lineOf = ({ id, ingredientId, ingredient, percentage }: CompositionLine): AnalysedLineDto => ({
  id,
  ingredientId,
  ingredient,
  percentage,
});

/** A pack of the product. */
export class PackDto extends PackSizeDto {
  @NumberOrNull('Null for a volume without density', 0.048)
  kilograms!: number | null;
}

/** Returns the exact mass of a pack in kilograms; null where the profile does not say it. */
export function packMassOf(profile: Profile | null): Big | null {
  if (!profile?.packSize) return null;
  const { amount, unit } = profile.packSize;
  const kilograms = kilogramsOf(unit, profile.density);
  return 'reason' in kilograms ? null : kilograms.times(amount);
}
