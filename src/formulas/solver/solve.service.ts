import { Injectable } from '@nestjs/common';
import { RowFilterService } from '../../platform/access/row-filter';
import { distinct } from '../../platform/common/collections';
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
import { costsOfOnePercent } from '../costing/cost';
import { COMPOSITION_LIMITS } from '../formula.fields';
import { formulaTexts } from '../formulas.texts';
import { compareVersions } from '../versions/comparison/compare';
import { contentsOf, type Draft, withCandidates, withPercentages } from './draft';
import { MAX_CANDIDATES, type SolutionDto, type SolveDto } from './solve.dto';
import { Solver } from './solver';
import { heldLines, idsIn, isCandidate, problemOf, wishesOf } from './wishes';

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
    const { draft, candidates } = await this.draftOf(user, composition, input);
    const wishes = await wishesOf(input, draft, language);
    const solution = await this.solver.solve(problemOf(input, draft, wishes));

    const answer = { ...versionOf(composition), notes: notesOn(input, draft, candidates, language) };
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

  private async draftOf(user: CurrentUser, version: Composition, input: SolveDto) {
    const candidates = await this.candidatesOf(user, version, input);
    const composition = withCandidates(version, candidates);
    const lines = linesOf(composition);
    const costs = costsOfOnePercent(lines, linesOf(version), await this.rates.get());
    const known = await this.contentsOf(user, composition, input);
    return { candidates, draft: { composition, lines, costs, ...known } };
  }

  private async candidatesOf(
    user: CurrentUser,
    composition: Composition,
    { exclude, add, bounds }: SolveDto,
  ) {
    const categories = distinct(add?.map(({ category }) => category) ?? []);
    if (categories.length === 0) return [];
    const present = linesOf(composition).map(({ ingredientId }) => ingredientId);
    const filter = await this.rowFilters.of(user);
    return this.repository.findCandidates(filter, categories, {
      without: [...present, ...idsIn(exclude)],
      most: MAX_CANDIDATES,
      ids: bounds?.map(({ ingredientId }) => ingredientId) ?? [],
    });
  }

  private async contentsOf(user: CurrentUser, composition: Composition, { substances }: SolveDto) {
    const lines = linesOf(composition);
    if (!substances?.length) return { contents: lines.map(() => new Map()), unknown: new Set<number>() };
    const ofOnePercent = withPercentages(composition, Array<number>(lines.length).fill(1));
    return contentsOf(ofOnePercent, await this.compositions.expand(user, ofOnePercent));
  }
}

/** Which lines stay as they are, and how many ingredients of each category might have come in. */
function notesOn(
  input: SolveDto,
  draft: Draft,
  candidates: readonly CandidateIngredient[],
  language: DocumentLanguage,
): string[] {
  const held = heldLines(input, draft, language);
  const ofLines = held.filter(({ line }) => draft.lines[line]!.percentage > 0);
  const ofCategories = (input.add ?? []).map(({ category }) => {
    const isHeld = ({ line }: { line: number }) => isCandidate(draft.lines[line]!, category);
    const all = candidates.filter(({ catalogue }) => catalogue.functionCategory === category);
    const count = all.length - held.filter(isHeld).length;
    return formulaTexts.in(language)('solve.candidates', { category, count, total: all[0]?.total ?? 0 });
  });
  return [...ofLines.map(({ message }) => message), ...ofCategories];
}

const proposedPhases = ({ phases }: Composition): SolutionDto['phases'] =>
  phases.map(({ name, sortOrder, ingredients }) => ({
    ...{ name, sortOrder },
    ingredients: ingredients.map(({ ingredientId, ingredient, percentage, processNotes }) => ({
      ...{ ingredientId, ingredient, percentage, processNotes },
    })),
  }));
