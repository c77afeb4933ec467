import { groupBy } from '../../platform/common/collections';
import { inTurns, nextTurn } from '../../platform/common/in-turns';
import type { Expansion } from '../../formulas/composition/expansion';
import type { Limit, Refusal } from '../editions/limit.entity';
import { isAfterMixing } from './judge-row';
import { LimitScopes, type MatchedRows, RowIndex } from './limit-scopes';
import { rowFindings } from './findings';
import { refusedSubjects } from './refused-rows';
import { SCREENING_RESULTS } from './screening.dto';
import type {
  Finding,
  Screening,
  ScreeningConditions,
  Subject,
  UnexaminedPart,
  UpcomingLimit,
} from './screening-model';
import {
  inMixture,
  namedBlends,
  subjectOf,
  unexaminedParts,
  withListedMaterials,
} from './screened-substances';

/**
 * Compares the substances of a formula with a table of limits.
 * @param limits that may concern them, with those of the same entries and sum groups; null where none is loaded
 */
export async function screen(
  expansion: Expansion,
  limits: readonly Limit[] | null,
  conditions: ScreeningConditions,
  refused: readonly Refusal[] = [],
): Promise<Screening> {
  const { on } = conditions;
  const valid = await inTableOrder((limits ?? []).filter((limit) => isValid(limit, on)));
  const inForce = await RowIndex.of(valid);
  const isListed = (subject: Subject) => inForce.match(subject).size > 0;
  const materials = withListedMaterials(expansion, isListed);
  const own = [...(await inTurns(materials, subjectOf)), ...namedBlends(expansion)];
  await nextTurn();
  const mixed = await inMixture(own, conditions.mixture, isListed);
  const substances = mixed.slice(0, materials.length);
  const subjects = mixed.toSorted(byName);
  const ofFormula = subjects.filter((subject) => !subject.mixed?.isOnlyOther);
  const rows = new Map(await inTurns(subjects, (subject) => [subject, rowsFor(subject, inForce)] as const));
  const scopes = new LimitScopes(conditions, subjects, rows);
  const unexamined = await unexaminedParts(expansion, isListed);
  const hasRows = (subject: Subject) => scopes.rowsOf(subject).size > 0;
  const subjectsIn = refused.length > 0 ? await refusedSubjects(ofFormula, hasRows) : () => [];
  const ofRefused = await inTurns(refused, (row) => ({ row, subjects: subjectsIn(row) }));
  const inRefused = new Set(ofRefused.flatMap(({ subjects: named }) => named));
  const shared = { unexamined, substanceCount: expansion.substances.length, refused: ofRefused };
  if (limits === null) return { ...shared, findings: [NO_DATA], upcoming: [] };
  const findings = [
    ...(await rowFindings(valid, scopes)),
    ...unexamined.filter(({ reason }) => reason !== 'fragrance-rest').map(compositionMissing),
    ...[...inRefused].map((subject) => withoutRows(subject, 'cannot-be-judged', ['refused-row'])),
    ...unmatched(substances, scopes, unexamined).filter(
      ({ substances: [counted] }) => !inRefused.has(counted!.subject),
    ),
  ];
  return {
    ...shared,
    findings: await worstFirst(findings),
    upcoming: await upcomingLimits(limits, subjects, on),
  };
}

/** Of a substance that only the other part of a mixture contains, the limits of the mixture. */
const rowsFor = (subject: Subject, index: RowIndex): MatchedRows => {
  const rows = index.match(subject);
  return subject.mixed?.isOnlyOther ? new Map([...rows].filter(([limit]) => isAfterMixing(limit))) : rows;
};

const byName = (one: Subject, other: Subject): number =>
  compareTexts(one.key, other.key) || Number(one.isNano) - Number(other.isNano);

const isValid = ({ validFrom, validUntil }: Limit, on: string): boolean =>
  (validFrom === null || validFrom <= on) && (validUntil === null || on <= validUntil);

const NOTHING_FOUND = { missing: [], notes: [], limits: [], substances: [], amount: null };
const NO_DATA: Finding = { ...NOTHING_FOUND, result: 'no-data' };

function compositionMissing(part: UnexaminedPart): Finding {
  const subject: Subject = { ...part, key: '', isNano: false, casNumbers: [], isRange: false };
  return withoutRows(subject, 'cannot-be-judged', ['composition']);
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
    .map((subject) => withoutRows(subject, 'no-entry-matched'));
}

const withoutRows = (
  subject: Subject,
  result: Finding['result'],
  missing: Finding['missing'] = [],
): Finding => ({
  ...NOTHING_FOUND,
  result,
  missing,
  notes: subject.isRange ? ['maximum-of-range'] : [],
  substances: [{ subject, match: null, factor: null }],
  amount: subject.amount,
});

async function upcomingLimits(
  limits: readonly Limit[],
  subjects: readonly Subject[],
  on: string,
): Promise<UpcomingLimit[]> {
  const later = await inTableOrder(limits.filter(({ validFrom }) => validFrom !== null && validFrom > on));
  const index = await RowIndex.of(later);
  const named = await inTurns(subjects, (subject) =>
    [...rowsFor(subject, index).keys()].map((limit) => ({ limit, subject })),
  );
  return [...groupBy(named.flat(), ({ limit }) => limit)].map(([limit, found]) => ({
    limit,
    substances: found.map(({ subject }) => subject),
  }));
}

const ROMAN_NUMERALS = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X'];

/** Sorts rows in the order of the table: `III` before `IV`, and entry `99` before `100`. */
const inTableOrder = (limits: readonly Limit[]): Promise<Limit[]> => sortedBy(limits, placeOf);

/** Sorts findings by severity, the worst first, then in the order of the table. */
const worstFirst = (findings: readonly Finding[]): Promise<Finding[]> =>
  sortedBy(findings, (finding) =>
    [
      SCREENING_RESULTS.indexOf(finding.result),
      finding.limits.length > 0 ? placeOf(finding.limits[0]!) : '\uffff',
      ...finding.substances.map(({ subject: { key, inciName, isNano } }) => `${key || inciName} ${isNano}`),
    ].join('\t'),
  );

const placeOf = ({ annex, entry, tier, id }: Limit): string => {
  const numeral = ROMAN_NUMERALS.indexOf(annex) + 1;
  return [numeral || annex, entry, tier, id].map((part) => padded(String(part ?? ''))).join('\t');
};

/** Pads numbers in a text, so that they are compared by value. */
const padded = (text: string): string => text.replace(/\d+/g, (digits) => digits.padStart(8, '0'));

async function sortedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Promise<Item[]> {
  const keyed = await inTurns(items, (item) => ({ item, key: keyOf(item) }));
  keyed.sort((one, other) => compareTexts(one.key, other.key));
  return keyed.map(({ item }) => item);
}

/** Compares by character codes, with the same result on every computer. */
const compareTexts = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
