import type { Limit } from '../editions/limit.entity';
import type { FindingNote, MissingInformation } from './screening.dto';
import type { CountedSubstance, Finding, Subject } from './screening-model';
import Big from 'big.js';
import { sumOf } from '../../platform/common/collections';
import factors from './salt-factors.json';
import { substanceKey } from '../../ingredients/raw-materials/substance-names';
import type { MatchedRows } from './limit-scopes';

/** A limit of the mixture before use, unless the table has a factor for it. */
export const isAfterMixing = ({ basis, factor }: Limit): boolean =>
  factor === null && basis?.trim().toLowerCase() === 'after mixing';

/** Substances together against the number of a row that is for this use. */
export function judgeRow(limit: Limit, substances: readonly CountedSubstance[]): Finding {
  const { kind, limitPercent } = limit;
  const isKnown = isAmountKnown(limit, substances);
  const parts = partsOf(limit, substances);
  const notes = notesOnAmount(limit, substances);
  const finding = (result: Finding['result'], more: Partial<Finding> = {}): Finding => ({
    result,
    missing: [],
    notes: isKnown ? notes : [...notes.filter((note) => !/factor/.test(note)), 'not-converted'],
    limits: [limit],
    substances,
    amount: isKnown ? shown(knownAmount(limit, substances), parts) : amountAsIs(substances),
    ...more,
  });
  if (kind === 'prohibited') {
    return finding('prohibited', {
      notes: notes.filter((note) => note === 'maximum-of-range' || note === 'other-form'),
      amount: amountAsIs(substances),
    });
  }
  if (limitPercent === null) return judgeRowWithoutNumber(limit, finding);
  if (isKnownAbove(limit, substances)) {
    return finding(kind === 'declare-above' ? 'declare' : 'above-limit', {
      notes: isKnown ? notes : [...notes, 'known-part-above'],
      amount: shown(knownAmount(limit, substances), parts),
    });
  }
  return isKnown
    ? finding('not-above-limit')
    : finding('cannot-be-judged', { missing: [isAfterMixing(limit) ? 'mixture' : 'basis'] });
}

/** A list of substances for a purpose names some without a number. A limit without one cannot be compared with. */
function judgeRowWithoutNumber(
  { kind }: Limit,
  finding: (result: Finding['result'], more: Partial<Finding>) => Finding,
): Finding {
  const notes: FindingNote[] = [...finding('not-above-limit', {}).notes, 'no-number'];
  return kind === 'permitted-only'
    ? finding('not-above-limit', { notes })
    : finding('cannot-be-judged', { notes, missing: ['basis'] });
}

/** A row, or the rows of an entry, that say nothing for this use, or not whether they do. */
export function unjudged(
  result: 'cannot-be-judged' | 'listed-for-other-uses',
  limits: readonly Limit[],
  substances: readonly CountedSubstance[],
  { missing = [], notes = [] }: { missing?: MissingInformation[]; notes?: FindingNote[] } = {},
): Finding {
  const ranges = substances.some(({ subject }) => subject.isRange) ? ['maximum-of-range' as const] : [];
  const forms = substances.some(({ match }) => match?.isOtherForm) ? ['other-form' as const] : [];
  return {
    result,
    missing,
    notes: [
      ...ranges,
      ...forms,
      ...(isConverted(limits, substances) ? [] : ['not-converted' as const]),
      ...notes,
    ],
    limits,
    substances,
    amount: amountAsIs(substances),
  };
}

const ONE = new Big(1);

/**
 * Returns the percentage of a limit's basis in one percent of the substance; undefined if it is unknown. A
 * substance with the name of the basis is the basis itself.
 */
function factorOf({ key, mixed }: Subject, limit: Limit): Big | undefined {
  const { basis, factor } = limit;
  if (isAfterMixing(limit)) return mixed && ONE;
  if (basis !== null && isBasis(key, basis)) return ONE;
  if (factor !== null) return new Big(factor);
  if (basis === null) return ONE;
  const shipped = shippedFactor(key, basis);
  return shipped === undefined ? undefined : new Big(shipped);
}

/** Percent of the acid, base or metal in one percent of a salt or ester: the ratio of their molar masses. */
const SHIPPED = new Map(
  factors.flatMap(({ substance, basis, factor }) =>
    basis.map((each) => [`${substanceKey(substance)}|${substanceKey(each)}`, factor] as const),
  ),
);

const shippedFactor = (key: string, basis: string) => SHIPPED.get(`${key}|${substanceKey(basis)}`);

function isBasis(key: string, basis: string): boolean {
  const basisKey = substanceKey(basis);
  return key === basisKey || (basisKey === 'acid' && key.endsWith(' acid'));
}

/** Counts a substance in a row that names it. */
export function countedIn(limit: Limit, subject: Subject, rows: MatchedRows): CountedSubstance {
  return { subject, match: rows.get(limit) ?? null, factor: factorOf(subject, limit) ?? null };
}

