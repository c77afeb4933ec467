import type { Limit } from '../limit';
import { countedIn, knownAmount } from './amounts';
import { judgeRow, unjudged } from './judged-row';
import type { LimitScopes } from './limit-scopes';
import { purposeFindings } from './purpose-findings';
import type { CountedSubstance, Finding } from './screening-model';
import { groupedBy } from './subjects';
import { sumGroupFindings } from './sum-groups';

/** Rows with the substances that they name. */
type NamingRows = readonly (readonly [Limit, readonly CountedSubstance[]])[];

/** Returns all findings from the rows of the table about the substances. */
export function rowFindings(limits: readonly Limit[], scopes: LimitScopes): Finding[] {
  const { forThisUse, findings } = sortedByUse(scopes);
  const ofGroups = sumGroupFindings(limits, scopes);
  const judgedAsGroup = new Set(ofGroups.flatMap((finding) => finding.limits));
  const sumRows = groupedBy(
    forThisUse.filter(([{ sumGroup }]) => sumGroup !== null),
    ([limit]) => entryOf(limit),
  );
  const ofRows = forThisUse
    .filter(([limit]) => !judgedAsGroup.has(limit))
    .flatMap(([limit, substances]) => findingsOf(limit, substances, sumRows.get(entryOf(limit)) ?? []));
  const all = [...findings, ...ofRows, ...ofGroups];
  return scopes.conditions.purpose === undefined ? [...all, ...purposeFindings(all)] : all;
}

/** Tiers of an entry for other uses are reported only if there is none for this use. */
function sortedByUse(scopes: LimitScopes) {
  const forThisUse = new Map<Limit, CountedSubstance[]>();
  const findings: Finding[] = [];
  for (const subject of scopes.subjects) {
    const rows = scopes.rowsOf(subject);
    const counted = (limit: Limit) => countedIn(limit, subject, rows);
    for (const [, tiers] of groupedBy([...rows.keys()], entryOf)) {
      // A list of permitted substances that does not name the nano form does not permit it.
      const listed = tiers.filter((tier) => tier.kind !== 'permitted-only' || !rows.get(tier)!.isOtherForm);
      const uses = groupedBy(listed, (tier) => scopes.of(tier));
      for (const tier of uses.get('this-use') ?? []) {
        const substances = forThisUse.get(tier);
        if (substances) substances.push(counted(tier));
        else forThisUse.set(tier, [counted(tier)]);
      }
      for (const tier of uses.get('unknown') ?? []) {
        findings.push(unjudged('cannot-be-judged', [tier], [counted(tier)], { missing: ['product-type'] }));
      }
      if (!uses.has('this-use') && !uses.has('unknown')) {
        findings.push(unjudged('listed-for-other-uses', tiers, [counted(tiers[0]!)]));
      }
    }
  }
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
function isTogetherAbove({ kind, limitPercent }: Limit, substances: readonly CountedSubstance[]): boolean {
  if (kind === 'prohibited' || limitPercent === null || substances.length === 1) return false;
  return knownAmount(substances).gt(limitPercent);
}

/** Returns true if another row of the entry limits the sum of the same substances. */
const hasRowForSum = (sumRows: NamingRows, substances: readonly CountedSubstance[]): boolean =>
  sumRows.some(([, named]) => {
    const subjects = new Set(named.map(({ subject }) => subject));
    return substances.every(({ subject }) => subjects.has(subject));
  });
