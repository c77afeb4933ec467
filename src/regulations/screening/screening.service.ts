import { Injectable } from '@nestjs/common';
import { inTurns } from '../../platform/common/in-turns';
import { sumOf } from '../../platform/common/collections';
import { ConflictError, InvalidInputError } from '../../platform/common/errors/service-error';
import { REQUIRED } from '../../platform/validation/fields';
import type { Profile } from '../../formulas/profile/profile.fields';
import { type ProfileUse, withProfiles } from '../../formulas/profile/profile-defaults';
import { Clock } from '../../platform/common/clock';
import type { CurrentUser } from '../../platform/common/current-user';
import { CompositionsService } from '../../formulas/composition/compositions.service';
import { contributionsIn, type Expansion, MAX_CONTRIBUTIONS } from '../../formulas/composition/expansion';
import { versionOf } from '../../formulas/costing/analysis.fields';
import { text } from '../../platform/texts/text';
import type { Finding, ScreenedOrigin, Screening, UnexaminedPart } from './screening-model';
import { namedBlends, naturalSubjects } from './screened-substances';
import { screen } from './screen';
import { RegulationsService } from '../editions/regulations.service';
import {
  SCREENING_RESULTS,
  type ScreenedMixtureDto,
  type ScreeningDto,
  type ScreeningQuery,
  type ScreeningResult,
  UNEXAMINED_TOPICS,
} from './screening.dto';
import { type Composition, linesOf } from '../../formulas/composition/composition';
import type { DocumentLanguage } from '../../documents/document';
import type { Limit, LoadedEdition } from '../editions/limit.entity';
import { productTypeIn } from '../../formulas/formulas.texts';
import type { ProductType } from '../../formulas/product-types';
import { refusalText, regulationTexts } from '../regulations.texts';

