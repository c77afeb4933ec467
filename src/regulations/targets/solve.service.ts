import { Injectable } from '@nestjs/common';
import { distinct } from '../../platform/common/collections';
import type { CurrentUser } from '../../platform/common/current-user';
import { ConflictError } from '../../platform/common/errors/service-error';
import { nextTurn } from '../../platform/common/in-turns';
import { text } from '../../platform/texts/text';
import type { DocumentLanguage } from '../../documents/document';
import { requestLanguage } from '../../documents/language-field';
import { ExchangeRatesService } from '../../ingredients/exchange-rates/exchange-rates.service';
import { type Composition, linesOf } from '../../formulas/composition/composition';
import { CompositionsService } from '../../formulas/composition/compositions.service';
import { versionOf } from '../../formulas/costing/analysis.fields';
import { proposedPhases } from '../../formulas/costing/balance';
import { costsOfOnePercent } from '../../formulas/costing/cost';
import { COMPOSITION_LIMITS } from '../../formulas/formula.fields';
import { formulaTexts } from '../../formulas/formulas.texts';
import { compareVersions } from '../../formulas/versions/comparison/compare';
import { type Draft, withCandidates, withPercentages } from './draft';
import { MAX_CANDIDATES, type SolutionDto, type SolveDto } from './solve.dto';
import { ScreeningService, screeningOf } from '../screening/screening.service';
import { Solver } from '../../formulas/solver/solver';
import { decimalsOf, heldLines, isCandidate, wishesOf } from './wishes';

/** Finds the percentages of a formula that fulfil wishes at least cost or with least change. */
@Injectable()
export class SolveService {
  constructor(
    private readonly compositions: CompositionsService,
    private readonly solver: Solver,
    private readonly rates: ExchangeRatesService,
    private readonly screenings: ScreeningService,
  ) {}

  /**
   * Nothing is written.
   * @throws NotFoundError; InvalidInputError for what the version does not contain; ConflictError if it takes too long,
   *   if rounded percentages cannot fulfil the wishes, or if a formula cannot have so many lines
   */
  async solve(user: CurrentUser, formulaId: string, input: SolveDto, version?: number): Promise<SolutionDto> {
    const language = requestLanguage();
    const [composition] = await this.compositions.read(user, [{ formulaId, version }]);
    const draft = await this.draftOf(user, composition, input);
    const wishes = await wishesOf(input, draft, language);
    const solution = await this.solver.solve({
      objective: input.objective,
      decimals: draft.decimals,
      present: draft.lines.map(({ percentage }) => percentage),
      costs: draft.costs.map((cost) => cost?.toFixed() ?? '0'),
      wishes: wishes.map(({ limits }) => limits),
    });

    const answer = {
      ...versionOf(composition),
      fromProfile: draft.fromProfile,
      notes: notesOn(input, draft, language),
      ...{ phases: null, cost: null, comparison: null, screening: null, conflict: [] },
    };
    if ('conflict' in solution) {
      const conflict = solution.conflict.map((index) => wishes[index]!);
      return { ...answer, conflict: conflict.map(({ field, message }) => ({ field, message })) };
    }
    await nextTurn();
    const solved = withPercentages(draft.composition, solution.percentages);
    if (linesOf(solved).length > COMPOSITION_LIMITS.lines) {
      throw new ConflictError(text('formula.too-many-lines', { max: COMPOSITION_LIMITS.lines }));
    }
    const { cost, phases, lines, totals } = compareVersions(composition, solved, await this.rates.get());
    const comparison = { phases, lines, totals };
    const screened = await this.compare(user, solved, input);
    const screening = screened ? await screeningOf(screened.screening, screened.context) : null;
    return { ...answer, phases: proposedPhases(solved), cost, comparison, screening };
  }

  private async candidatesOf(user: CurrentUser, composition: Composition, input: SolveDto) {
    if (!input.add?.length) return [];
    const present = linesOf(composition).map(({ ingredientId }) => ingredientId);
    return this.compositions.findCandidates(user, {
      categories: input.add.map(({ category }) => category),
      without: [...present, ...(input.exclude ?? [])],
      most: MAX_CANDIDATES,
      ids: input.bounds?.map(({ ingredientId }) => ingredientId) ?? [],
    });
  }

  private async draftOf(user: CurrentUser, version: Composition, input: SolveDto): Promise<Draft> {
    const candidates = await this.candidatesOf(user, version, input);
    const composition = withCandidates(version, candidates);
    const lines = linesOf(composition);
    const costs = costsOfOnePercent(lines, linesOf(version), await this.rates.get());
    const onePercent = withPercentages(composition, Array<number>(lines.length).fill(1));
    const ofWishes = input.substances?.length ? await this.compositions.expand(user, onePercent) : null;
    const compared = await this.compare(user, onePercent, input);
    const expansion = compared?.expansion ?? ofWishes;
    return {
      ...{ composition, candidates, lines, costs, expansion },
      held: heldLines(input, { lines, costs, expansion }, requestLanguage()),
      findings: compared?.screening.findings ?? [],
      fromProfile: compared?.context.fromProfile ?? [],
      decimals: decimalsOf(input, lines),
    };
  }

  /** Undefined if no limits are wished for. */
  private async compare(user: CurrentUser, composition: Composition, { screening }: SolveDto) {
    if (!screening) return undefined;
    const query = { ...screening, lang: requestLanguage() };
    return this.screenings.compare(user, composition, query, 'screening.');
  }
}

/** Which lines stay as they are, and how many ingredients of each category might have come in. */
function notesOn(input: SolveDto, { candidates, held }: Draft, language: DocumentLanguage): string[] {
  const ofLines = held.filter(({ line }) => line.percentage > 0);
  const ofCategories = (input.add ?? []).map(({ category }) => {
    const all = candidates.filter(({ catalogue }) => catalogue.functionCategory === category);
    const count = all.length - held.filter(({ line }) => isCandidate(line, category)).length;
    return formulaTexts.in(language)('solve.candidates', { category, count, total: all[0]?.total ?? 0 });
  });
  return [...distinct(ofLines.map(({ message }) => message)), ...ofCategories];
}
