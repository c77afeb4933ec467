import { sumOf } from '../../platform/common/collections';
import type { InvalidInputError } from '../../platform/common/errors/service-error';
import { text } from '../../platform/texts/text';
import type { SubstanceDto } from './raw-material.dto';
import type { Substance } from './substance';
import { saysNano, substanceKey } from './substance-names';

/** A fault in one field of a request. */
export type FieldFault = Parameters<typeof InvalidInputError.of>[0][number];

/** A substance as it is stored, once its request class has checked its fields. */
export function substanceOf(given: SubstanceDto): Substance {
  return {
    inciName: given.inciName,
    chineseName: given.chineseName ?? null,
    casNumber: given.casNumber ?? null,
    ecNumber: given.ecNumber ?? null,
    minPercentage: given.percentage ?? given.range?.min ?? 0,
    maxPercentage: given.percentage ?? given.range?.max ?? 0,
    role: given.role ?? null,
  };
}

/** The fault in the share of one substance, if there is one. */
function shareFault({
  percentage,
  range,
}: Pick<SubstanceDto, 'percentage' | 'range'>): FieldFault | undefined {
  const hasPercentage = typeof percentage === 'number';
  const hasRange = range !== null && range !== undefined;
  if (hasPercentage === hasRange) {
    return { field: 'percentage', message: text('composition.percentage-or-range') };
  }
  if (range && range.min > range.max) {
    return { field: 'range', message: reversedRange(range.min, range.max) };
  }
  return undefined;
}

export const reversedRange = (min: number, max: number) => text('composition.reversed-range', { min, max });

/** Positions, counted from 0, of substances that an earlier one names already, each with that one's. */
export function repeatedSubstances(substances: readonly Substance[]): [position: number, first: number][] {
  const firsts = new Map<string, number>();
  return substances.flatMap((substance, position) => {
    const key = identityOf(substance);
    const first = firsts.get(key);
    if (first !== undefined) return [[position, first] as [number, number]];
    firsts.set(key, position);
    return [];
  });
}

/** A substance may be in a raw material as a nanomaterial and otherwise, and as an impurity beside its use. */
const identityOf = ({ inciName, role }: Substance): string => {
  const isNano = role === 'nano' || saysNano(inciName);
  const isImpurity = role === 'impurity' || role === 'processing-aid';
  return `${substanceKey(inciName)}|${isNano}|${isImpurity}`;
};

/**
 * Exact shares must be 100 together. With ranges some choice of shares must be: the lowest are at most 100
 * together, and the highest at least.
 */
export function sumFault(substances: readonly Substance[]) {
  const min = sumOf(substances.map(({ minPercentage }) => minPercentage));
  const max = sumOf(substances.map(({ maxPercentage }) => maxPercentage));
  if (min.lte(100) && max.gte(100)) return undefined;
  return min.eq(max)
    ? text('composition.percentage-sum', { sum: min.toFixed() })
    : text('composition.range-sum', { min: min.toFixed(), max: max.toFixed() });
}

/** Everything that is wrong with a list of substances beyond its single fields. An empty one has no fault. */
export function substanceFaults(given: readonly SubstanceDto[]): FieldFault[] {
  const shares = given.flatMap((substance, position) => {
    const fault = shareFault(substance);
    return fault ? [{ ...fault, field: `substances.${position}.${fault.field}` }] : [];
  });
  if (given.length === 0 || shares.length > 0) return shares;
  const substances = given.map(substanceOf);
  const repeated = repeatedSubstances(substances).map(([position, first]) => ({
    field: `substances.${position}.inciName`,
    message: text('composition.repeated-substance', { position: first + 1 }),
  }));
  const sum = sumFault(substances);
  return [...repeated, ...(sum ? [{ field: 'substances', message: sum }] : [])];
}
