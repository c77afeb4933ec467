import type { Limit } from '../limit';
import { amountAsIs, isAmountKnown, isConverted, knownAmount, notesOnAmount } from './amounts';
import type { CountedSubstance, Finding, FindingNote, MissingInformation } from './screening-model';

/** Substances together against the number of a row that is for this use. */
export function judgeRow(limit: Limit, substances: readonly CountedSubstance[]): Finding {
  const { kind, limitPercent } = limit;
  const isKnown = isAmountKnown(substances);
  const notes = notesOnAmount(limit, substances);
  const finding = (result: Finding['result'], more: Partial<Finding> = {}): Finding => ({
    result,
    missing: [],
    notes: isKnown ? notes : [...notes.filter((note) => note !== 'factor-of-table'), 'not-converted'],
    limits: [limit],
    substances,
    amount: isKnown ? knownAmount(substances) : amountAsIs(substances),
    ...more,
  });
  if (kind === 'prohibited') {
    return finding('prohibited', {
      notes: notes.filter((note) => note === 'maximum-of-range' || note === 'other-form'),
      amount: amountAsIs(substances),
    });
  }
  if (limitPercent === null) return judgeRowWithoutNumber(limit, finding);
  const known = knownAmount(substances);
  if (known.gt(limitPercent)) {
    return finding(kind === 'declare-above' ? 'declare' : 'above-limit', {
      notes: isKnown ? notes : [...notes, 'known-part-above'],
      amount: known,
    });
  }
  return isKnown ? finding('not-above-limit') : finding('cannot-be-judged', { missing: ['basis'] });
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
