import Big from 'big.js';
import { type Composition, linesOf } from '../formulas/composition/composition';
import type { DocumentLanguage } from '../documents/document';
import {
  type Finding,
  type ScreenedOrigin,
  type Screening,
  SCREENING_RESULTS,
  type ScreeningResult,
  type UnexaminedPart,
} from './screening/screening-model';
import type { Limit, ProductType } from './limit';
import type { LoadedEdition } from './editions/limit-matches';
import { PRODUCT_TYPE_WORDS } from './product-type.words';
import type { ScreeningDto } from './screening.dto';
import { SCREENING_WORDS, UNEXAMINED_TOPICS } from './screening.words';
import { within } from './shown-within';

/** Conditions and data of a screening, as its answer names them. */
export interface ScreeningContext {
  readonly composition: Composition;
  readonly edition: LoadedEdition | null;
  readonly region: string;
  readonly productType: ProductType | undefined;
  readonly purpose: string | undefined;
  readonly on: string;
  readonly lang: DocumentLanguage;
}

/** A screening as it is answered. */
export function shownScreening(screening: Screening, context: ScreeningContext): ScreeningDto {
  const { composition, edition, region, productType = null, purpose = null, on, lang } = context;
  const { formulaId, formulaName, versionNumber } = composition;
  const words = SCREENING_WORDS[lang];
  return {
    formulaId,
    formulaName,
    versionNumber,
    region,
    productType,
    purpose,
    on,
    edition: edition && {
      id: edition.id,
      name: edition.name,
      importedAt: edition.importedAt,
      annexes: [...edition.annexes],
    },
    total: linesOf(composition)
      .reduce((sum, { percentage }) => sum.plus(percentage), new Big(0))
      .toNumber(),
    summary: summaryOf(screening, context),
    resultCount: screening.findings.length,
    results: within(screening.findings).map((finding) => shownFinding(finding, context)),
    upcomingCount: screening.upcoming.length,
    upcoming: screening.upcoming.slice(0, MAX_UPCOMING).map(({ limit, substances }) => ({
      ...shownRow(limit),
      substances: substances.map(({ inciName }) => inciName),
    })),
    notExamined: {
      unmatched: countOf(screening, 'no-entry-matched'),
      unknownPercentage: screening.unexamined
        .reduce((sum, { amount }) => sum.plus(amount), new Big(0))
        .toFixed(),
      refusedRows: edition?.refusedCount ?? 0,
      parts: screening.unexamined.map(shownPart),
      topics: UNEXAMINED_TOPICS.map((code) => ({ code, wording: words.topics[code] })),
    },
    closing: words.closing(dayOf(edition) ?? words.noEdition),
  };
}

const MAX_UPCOMING = 1000;

/** The day on which the edition was loaded. */
const dayOf = (edition: LoadedEdition | null): string | null => edition?.importedAt.slice(0, 10) ?? null;

const countOf = ({ findings }: Screening, result: ScreeningResult): number =>
  findings.filter((finding) => finding.result === result).length;

function summaryOf(screening: Screening, context: ScreeningContext): ScreeningDto['summary'] {
  const words = SCREENING_WORDS[context.lang];
  const counts = Object.fromEntries(
    SCREENING_RESULTS.map((result) => [result, countOf(screening, result)] as const).filter(
      ([, count]) => count > 0,
    ),
  );
  const [worst] = screening.findings;
  if (!worst || worst.result === 'no-entry-matched') {
    const wording = words.results.noFinding(countOf(screening, 'no-entry-matched'));
    return { result: 'no-finding', wording, counts };
  }
  return { result: worst.result, wording: wordingOf(worst, context), counts };
}

function shownFinding(finding: Finding, context: ScreeningContext): ScreeningDto['results'][number] {
  const { edition, region, productType = null } = context;
  const { result, missing, notes, amount, limits, substances } = finding;
  return {
    result,
    missing: [...missing],
    wording: wordingOf(finding, context),
    notes: [...notes],
    region,
    edition: edition?.name ?? null,
    editionDate: dayOf(edition),
    productType,
    amount: amount?.toFixed() ?? null,
    rows: limits.map(shownRow),
    substances: substances.map(({ subject, match, factor }) => ({
      inciName: subject.inciName,
      isNano: subject.isNano,
      casNumbers: [...subject.casNumbers],
      matchedBy: match?.by ?? null,
      matchedValue: match?.value ?? null,
      share: subject.amount.toFixed(),
      factor: factor?.toFixed() ?? null,
      lines: subject.origins.map(shownOrigin),
    })),
  };
}

/** The exact words of a result. */
function wordingOf({ result, missing, limits }: Finding, { lang, productType }: ScreeningContext): string {
  const words = SCREENING_WORDS[lang];
  const entry = entriesOf(limits, words.listSeparator);
  const type = productType === undefined ? words.noProductType : PRODUCT_TYPE_WORDS[lang][productType];
  const conditions = [...new Set(limits.flatMap(({ conditions: written }) => written ?? []))].join('; ');
  switch (result) {
    case 'no-data':
      return words.results.noData;
    case 'prohibited':
      return words.results.prohibited;
    case 'above-limit':
      return words.results.aboveLimit(entry, type);
    case 'not-above-limit':
      return words.results.notAboveLimit(entry, type, conditions || words.noConditions);
    case 'listed-for-other-uses':
      return words.results.listedForOtherUses;
    case 'cannot-be-judged':
      return words.results.cannotBeJudged(
        missing.map((each) => words.missing[each]).join(words.listSeparator),
      );
    case 'declare':
      return words.results.declare;
    case 'no-entry-matched':
      return words.results.noEntryMatched;
  }
}

/** `III/98 (a)`, each once. An entry without a number is named by its substance. */
export const entriesOf = (
  limits: readonly Pick<Limit, 'annex' | 'entry' | 'tier' | 'substance'>[],
  separator: string,
): string =>
  [
    ...new Set(
      limits.map(({ annex, entry, tier, substance }) =>
        [`${annex}/${entry || substance}`, ...(tier ? [`(${tier})`] : [])].join(' '),
      ),
    ),
  ].join(separator);

const shownRow = (limit: Limit): ScreeningDto['results'][number]['rows'][number] => ({
  annex: limit.annex,
  entry: limit.entry,
  tier: limit.tier,
  kind: limit.kind,
  substance: limit.substance,
  scope: limit.scope,
  limitPercent: limit.limitPercent,
  limitText: limit.limitText,
  basis: limit.basis,
  sumGroup: limit.sumGroup,
  purpose: limit.purpose,
  conditions: limit.conditions,
  validFrom: limit.validFrom,
  validUntil: limit.validUntil,
  source: limit.source,
});

const shownPart = ({ inciName, reason, amount, origins }: UnexaminedPart) => ({
  inciName,
  reason,
  share: amount.toFixed(),
  lines: origins.map(shownOrigin),
});

const shownOrigin = ({ phase, line, share, role }: ScreenedOrigin) => ({
  ingredientId: line.ingredientId,
  ingredient: line.ingredient,
  phase,
  percentage: line.percentage,
  share: share.toFixed(),
  role,
});