@Injectable()
export class ScreeningService {
  constructor(
    private readonly compositions: CompositionsService,
    private readonly limits: RegulationsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Compares a version with the loaded table of a region. Nothing is stored, and nothing prevents storing.
   * @throws NotFoundError, ConflictError where there is too much to compare
   */
  async screen(user: CurrentUser, formulaId: string, query: ScreeningQuery): Promise<ScreeningDto> {
    const [composition] = await this.compositions.read(user, [{ formulaId, version: query.version }]);
    const { screening, context } = await this.compare(user, composition, query);
    return screeningOf(screening, context);
  }

  /**
   * Compares a composition with the loaded table of a region.
   * @param at where the query is in the request, such as `screening.`
   */
  async compare(user: CurrentUser, composition: Composition, query: ScreeningQuery, at = '') {
    const { productType, purpose, edition, lang, fromProfile, ...given } = withProfiles(
      query,
      [composition.profile],
      ({ markets, productType: type }) => ({ region: markets[0], productType: type ?? undefined }),
    );
    if (given.region === undefined) {
      throw InvalidInputError.of([{ field: `${at}region`, message: REQUIRED }]);
    }
    const region = given.region.trim().toLowerCase();
    const on = given.on ?? this.today();
    const expansion = await this.compositions.expand(user, composition);
    const mixture = await this.mixtureOf(user, composition.profile?.mixedWith ?? null);
    const expansions = [expansion, mixture?.expansion].filter((each) => each !== undefined);
    if (contributionsIn(expansions) > MAX_CONTRIBUTIONS) {
      throw new ConflictError(text('formula.too-many-substances', { max: MAX_CONTRIBUTIONS }));
    }
    const found = await this.limits.matching({ region, on, edition }, expansions.flatMap(wantedOf));
    // A table that was asked for by its name may hold nothing of the region.
    const hasData = found.edition !== null && found.edition.annexes.length > 0;
    const limits = hasData ? [...found.limits, ...found.upcoming] : null;
    const refused = (found.edition?.refused ?? []).filter((row) => ['', region].includes(row.region));
    const screening = await screen(expansion, limits, { productType, on, purpose, mixture }, refused);
    const context: ScreeningContext = {
      ...{ composition, edition: found.edition, region, productType, purpose, on, lang },
      fromProfile: mixture ? [...fromProfile, 'mixedWith'] : fromProfile,
      mixedWith: mixture?.shown,
    };
    return { expansion, screening, context };
  }

  /** The other part of the mixture by its latest version. */
  private async mixtureOf(user: CurrentUser, mixedWith: Profile['mixedWith']) {
    if (!mixedWith) return undefined;
    const { formulaId, name, ratio } = mixedWith;
    const composition =
      formulaId && name !== null ? await this.compositions.find(user, formulaId) : undefined;
    const expansion = composition && (await this.compositions.expand(user, composition));
    const basis = basisOf(mixedWith, expansion);
    const shown = { ...mixedWith, versionNumber: composition?.versionNumber ?? null, basis };
    return { ratio, expansion, isPartial: basis !== 'composition' && basis !== 'dilution', shown };
  }

  private today(): string {
    return new Date(this.clock.now()).toISOString().slice(0, 10);
  }
}

function basisOf(
  { formulaId, name }: NonNullable<Profile['mixedWith']>,
  expansion: Expansion | undefined,
): ScreenedMixtureDto['basis'] {
  if (name === null) return 'hidden';
  if (!expansion) return formulaId === null ? 'dilution' : 'deleted';
  return expansion.unknown.length > 0 ? 'known-part' : 'composition';
}

/** Also the names of blends of unknown composition, and of oils with a given one, which a table may list. */
const wantedOf = (expansion: Expansion) =>
  [...expansion.substances, ...namedBlends(expansion), ...naturalSubjects(expansion)].map(
    ({ key, casNumbers }) => ({ key, casNumbers }),
  );

/** Conditions and data of a screening, as its answer names them. */
export interface ScreeningContext {
  readonly composition: Composition;
  readonly edition: LoadedEdition | null;
  readonly region: string;
  readonly productType: ProductType | undefined;
  readonly fromProfile: ProfileUse[];
  readonly mixedWith?: ScreenedMixtureDto;
  readonly purpose: string | undefined;
  readonly on: string;
  readonly lang: DocumentLanguage;
}

/** A screening as it is answered. */
export async function screeningOf(screening: Screening, context: ScreeningContext): Promise<ScreeningDto> {
  const { composition, edition, region, fromProfile, on, lang } = context;
  const { productType = null, mixedWith: mixture = null, purpose = null } = context;
  const t = regulationTexts.in(lang);
  return {
    ...versionOf(composition),
    ...{ region, productType, fromProfile, mixture, purpose, on },
    edition: edition && {
      id: edition.id,
      name: edition.name,
      importedAt: edition.importedAt,
      annexes: [...edition.annexes],
    },
    total: sumOf(linesOf(composition).map(({ percentage }) => percentage)).toNumber(),
    summary: summaryOf(screening, context),
    resultCount: screening.findings.length,
    results: await inTurns(worstOf(screening.findings), (finding) => screeningResult(finding, context)),
    upcomingCount: screening.upcoming.length,
    upcoming: screening.upcoming.slice(0, MAX_UPCOMING).map(({ limit, substances }) => ({
      ...screenedRow(limit),
      substances: substances.map(({ inciName }) => inciName),
    })),
    notExamined: {
      unmatched: countOf(screening, 'no-entry-matched'),
      unknownPercentage: sumOf(screening.unexamined.map(({ amount }) => amount)).toFixed(),
      refusedRows: edition?.refusedCount ?? 0,
      refusedEntries: screening.refused
        .toSorted((one, other) => Number(other.subjects.length > 0) - Number(one.subjects.length > 0))
        .slice(0, MAX_REFUSED_ENTRIES)
        .map(({ row: { row, name, reason }, subjects }) => ({
          row,
          name,
          reason,
          message: refusalText.in(lang)(`limit-refusal.${reason}`),
          substances: subjects.map(({ inciName }) => inciName),
        })),
      parts: screening.unexamined.map(unexaminedPart),
      topics: UNEXAMINED_TOPICS.map((code) => ({ code, wording: t(`screening.topic.${code}`) })),
    },
    closing: t('screening.closing', { day: loadedOn(edition) ?? t('screening.no-edition') }),
  };
}

const MAX_UPCOMING = 1000;

/** Most refused rows that an answer names; those that may concern the formula come first. */
const MAX_REFUSED_ENTRIES = 100;

/** The day on which the edition was loaded. */
const loadedOn = (edition: LoadedEdition | null): string | null => edition?.importedAt.slice(0, 10) ?? null;

const countOf = ({ findings }: Screening, result: ScreeningResult): number =>
  findings.filter((finding) => finding.result === result).length;

function summaryOf(screening: Screening, context: ScreeningContext): ScreeningDto['summary'] {
  const counts = Object.fromEntries(
    SCREENING_RESULTS.map((result) => [result, countOf(screening, result)] as const).filter(
      ([, count]) => count > 0,
    ),
  );
  const [worst] = screening.findings;
  if (!worst || worst.result === 'no-entry-matched') {
    const count = countOf(screening, 'no-entry-matched');
    const wording = regulationTexts.in(context.lang)('screening.result.no-finding', { count });
    return { result: 'no-finding', wording, counts };
  }
  return { result: worst.result, wording: wordingOf(worst, context), counts };
}

function screeningResult(finding: Finding, context: ScreeningContext): ScreeningDto['results'][number] {
  const { edition, region, productType = null } = context;
  const { result, missing, notes, amount, limits, substances } = finding;
  return {
    result,
    missing,
    wording: wordingOf(finding, context),
    notes,
    region,
    edition: edition?.name ?? null,
    editionDate: loadedOn(edition),
    productType,
    amount: amount?.toFixed() ?? null,
    rows: limits.map(screenedRow),
    substances: substances.map(({ subject, match, factor }) => ({
      inciName: subject.inciName,
      isNano: subject.isNano,
      casNumbers: [...subject.casNumbers],
      matchedBy: match?.by ?? null,
      matchedValue: match?.value ?? null,
      share: subject.amount.toFixed(),
      factor: factor?.toFixed() ?? null,
      lines: subject.origins.map(screenedLine),
    })),
  };
}

/** The exact words of a result. */
function wordingOf({ result, missing, limits }: Finding, { lang, productType }: ScreeningContext): string {
  const t = regulationTexts.in(lang);
  const entries = entryNames(limits);
  const type = productType === undefined ? t('screening.no-product-type') : productTypeIn(productType, lang);
  if (result === 'above-limit') return t('screening.result.above-limit', { entries, type });
  if (result === 'not-above-limit') {
    const conditions = [...new Set(limits.flatMap(({ conditions: written }) => written ?? []))].join('; ');
    const values = { entries, type, conditions: conditions || t('screening.no-conditions') };
    return t('screening.result.not-above-limit', values);
  }
  if (result === 'cannot-be-judged') {
    const names = missing.map((each) => regulationTexts(`screening.missing.${each}`));
    return t('screening.result.cannot-be-judged', { missing: names });
  }
  return t(`screening.result.${result}`);
}

/** `III/98 (a)`, each once. An entry without a number is named by its substance. */
export const entryNames = (
  limits: readonly Pick<Limit, 'annex' | 'entry' | 'tier' | 'substance'>[],
): string[] => [
  ...new Set(
    limits.map(
      ({ annex, entry, tier, substance }) => `${annex}/${entry || substance}${tier ? ` (${tier})` : ''}`,
    ),
  ),
];

/** Lists the fields of the row in the order of the answer. */
function screenedRow(limit: Limit): ScreeningDto['results'][number]['rows'][number] {
  const { annex, entry, tier, kind, ...others } = limit;
  const { id: _id, editionId: _edition, region: _region, inciNames: _names, ...withoutNames } = others;
  const { casNumbers: _numbers, productTypes: _types, factor: _factor, ...shown } = withoutNames;
  return { annex, entry, tier, kind, ...shown };
}

const unexaminedPart = ({ inciName, reason, amount, origins }: UnexaminedPart) => ({
  inciName,
  reason,
  share: amount.toFixed(),
  lines: origins.map(screenedLine),
});

const screenedLine = ({ phase, line, share, role }: ScreenedOrigin) => ({
  ingredientId: line.ingredientId,
  ingredient: line.ingredient,
  phase,
  percentage: line.percentage,
  share: share.toFixed(),
  role,
});

/** Most results of one answer. */
export const MAX_RESULTS = 1000;
/** Most rows and lines that the results of one answer have together. */
export const MAX_DETAILS = 20_000;

/** The worst results, as many as an answer can hold; at least one. */
export function worstOf(findings: readonly Finding[]): readonly Finding[] {
  let details = 0;
  for (const [index, { limits, substances }] of findings.entries()) {
    details += limits.length;
    for (const { subject } of substances) details += 1 + subject.origins.length;
    if (index >= MAX_RESULTS || (details > MAX_DETAILS && index > 0)) return findings.slice(0, index);
  }
  return findings;
}
