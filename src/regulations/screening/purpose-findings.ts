import { unjudged } from './judged-row';
import { plain } from './limit-scopes';
import type { CountedSubstance, Finding } from './screening-model';
import { groupedBy } from './subjects';

const WORSE: readonly Finding['result'][] = ['above-limit', 'listed-for-other-uses'];

/**
 * Substances of which an entry for one purpose says something worse than another entry: the purpose decides. An
 * entry that names no purpose holds for all, so it never is the worse one.
 */
export function purposeFindings(findings: readonly Finding[]): Finding[] {
  const compared = findings.filter(({ result }) => WORSE.includes(result) || result === 'not-above-limit');
  const ofSubjects = groupedBy(
    compared.flatMap((finding) => finding.substances.map(({ subject }) => ({ subject, finding }))),
    ({ subject }) => subject,
  );
  return [...ofSubjects].flatMap(([subject, ofSubject]) => {
    const found = ofSubject.map(({ finding }) => finding);
    const worse = found.filter((one) => WORSE.includes(one.result) && purposeOf(one) !== null);
    const better = found.filter(({ result }) => result === 'not-above-limit');
    const contradicting = worse.filter((one) => better.some((other) => purposeOf(other) !== purposeOf(one)));
    if (contradicting.length === 0) return [];
    const limits = [...new Set([...contradicting, ...better].flatMap((finding) => finding.limits))];
    const counted: CountedSubstance = { subject, match: null, factor: null };
    return [
      unjudged('cannot-be-judged', limits, [counted], { missing: ['purpose'], notes: ['several-purposes'] }),
    ];
  });
}

const purposeOf = ({ limits }: Finding): string | null => {
  const [{ purpose }] = limits as [Finding['limits'][number]];
  return purpose === null ? null : plain(purpose);
};
