import Big from 'big.js';
import { substanceKey } from '../../raw-materials/substance-names';
import type { Limit } from '../limit';
import type { CountedSubstance, FindingNote, Subject } from './screening-model';
import type { MatchedRows } from './row-matches';

const ONE = new Big(1);

/**
 * Percent of the basis of a limit in one percent of the substance; undefined where it is not known. A substance that
 * has the name of the basis is the basis.
 */
function factorOf({ key }: Subject, { basis, factor }: Limit): Big | undefined {
  if (basis !== null && isBasis(key, basis)) return ONE;
  if (factor !== null) return new Big(factor);
  return basis === null ? ONE : undefined;
}

function isBasis(key: string, basis: string): boolean {
  const basisKey = substanceKey(basis);
  return key === basisKey || (basisKey === 'acid' && key.endsWith(' acid'));
}

/** A substance as a row counts it that names it. */
export function countedIn(limit: Limit, subject: Subject, rows: MatchedRows): CountedSubstance {
  return { subject, match: rows.get(limit) ?? null, factor: factorOf(subject, limit) ?? null };
}

/**
 * A substance as a row of its sum group counts it. If the row does not name it, its factor is that of the rows of
 * the group that do, if their basis is the same.
 * @param naming those rows
 */
export function countedInGroup(
  limit: Limit,
  subject: Subject,
  rows: MatchedRows,
  naming: readonly Limit[],
): CountedSubstance {
  if (rows.has(limit)) return countedIn(limit, subject, rows);
  if (limit.basis !== null && isBasis(subject.key, limit.basis)) {
    return { subject, match: null, factor: ONE };
  }
  const match = rows.get(naming[0]!) ?? null;
  const factors = naming.map((row) => (row.basis === limit.basis ? factorOf(subject, row) : undefined));
  const known = factors.filter((factor) => factor !== undefined);
  // Rows that contradict each other: the greatest, which is never on the side of too little.
  const factor = known.reduce<Big | null>((most, each) => (most?.gte(each) ? most : each), null);
  return { subject, match, factor };
}

/** The part of an amount whose basis is known. */
export const knownAmount = (substances: readonly CountedSubstance[]): Big =>
  substances.reduce(
    (sum, { subject, factor }) => (factor ? sum.plus(subject.amount.times(factor)) : sum),
    new Big(0),
  );

/** The amount in the formula, on no other basis. */
export const amountAsIs = (substances: readonly CountedSubstance[]): Big =>
  substances.reduce((sum, { subject }) => sum.plus(subject.amount), new Big(0));

/** Whether the amount in the formula is also that on the basis of the limits. */
export const isConverted = (limits: readonly Limit[], substances: readonly CountedSubstance[]): boolean =>
  limits.every((limit) => substances.every(({ subject }) => factorOf(subject, limit)?.eq(ONE)));

export const isAmountKnown = (substances: readonly CountedSubstance[]): boolean =>
  substances.every(({ factor }) => factor !== null);

/** How the amount on the basis of a limit came about. */
export function notesOnAmount(limit: Limit, substances: readonly CountedSubstance[]): FindingNote[] {
  const isOwnBasis = ({ subject }: CountedSubstance) =>
    limit.basis !== null && isBasis(subject.key, limit.basis);
  const hasTableFactor = (counted: CountedSubstance) =>
    counted.factor !== null && !isOwnBasis(counted) && (limit.basis !== null || limit.factor !== null);
  return [
    ...(substances.some(({ subject }) => subject.isRange) ? ['maximum-of-range' as const] : []),
    ...(substances.some(isOwnBasis) ? ['own-basis' as const] : []),
    ...(substances.some(hasTableFactor) ? ['factor-of-table' as const] : []),
    ...(substances.length > 1 ? ['counted-together' as const] : []),
    ...(substances.some(({ match }) => match?.isOtherForm) ? ['other-form' as const] : []),
  ];
}
