import { Injectable } from '@nestjs/common';
import { lastValueFrom } from 'rxjs';
import { AiService } from '../../pipeline/ai.service';
import { NO_PHASE } from '../../../formulas/formulas.texts';
import { remarkBehind } from '../../../formula-text/remark-behind';
import type { RawLine } from '../../../formula-text/complete-percentages';
import { LINE_BREAK } from '../../../formula-text/text-lines';
import { extractFormula, readAhead } from './extract-formula';
import { weighedText } from './weighed-text';
import { type ExtractedFormula, FormulaExtraction } from './formula-extraction';
import type { CurrentUser } from '../../../platform/common/current-user';
import { distinctBy, sumOf } from '../../../platform/common/collections';
import { visibleText } from '../../../platform/common/name-forms';
import { ConcurrencyLimiter } from '../../../platform/request-limits/concurrency-limiter';
import { strengthIn } from '../../../ingredients/names/grade';
import { IngredientResolver } from '../../../ingredients/names/ingredient-resolver';
import {
  type CandidateDto,
  MAX_NAME_LENGTH,
  type ResolvedNameDto,
  shownResolution,
} from '../../../ingredients/names/resolve.dto';
import type {
  ExtractedCompositionDto,
  LineOfTextDto,
  ReadLineDto,
  ReadPhaseDto,
  UnresolvedLineDto,
  UnresolvedReason,
} from './extraction.dto';

@Injectable()
export class ExtractService {
  constructor(
    private readonly ai: AiService,
    private readonly extraction: FormulaExtraction,
    private readonly resolver: IngredientResolver,
    private readonly limiter: ConcurrencyLimiter,
  ) {}

  /**
   * Reads a formula from a text, as the contract's extraction does, and finds the ingredients of its lines.
   * @throws ForbiddenError, AiFailure if no provider gave a usable answer
   */
  async extract(user: CurrentUser, text: string): Promise<ExtractedCompositionDto> {
    const options = await this.ai.allowed(extractFormula, user);
    const { text: weighed, volumes } = await weighedText(text, (...read) => this.densitiesOf(user, ...read));
    const input = { text: weighed };
    await readAhead(input);
    const { answer, source } = await lastValueFrom(this.ai.call(extractFormula, input, options));
    return this.limiter.run('catalogue', async () => {
      const extracted = await this.extraction.complete(user, answer, input);
      const { lines, unread, percentTotal } = extracted;
      // The answer is an announced example, which does not belong to the text.
      if (percentTotal === undefined) return { ...nothingOf(text), volumes, source };
      const { read } = await this.resolve(user, answer.ingredients, weighed);
      const composed = compose(extracted, read);
      return {
        ...composed,
        unread: linesOf(text, unread.textLines),
        notes: linesOf(text, unread.others),
        wrongTotals: unread.wrongTotals,
        volumes,
        unreadCount: unread.count,
        title: unread.title ?? null,
        complete: lines.length > 0 && composed.unresolved.length === 0 && unread.count === 0,
        source,
      };
    });
  }

  /**
   * Resolves the names of each line: those in the text, without names that were added from the catalogue. What stands
   * in brackets behind a name in the text is part of it, and so is a remark that says a strength: a solution is not the
   * substance.
   */
  private async resolve(
    user: CurrentUser,
    lines: readonly Pick<RawLine, 'inciName' | 'chineseName' | 'processNotes'>[],
    text: string,
  ): Promise<{ read: ReadLine[]; densities: ReadonlyMap<string, number | null> }> {
    const written = visibleText(text);
    const readLines = lines
      .map(({ inciName, chineseName, processNotes }) => {
        const own = [inciName.trim(), chineseName.trim()].filter((name) => name !== '');
        const remarks = visibleText([...own, processNotes].join(';'));
        const strength = strengthIn(processNotes);
        const withRemark = own.map((name) => {
          const remark = remarkBehind(written, visibleText(name), remarks) ?? strength;
          return { name, remark, resolved: remark === undefined ? name : `${name} (${remark})` };
        });
        const names = withRemark.map(({ name, remark, resolved }) =>
          own.some((other) => visibleText(other) === remark) ? name : resolved,
        );
        return { names, resolved: withRemark.map(({ resolved }) => resolved) };
      })
      .filter(({ names }) => names.length > 0);
    const all = [...new Set(readLines.flatMap(({ resolved }) => resolved))];
    const names = all.filter(({ length }) => length <= MAX_NAME_LENGTH);
    const resolutions = await this.resolver.resolve(user, names);
    const byName = new Map(resolutions.map((resolution) => [resolution.name, shownResolution(resolution)]));
    const read = readLines.map(({ names: own, resolved }) => ({
      names: own,
      resolutions: resolved.flatMap((name) => byName.get(name) ?? []),
    }));
    const found = resolutions.flatMap(({ candidates }) => candidates.map(({ ingredient }) => ingredient));
    return { read, densities: new Map(found.map(({ id, density }) => [id, density])) };
  }

