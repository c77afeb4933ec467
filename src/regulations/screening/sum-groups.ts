import Big from 'big.js';
import type { Limit } from '../limit';
import { countedInGroup } from './amounts';
import { judgeRow, unjudged } from './judged-row';
import type { LimitScopes } from './limit-scopes';
import type { CountedSubstance, Finding, Subject } from './screening-model';
import { groupedBy } from './subjects';

/**
 * The sum of all members of a group against the greatest limit of its rows, and against the rows of the group that
 * name no substance of their own. Smaller limits of the group hold for the substances that their rows name.
 */
export function sumGroupFindings(limits: readonly Limit[], scopes: LimitScopes): Finding[] {
  const members = membersOf(scopes);
  const rows = limits.filter(({ kind, sumGroup }) => kind !== 'prohibited' && members.has(sumGroup ?? ''));
  return [...groupedBy(rows, ({ sumGroup, kind }) => `${kind}|${sumGroup}`).values()].flatMap((ofGroup) =>
    findingsOfGroup(ofGroup, members.get(ofGroup[0]!.sumGroup!)!, scopes),
  );
}

function membersOf(scopes: LimitScopes): Map<string, Subject[]> {
  const members = scopes.subjects.flatMap((subject) => {
    const groups = new Set([...scopes.rowsOf(subject).keys()].flatMap(({ sumGroup }) => sumGroup ?? []));
    return [...groups].map((group) => ({ group, subject }));
  });
  const byGroup = groupedBy(members, ({ group }) => group);
  return new Map([...byGroup].map(([group, found]) => [group, found.map(({ subject }) => subject)]));
}

function findingsOfGroup(
  rows: readonly Limit[],
  members: readonly Subject[],
  scopes: LimitScopes,
): Finding[] {
  const group = rows[0]!.sumGroup;
  const naming = new Map(
    members.map((subject) => [
      subject,
      [...scopes.rowsOf(subject).keys()].filter(({ sumGroup }) => sumGroup === group),
    ]),
  );
  const counted = (limit: Limit): CountedSubstance[] => {
    scopes.count(members.length);
    return members.map((subject) =>
      countedInGroup(limit, subject, scopes.rowsOf(subject), naming.get(subject)!),
    );
  };
  const forThisUse = rows.filter((row) => scopes.of(row) === 'this-use');
  const greatest = forThisUse.reduce<Big | null>(
    (most, { limitPercent }) =>
      limitPercent !== null && !most?.gte(limitPercent) ? new Big(limitPercent) : most,
    null,
  );
  const forSum = forThisUse.filter((row) => isOwnRow(row) || isEqual(greatest, row.limitPercent));
  const unknown = rows.filter((row) => isOwnRow(row) && scopes.of(row) === 'unknown');
  return [
    ...[...groupedBy(forSum, ({ limitPercent, basis }) => `${limitPercent}|${basis}`).values()].map(
      (same) => ({
        ...judgeRow(same[0]!, counted(same[0]!)),
        limits: same,
      }),
    ),
    ...unknown.map((row) => unjudged('cannot-be-judged', [row], counted(row), { missing: ['product-type'] })),
  ];
}

/** A row of the group itself names no substance. */
const isOwnRow = ({ inciNames, casNumbers }: Limit) => inciNames.length === 0 && casNumbers.length === 0;

const isEqual = (one: Big | null, other: string | null) => one !== null && other !== null && one.eq(other);
