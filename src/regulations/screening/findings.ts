import type { Limit } from '../editions/limit.entity';
import { countedIn, countedInGroup, isKnownAbove, judgeRow, unjudged } from './judge-row';
import { type LimitScopes, plain } from './limit-scopes';
import type { CountedSubstance, Finding, Subject } from './screening-model';
import { groupBy } from '../../platform/common/collections';
import { inTurns } from '../../platform/common/in-turns';
import Big from 'big.js';
import { SPRAYS } from '../../formulas/product-types';

/** Rows with the substances that they name. */
type NamingRows = readonly (readonly [Limit, readonly CountedSubstance[]])[];

/** Returns all findings from the rows of the table about the substances. */
export async function rowFindings(limits: readonly Limit[], scopes: LimitScopes): Promise<Finding[]> {
  const { forThisUse, findings } = await sortedByUse(scopes);
  const ofGroups = await sumGroupFindings(limits, scopes);
  const judgedAsGroup = new Set(ofGroups.flatMap((finding) => finding.limits));
  const sumRows = groupBy(
    forThisUse.filter(([{ sumGroup }]) => sumGroup !== null),
    ([limit]) => entryOf(limit),
  );
  const ofRows = await inTurns(
    forThisUse.filter(([limit]) => !judgedAsGroup.has(limit)),
    ([limit, substances]) => findingsOf(limit, substances, sumRows.get(entryOf(limit)) ?? []),
  );
  const all = [...findings, ...ofRows.flat(), ...ofGroups].map((finding) => withInhalation(finding, scopes));
  return scopes.conditions.purpose === undefined ? [...all, ...purposeFindings(all)] : all;
}

/** A spray may be inhaled, and whether it is, no product type says. */
function withInhalation(finding: Finding, { conditions: { productType } }: LimitScopes): Finding {
  const isSpray = productType !== undefined && SPRAYS.includes(productType);
  const isConditional = finding.limits.some(({ conditions }) => INHALATION.test(conditions ?? ''));
  return finding.result === 'not-above-limit' && isSpray && isConditional
    ? { ...finding, result: 'cannot-be-judged', missing: ['conditions'] }
    : finding;
}

const INHALATION = /\binhal|\blungs?\b|吸入|肺/i;

/** Tiers of an entry for other uses are reported only if there is none for this use. */
async function sortedByUse(scopes: LimitScopes) {
  const forThisUse = new Map<Limit, CountedSubstance[]>();
  const findings: Finding[] = [];
  await inTurns(scopes.subjects, (subject) => {
    const rows = scopes.rowsOf(subject);
    const counted = (limit: Limit) => countedIn(limit, subject, rows);
    for (const [, tiers] of groupBy([...rows.keys()], entryOf)) {
      // A list of permitted substances that does not name the nano form does not permit it.
      const listed = tiers.filter((tier) => tier.kind !== 'permitted-only' || !rows.get(tier)!.isOtherForm);
      const uses = groupBy(listed, (tier) => scopes.of(tier));
      for (const tier of uses.get('this-use') ?? []) {
        const substances = forThisUse.get(tier);
        if (substances) substances.push(counted(tier));
        else forThisUse.set(tier, [counted(tier)]);
      }
      for (const tier of uses.get('unknown') ?? []) {
        findings.push(unjudged('cannot-be-judged', [tier], [counted(tier)], { missing: scopes.missing }));
      }
      if (!uses.has('this-use') && !uses.has('unknown')) {
        findings.push(unjudged('listed-for-other-uses', tiers, [counted(tiers[0]!)]));
      }
    }
  });
  return { forThisUse: [...forThisUse], findings };
}

/** An entry without a number is identified by its substance. */
const entryOf = ({ annex, entry, substance, kind }: Limit) => [annex, entry || substance, kind].join('|');

function findingsOf(limit: Limit, substances: readonly CountedSubstance[], sumRows: NamingRows): Finding[] {
  const isSum = limit.kind === 'declare-above' || limit.sumGroup !== null;
  if (isSum && limit.kind !== 'prohibited') return [judgeRow(limit, substances)];
  const single = substances.map((substance) => judgeRow(limit, [substance]));
  const isAbove = single.some(({ result }) => result === 'above-limit');
  if (isAbove || !isTogetherAbove(limit, substances) || hasRowForSum(sumRows, substances)) return single;
  const together = unjudged('cannot-be-judged', [limit], substances, {
    missing: ['basis'],
    notes: ['sum-not-stated'],
  });
  return [...single, together];
}

