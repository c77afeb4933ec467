import type { Expansion } from '../../formulas/composition/expansion';
import type { Limit } from '../limit';
import { compareTexts, inTableOrder, worstFirst } from './finding-order';
import { LimitScopes } from './limit-scopes';
import { RowIndex } from './row-matches';
import { rowFindings } from './row-findings';
import type {
  Finding,
  Screening,
  ScreeningConditions,
  Subject,
  UnexaminedPart,
  UpcomingLimit,
} from './screening-model';
import { groupedBy, namedBlends, subjectOf, unexaminedParts } from './subjects';

/**
 * Compares the substances of a formula with a table of limits.
 * @param limits that may concern them, with those of the same entries and sum groups; null where none is loaded
 */
export function screen(
  expansion: Expansion,
  limits: readonly Limit[] | null,
  conditions: ScreeningConditions,
): Screening {
  const { on } = conditions;
  const valid = inTableOrder((limits ?? []).filter((limit) => isValid(limit, on)));
  const inForce = new RowIndex(valid);
  const substances = expansion.substances.map(subjectOf);
  const subjects = [...substances, ...namedBlends(expansion)].toSorted(byName);
  const scopes = new LimitScopes(conditions, subjects, inForce);
  const unexamined = unexaminedParts(expansion, (subject) => inForce.match(subject).size > 0);
  const shared = { unexamined, substanceCount: substances.length };
  if (limits === null) return { ...shared, findings: [NO_DATA], upcoming: [] };
  const findings = [
    ...rowFindings(valid, scopes),
    ...unexamined.filter(({ reason }) => reason !== 'fragrance-rest').map(compositionMissing),
    ...unmatched(substances, scopes, unexamined),
  ];
  return {
    ...shared,
    findings: worstFirst(findings),
    upcoming: upcomingLimits(limits, subjects, on),
  };
}

const byName = (one: Subject, other: Subject): number =>
  compareTexts(one.key, other.key) || Number(one.isNano) - Number(other.isNano);

const isValid = ({ validFrom, validUntil }: Limit, on: string): boolean =>
  (validFrom === null || validFrom <= on) && (validUntil === null || on <= validUntil);

const NOTHING_FOUND = { missing: [], notes: [], limits: [], substances: [], amount: null };
const NO_DATA: Finding = { ...NOTHING_FOUND, result: 'no-data' };

function compositionMissing({ inciName, amount, origins }: UnexaminedPart): Finding {
  const subject: Subject = {
    key: '',
    inciName,
    isNano: false,
    casNumbers: [],
    amount,
    isRange: false,
    origins,
  };
  return {
    ...NOTHING_FOUND,
    result: 'cannot-be-judged',
    missing: ['composition'],
    substances: [{ subject, match: null, factor: null }],
    amount,
  };
}

/** Substances that no row names. A fragrance of unknown composition is none of them. */
function unmatched(
  substances: readonly Subject[],
  scopes: LimitScopes,
  unexamined: readonly UnexaminedPart[],
): Finding[] {
  const unknown = new Set(
    unexamined
      .filter(({ reason }) => reason === 'fragrance')
      .flatMap(({ origins }) => origins.map(({ line }) => line)),
  );
  return substances
    .filter((subject) => scopes.rowsOf(subject).size === 0)
    .filter(({ origins }) => !origins.every(({ line }) => unknown.has(line)))
    .map((subject) => ({
      ...NOTHING_FOUND,
      result: 'no-entry-matched',
      notes: subject.isRange ? ['maximum-of-range'] : [],
      substances: [{ subject, match: null, factor: null }],
      amount: subject.amount,
    }));
}

function upcomingLimits(limits: readonly Limit[], subjects: readonly Subject[], on: string): UpcomingLimit[] {
  const later = inTableOrder(limits.filter(({ validFrom }) => validFrom !== null && validFrom > on));
  const index = new RowIndex(later);
  const named = subjects.flatMap((subject) =>
    [...index.match(subject).keys()].map((limit) => ({ limit, subject })),
  );
  return [...groupedBy(named, ({ limit }) => limit)].map(([limit, found]) => ({
    limit,
    substances: found.map(({ subject }) => subject),
  }));
}