/**
 * Counts a substance in a row of its sum group. If the row does not name the substance, the factor is taken from
 * rows of the group that do and have the same basis.
 * @param naming the rows that name the substance
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
  // If these rows contradict each other, the greatest factor is used, which never underestimates the amount.
  const factor = known.reduce<Big | null>((most, each) => (most?.gte(each) ? most : each), null);
  return { subject, match, factor };
}

/** Returns the part of the amount whose basis is known: percent of the formula, or of the mixture times its parts. */
const knownAmount = (limit: Limit, substances: readonly CountedSubstance[]): Big =>
  sumOf(
    substances.map(({ subject: { amount, mixed }, factor }) =>
      (isAfterMixing(limit) && mixed ? mixed.amount : amount).times(factor ?? 0),
    ),
  );

/** What is missing for a certain result, although a known part of the amount must be within the limit. */
const KNOWN_IN_PART: readonly MissingInformation[] = ['basis', 'mixture', 'conditions'];

/**
 * The number that a finding compares with, and what lines contribute to the amount; undefined if it compares with none,
 * or if it is not certain that its row limits this amount.
 */
export function limitOnLines({ result, missing, notes, limits: [limit], substances }: Finding) {
  const isProhibited = result === 'prohibited';
  const isCertain =
    ['prohibited', 'above-limit', 'not-above-limit'].includes(result) ||
    (result === 'cannot-be-judged' &&
      missing.every((each) => KNOWN_IN_PART.includes(each)) &&
      !notes.includes('sum-not-stated'));
  const hasNumber = limit?.kind !== 'declare-above' && (limit?.limitPercent ?? null) !== null;
  if (!limit || !isCertain || !(isProhibited || hasNumber)) return undefined;
  const contents = substances.flatMap(({ subject: { origins }, factor }) =>
    origins.map(({ line, share }) => ({ line, amount: share.times(isProhibited ? 1 : (factor ?? 0)) })),
  );
  if (isProhibited) return { contents, max: new Big(0) };
  // The other part of a mixture contributes the same, whatever the lines are.
  const fromOther = knownAmount(limit, substances).minus(sumOf(contents.map(({ amount }) => amount)));
  return { contents, max: partsOf(limit, substances).times(limit.limitPercent!).minus(fromOther) };
}

/** Parts of the mixture for one part of the product; 1 for a limit of the product itself. */
const partsOf = (limit: Limit, [first]: readonly CountedSubstance[]): Big =>
  (isAfterMixing(limit) && first?.subject.mixed?.parts) || ONE;

/** Returns true if the known part of the amount is above the limit. Exact, because nothing is divided. */
export const isKnownAbove = (limit: Limit, substances: readonly CountedSubstance[]): boolean =>
  knownAmount(limit, substances).gt(partsOf(limit, substances).times(limit.limitPercent!));

/** A share of a mixture may have no end, as that of 1 : 2. */
const shown = (amount: Big, parts: Big): Big =>
  parts.eq(1) ? amount : amount.div(parts).round(10, Big.roundHalfUp);

/** Returns the amount in the formula, without conversion. */
const amountAsIs = (substances: readonly CountedSubstance[]): Big =>
  sumOf(substances.map(({ subject }) => subject.amount));

/** Returns true if the amount in the formula is also the amount on the basis of the limits. */
const isConverted = (limits: readonly Limit[], substances: readonly CountedSubstance[]): boolean =>
  limits.every((limit) =>
    substances.every(({ subject }) => !isAfterMixing(limit) && factorOf(subject, limit)?.eq(ONE)),
  );

const isAmountKnown = (limit: Limit, substances: readonly CountedSubstance[]): boolean =>
  substances.every(({ subject, factor }) => factor && !(isAfterMixing(limit) && subject.mixed?.isLowerBound));

/** Returns notes on how the amount on the basis of a limit was calculated. */
function notesOnAmount(limit: Limit, substances: readonly CountedSubstance[]): FindingNote[] {
  const { basis, factor } = limit;
  const isOwnBasis = ({ subject }: CountedSubstance) => basis !== null && isBasis(subject.key, basis);
  const isShipped = ({ subject }: CountedSubstance) =>
    basis !== null && factor === null && shippedFactor(subject.key, basis) !== undefined;
  const isConverted = (counted: CountedSubstance) =>
    counted.factor !== null && !isOwnBasis(counted) && (basis !== null || factor !== null);
  const converted = isAfterMixing(limit) ? [] : substances.filter(isConverted);
  return [
    ...(isAfterMixing(limit) && substances[0]?.subject.mixed ? ['after-mixing' as const] : []),
    ...(substances.some(({ subject }) => subject.isRange) ? ['maximum-of-range' as const] : []),
    ...(substances.some(isOwnBasis) ? ['own-basis' as const] : []),
    ...(converted.some((counted) => !isShipped(counted)) ? ['factor-of-table' as const] : []),
    ...(converted.some(isShipped) ? ['shipped-factor' as const] : []),
    ...(substances.length > 1 ? ['counted-together' as const] : []),
    ...(substances.some(({ match }) => match?.isOtherForm) ? ['other-form' as const] : []),
  ];
}