/** Returns true if the sum is above the limit. It is unclear whether the row means all substances together. */
function isTogetherAbove(limit: Limit, substances: readonly CountedSubstance[]): boolean {
  const hasNone = limit.kind === 'prohibited' || limit.limitPercent === null || substances.length === 1;
  return !hasNone && isKnownAbove(limit, substances);
}

/** Returns true if another row of the entry limits the sum of the same substances. */
const hasRowForSum = (sumRows: NamingRows, substances: readonly CountedSubstance[]): boolean =>
  sumRows.some(([, named]) => {
    const subjects = new Set(named.map(({ subject }) => subject));
    return substances.every(({ subject }) => subjects.has(subject));
  });

/**
 * The sum of all members of a group against the greatest limit of its rows, and against the rows of the group that
 * name no substance of their own. Smaller limits of the group hold for the substances that their rows name.
 */
async function sumGroupFindings(limits: readonly Limit[], scopes: LimitScopes): Promise<Finding[]> {
  const members = membersOf(scopes);
  const rows = limits.filter(({ kind, sumGroup }) => kind !== 'prohibited' && members.has(sumGroup ?? ''));
  const groups = groupBy(rows, ({ sumGroup, kind }) => `${kind}|${sumGroup}`).values();
  const found = await inTurns(groups, (ofGroup) =>
    findingsOfGroup(ofGroup, members.get(ofGroup[0]!.sumGroup!)!, scopes),
  );
  return found.flat();
}

function membersOf(scopes: LimitScopes): Map<string, Subject[]> {
  const members = scopes.subjects.flatMap((subject) => {
    const groups = new Set([...scopes.rowsOf(subject).keys()].flatMap(({ sumGroup }) => sumGroup ?? []));
    return [...groups].map((group) => ({ group, subject }));
  });
  const byGroup = groupBy(members, ({ group }) => group);
  return new Map([...byGroup].map(([group, found]) => [group, found.map(({ subject }) => subject)]));
}

async function findingsOfGroup(
  rows: readonly Limit[],
  members: readonly Subject[],
  scopes: LimitScopes,
): Promise<Finding[]> {
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
  const sums = groupBy(forSum, ({ limitPercent, basis }) => `${limitPercent}|${basis}`).values();
  return [
    ...(await inTurns(sums, (same) => ({ ...judgeRow(same[0]!, counted(same[0]!)), limits: same }))),
    ...(await inTurns(unknown, (row) =>
      unjudged('cannot-be-judged', [row], counted(row), { missing: scopes.missing }),
    )),
  ];
}

/** A row of the group itself names no substance. */
const isOwnRow = ({ inciNames, casNumbers }: Limit) => inciNames.length === 0 && casNumbers.length === 0;

const isEqual = (one: Big | null, other: string | null) => one !== null && other !== null && one.eq(other);

const WORSE: readonly Finding['result'][] = ['above-limit', 'listed-for-other-uses'];

/**
 * Substances of which an entry for one purpose says something worse than another entry: the purpose decides. An
 * entry that names no purpose holds for all, so it never is the worse one.
 */
function purposeFindings(findings: readonly Finding[]): Finding[] {
  const compared = findings.filter(({ result }) => WORSE.includes(result) || result === 'not-above-limit');
  const ofSubjects = groupBy(
    compared.flatMap((finding) => finding.substances.map(({ subject }) => ({ subject, finding }))),
    ({ subject }) => subject,
  );
  return [...ofSubjects].flatMap(([subject, ofSubject]) => {
    const found = ofSubject.map(({ finding }) => finding);
    const worse = found.filter((one) => WORSE.includes(one.result) && purposeOfFinding(one) !== null);
    // A threshold of a declaration permits nothing.
    const better = found.filter(
      ({ result, limits: [limit] }) => result === 'not-above-limit' && limit?.kind !== 'declare-above',
    );
    const contradicting = worse.filter((one) =>
      better.some((other) => purposeOfFinding(other) !== purposeOfFinding(one)),
    );
    if (contradicting.length === 0) return [];
    const limits = [...new Set([...contradicting, ...better].flatMap((finding) => finding.limits))];
    const counted: CountedSubstance = { subject, match: null, factor: null };
    return [
      unjudged('cannot-be-judged', limits, [counted], { missing: ['purpose'], notes: ['several-purposes'] }),
    ];
  });
}

const purposeOfFinding = ({ limits }: Finding): string | null => {
  const [{ purpose }] = limits as [Finding['limits'][number]];
  return purpose === null ? null : plain(purpose);
};
