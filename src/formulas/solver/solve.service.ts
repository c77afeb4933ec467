import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../platform/access/row-filter';
import type { CurrentUser } from '../../platform/common/current-user';
import { ConflictError } from '../../platform/common/errors/service-error';
import { nextTurn } from '../../platform/common/in-turns';
import { text } from '../../platform/texts/text';
import type { DocumentLanguage } from '../../documents/document';
import { requestLanguage } from '../../documents/language-field';
import { ExchangeRatesService } from '../../ingredients/exchange-rates/exchange-rates.service';
import { type Composition, linesOf } from '../composition/composition';
import { type CandidateIngredient, CompositionsRepository } from '../composition/compositions.repository';
import { CompositionsService } from '../composition/compositions.service';
import { versionOf } from '../costing/analysis.fields';
import { proposedPhases } from '../costing/balance';
import { costsOfOnePercent } from '../costing/cost';
import { COMPOSITION_LIMITS } from '../formula.fields';
import { formulaTexts } from '../formulas.texts';
import { compareVersions } from '../versions/comparison/compare';
import { type Draft, withCandidates, withPercentages } from './draft';
import { MAX_CANDIDATES, type SolutionDto, type SolveDto } from './solve.dto';
import { Solver } from './solver';
import { decimalsOf, type HeldLine, heldLines, isCandidate, wishesOf } from './wishes';

/** Finds the percentages of a formula that fulfil wishes at least cost or with least change. */
@Injectable()
export class SolveService {
  constructor(
    private readonly compositions: CompositionsService,
    private readonly repository: CompositionsRepository,
    private readonly solver: Solver,
    private readonly rates: ExchangeRatesService,
    private readonly rowFilters: RowFilterService,
  ) {}

  /**
   * Nothing is written.
   * @throws NotFoundError; InvalidInputError for what the version does not contain; ConflictError if it takes too long,
   *   if rounded percentages cannot fulfil the wishes, or if a formula cannot have so many lines
   */
  async solve(user: CurrentUser, formulaId: string, input: SolveDto, version?: number): Promise<SolutionDto> {
    const language = requestLanguage();
    const [composition] = await this.compositions.read(user, [{ formulaId, version }]);
    const candidates = await this.candidatesOf(user, composition, input);
    const draft = await this.draftOf(user, composition, candidates, input);
    const held = heldLines(input, draft, language);
    const wishes = await wishesOf(input, draft, held, language);
    const solution = await this.solver.solve({
      objective: input.objective,
      decimals: draft.decimals,
      present: draft.lines.map(({ percentage }) => percentage),
      costs: draft.costs.map((cost) => cost?.toFixed() ?? '0'),
      wishes: wishes.map(({ limits }) => limits),
    });

    const answer = { ...versionOf(composition), notes: notesOn(input, candidates, held, language) };
    if ('conflict' in solution) {
      const conflict = solution.conflict.map((index) => wishes[index]!);
      const shown = conflict.map(({ field, message }) => ({ field, message }));
      return { ...answer, phases: null, cost: null, comparison: null, conflict: shown };
    }
    await nextTurn();
    const solved = withPercentages(draft.composition, solution.percentages);
    if (linesOf(solved).length > COMPOSITION_LIMITS.lines) {
      throw new ConflictError(text('formula.too-many-lines', { max: COMPOSITION_LIMITS.lines }));
    }
    const { cost, phases, lines, totals } = compareVersions(composition, solved, await this.rates.get());
    const comparison = { phases, lines, totals };
    return { ...answer, phases: proposedPhases(solved), cost, comparison, conflict: [] };
  }

  private async candidatesOf(user: CurrentUser, composition: Composition, input: SolveDto) {
    if (!input.add?.length) return [];
    const present = linesOf(composition).map(({ ingredientId }) => ingredientId);
    const categories = input.add.map(({ category }) => category);
    return this.repository.findCandidates(await this.rowFilters.of(user), categories, {
      without: [...present, ...(input.exclude ?? [])],
      most: MAX_CANDIDATES,
      ids: input.bounds?.map(({ ingredientId }) => ingredientId) ?? [],
    });
  }

  private async draftOf(
    user: CurrentUser,
    version: Composition,
    candidates: readonly CandidateIngredient[],
    input: SolveDto,
  ): Promise<Draft> {
    const composition = withCandidates(version, candidates);
    const lines = linesOf(composition);
    const onePercent = withPercentages(composition, Array<number>(lines.length).fill(1));
    return {
      composition,
      lines,
      costs: costsOfOnePercent(lines, linesOf(version), await this.rates.get()),
      expansion: input.substances?.length ? await this.compositions.expand(user, onePercent) : null,
      decimals: decimalsOf(input, lines),
    };
  }
}

/** Which lines stay as they are, and how many ingredients of each category might have come in. */
function notesOn(
  input: SolveDto,
  candidates: readonly CandidateIngredient[],
  held: readonly HeldLine[],
  language: DocumentLanguage,
): string[] {
  const ofLines = held.filter(({ line }) => line.percentage > 0);
  const ofCategories = (input.add ?? []).map(({ category }) => {
    const all = candidates.filter(({ catalogue }) => catalogue.functionCategory === category);
    const count = all.length - held.filter(({ line }) => isCandidate(line, category)).length;
    return formulaTexts.in(language)('solve.candidates', { category, count, total: all[0]?.total ?? 0 });
  });
  return [...ofLines.map(({ message }) => message), ...ofCategories];
}
