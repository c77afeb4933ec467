import Big from 'big.js';
import { InvalidInputError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import { type Composition, type CompositionLine, linesOf } from '../composition/composition';
import { usesOf } from '../profile/profile-defaults';
import { EMPTY_PROFILE, type Profile } from '../profile/profile.fields';
import { converted, lineOf, packMassOf, versionOf } from './analysis.fields';
import { type RoundedShare, roundToSteps } from './round-to-steps';
import type { BatchLineDto, BatchOrder, BatchSheetDto } from './batch.dto';
import { sumOf } from '../../platform/common/collections';
import { percentageOf } from '../percentage-sum';

/**
 * Digits of a step, and most steps of a batch: no weight has more than 15 digits then, which a JSON number
 * holds exactly.
 */
const STEP_DIGITS = 3;
const MAX_STEPS = 1e12;

/**
 * The weights of a batch, rounded to steps of the balance by `roundToSteps`. They are in proportion to the
 * percentages, so that they add up to the batch also where the percentages make 99.7.
 * @throws InvalidInputError where the balance cannot weigh the batch: its mass is no multiple of the step
 */
export function batchSheetOf(composition: Composition, order: BatchOrder): BatchSheetDto {
  const { unit, step, stepUnit } = order;
  const lines = linesOf(composition);
  const parts = roundToSteps(
    stepsOf(order),
    lines.map(({ percentage }) => percentage),
  );
  const partOfLine = new Map(lines.map((line, index) => [line, parts[index]!]));
  const partOf = (line: CompositionLine) => partOfLine.get(line)!;
  const weights = (steps: Big) => {
    const onBalance = steps.times(step);
    return { weight: converted(onBalance, stepUnit, unit).toNumber(), weightOnBalance: onBalance.toNumber() };
  };
  const errorOf = (part: RoundedShare) => ({
    lineId: lines[parts.indexOf(part)]!.id,
    error: shortened(part.error.times(step)),
    percentOfLine: shortened(part.relativeError.times(100)),
  });
  return {
    ...versionOf(composition),
    totalPercentage: percentageOf(lines).toNumber(),
    ...order,
    massOnBalance: converted(order.mass, unit, stepUnit).toNumber(),
    largestError: errorOf(largestBy(parts, ({ error }) => error.abs())),
    largestErrorOfLine: errorOf(largestBy(parts, ({ relativeError }) => relativeError)),
    ...byProfile(composition.profile, order),
    phases: composition.phases.map(({ name, sortOrder, ingredients }) => ({
      name,
      sortOrder,
      percentage: percentageOf(ingredients).toNumber(),
      ...weights(sumOf(ingredients.map((line) => partOf(line).steps))),
      ingredients: ingredients.map((line) => ({
        ...lineOf(line),
        supplier: supplierOf(line),
        processNotes: line.processNotes,
        ...weights(partOf(line).steps),
        belowStep: partOf(line).isBelowOne,
      })),
    })),
  };
}

function supplierOf({ catalogue }: CompositionLine): BatchLineDto['supplier'] {
  const supplier = catalogue?.card?.supplier;
  return supplier ? { name: supplier.name, code: supplier.code, tradeName: supplier.tradeName } : null;
}

/** Packs and volume of the batch. */
function byProfile(profile: Profile | null, { mass, unit }: BatchOrder) {
  const { productType, density, packSize, mixedWith } = profile ?? EMPTY_PROFILE;
  const kilograms = packMassOf(profile);
  const batch = converted(mass, unit, 'kg');
  const rest = kilograms && batch.mod(kilograms);
  return {
    productType,
    volume: density === null ? null : batch.div(density).round(6, Big.roundHalfUp).toNumber(),
    pack: packSize && {
      ...packSize,
      kilograms: kilograms && kilograms.toNumber(),
      count: rest && batch.minus(rest).div(kilograms).toNumber(),
      rest: rest && converted(rest, 'kg', unit).toNumber(),
    },
    mixedWith,
    fromProfile: usesOf({ productType, density, packSize, mixedWith }),
  };
}

/** How many steps of the balance the batch is. */
function stepsOf({ mass, unit, step, stepUnit }: BatchOrder): Big {
  const stepSize = new Big(step);
  if (stepSize.c.length > STEP_DIGITS)
    throw orderFault('step', text('batch.too-many-digits', { max: STEP_DIGITS }));
  const onBalance = converted(mass, unit, stepUnit);
  if (onBalance.gt(stepSize.times(MAX_STEPS))) {
    throw orderFault('mass', text('batch.too-many-steps', { max: MAX_STEPS }));
  }
  if (!onBalance.mod(stepSize).eq(0)) throw orderFault('mass', text('batch.not-a-multiple'));
  return onBalance.div(stepSize);
}

const orderFault = (field: keyof BatchOrder, message: ReturnType<typeof text>) =>
  InvalidInputError.of([{ field, message }]);

/** The first of the largest. */
const largestBy = (parts: readonly RoundedShare[], size: (part: RoundedShare) => Big): RoundedShare =>
  parts.reduce((largest, part) => (size(part).gt(size(largest)) ? part : largest));

const shortened = (value: Big): number => (value.eq(0) ? 0 : value.prec(6, Big.roundHalfUp).toNumber());