  /** Undefined for a line whose ingredient is not certain. */
  private async densitiesOf(user: CurrentUser, lines: readonly RawLine[], text: string) {
    const { read, densities } = await this.limiter.run('catalogue', () => this.resolve(user, lines, text));
    return read.map(({ resolutions }) => {
      const { certain, reason } = meaningOf(resolutions, 1);
      return reason === undefined ? densities.get(certain!.ingredient.id) : undefined;
    });
  }
}

const linesOf = (text: string, numbers: readonly number[]) => {
  const lines = text.split(LINE_BREAK);
  return numbers.map((line) => ({ line, text: lines[line - 1] ?? '' }));
};

/** Returns the result for a text of which nothing was read: all lines that are not blank. */
function nothingOf(text: string) {
  const lines = text.split(LINE_BREAK);
  const unread = linesOf(
    text,
    [...lines.keys()].flatMap((at) => (lines[at]!.trim() === '' ? [] : at + 1)),
  );
  return {
    phases: [],
    lines: [],
    unresolved: [],
    unread,
    notes: [],
    wrongTotals: [],
    unreadCount: unread.length,
    title: null,
    percentTotal: '0',
    complete: false,
  };
}

/** A line of a text: its names as written, and their resolutions. */
export interface ReadLine {
  readonly names: readonly string[];
  readonly resolutions: readonly ResolvedNameDto[];
}

/** The candidates of a line. One of them is certain, or there is a reason why the line is unresolved. */
interface LineMeaning extends Pick<UnresolvedLineDto, 'inciNames' | 'candidates'> {
  readonly certain?: CandidateDto;
  readonly reason?: UnresolvedReason;
}

/**
 * Returns a composition of the lines whose ingredients and percentages are certain, and the other lines separately.
 * @param read the resolved names of each line
 */
export function compose(
  {
    lines,
    amounts,
    unread,
  }: Pick<ExtractedFormula, 'lines' | 'amounts'> & {
    readonly unread: { readonly count: number };
  },
  read: readonly ReadLine[],
): Pick<ExtractedCompositionDto, 'phases' | 'lines' | 'unresolved' | 'percentTotal'> {
  const phases: (ReadPhaseDto & { ingredients: ReadLineDto[] })[] = [];
  const unresolved: UnresolvedLineDto[] = [];
  const linesOfText: LineOfTextDto[] = [];
  const percentages: number[] = [];
  // A percentage that is calculated from all lines is wrong if one of them was not read, or has a range.
  const isIncomplete = unread.count > 0 || amounts.some(({ isRange }) => isRange);
  lines.forEach((line, index) => {
    const { written: amount, notes, isRange, isCalculated } = amounts[index]!;
    const percentage = isRange || (isCalculated && isIncomplete) ? 0 : line.percentage;
    const { names, resolutions } = read[index]!;
    const name = names.join(' ');
    const position = index + 1;
    const phase = line.phase.slice(0, 200) || NO_PHASE;
    const processNotes = (isRange ? notes : line.processNotes).slice(0, 2000) || null;
    const { reason, certain, ...meaning } = meaningOf(resolutions, percentage);
    const { ingredient = null, matchedBy = null } = certain ?? {};
    linesOfText.push({ position, name, amount, ingredient, matchedBy });
    percentages.push(percentage || 0);
    if (reason !== undefined || !ingredient) {
      unresolved.push({
        ...{ position, phase, name, amount, percentage, processNotes },
        reason: reason ?? 'unknown',
        ...meaning,
      });
      return;
    }
    // Lines are in the order of work, so a phase name that occurs again begins another phase.
    if (phases.at(-1)?.name !== phase)
      phases.push({ name: phase, sortOrder: phases.length + 1, ingredients: [] });
    phases.at(-1)!.ingredients.push({ ingredientId: ingredient.id, percentage, processNotes });
  });
  return { phases, lines: linesOfText, unresolved, percentTotal: sumOf(percentages).toFixed() };
}

/** A line is certain if one of its names is, and no other name contradicts it. */
function meaningOf(resolutions: readonly ResolvedNameDto[], percentage: number): LineMeaning {
  const certain = resolutions
    .filter((resolution) => resolution.certain)
    .map(({ candidates }) => candidates[0]!);
  const ids = new Set(certain.map(({ ingredient }) => ingredient.id));
  // An uncertain name with a grade is that of a solution.
  const isContradicted = resolutions.some((one) => !one.certain && one.grade !== null);
  const inciNames = [...new Set(resolutions.flatMap((resolution) => resolution.inciNames))];
  const candidates = distinctBy(
    resolutions.flatMap((resolution) => resolution.candidates),
    ({ ingredient }) => ingredient.id,
  );
  const hasAmount = percentage > 0 && percentage <= 100;
  if (ids.size !== 1 || isContradicted) {
    const isOnlyOne = candidates.length === 1 && candidates[0]!.matchedBy !== 'similar';
    const uncertain = isOnlyOne && !hasAmount ? 'percentage' : 'uncertain';
    return { reason: candidates.length > 0 ? uncertain : 'unknown', inciNames, candidates };
  }
  if (!hasAmount) return { reason: 'percentage', certain: certain[0]!, inciNames, candidates: [certain[0]!] };
  return { certain: certain[0]!, inciNames, candidates };
}
