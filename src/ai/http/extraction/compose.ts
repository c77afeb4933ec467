import type { FormulaExtraction } from '../../capabilities/extract-formula/formula-extraction';
import type { MatchedBy } from '../../../ingredients/names/resolution';
import type { CandidateDto, ResolvedNameDto } from '../../../ingredients/names/resolve.dto';
import { UNNAMED_PHASE } from './extract.words';

export type ExtractedFormula = Awaited<ReturnType<FormulaExtraction['complete']>>;

export const UNRESOLVED_REASONS = ['unknown', 'uncertain', 'percentage'] as const;
export type UnresolvedReason = (typeof UNRESOLVED_REASONS)[number];

const MAX_PHASE_NAME = 200;
const MAX_NOTES = 2000;
/** Percentages have at most four decimals, so they are added as integers to get an exact sum. */
const DECIMALS = 10_000;

export interface ComposedLine {
  readonly ingredientId: string;
  readonly percentage: number;
  readonly processNotes: string | null;
}

export interface ComposedPhase {
  readonly name: string;
  readonly sortOrder: number;
  readonly ingredients: readonly ComposedLine[];
}

export interface UnresolvedLine {
  readonly position: number;
  readonly phase: string;
  readonly name: string;
  readonly amount: string | null;
  readonly percentage: number;
  readonly processNotes: string | null;
  readonly reason: UnresolvedReason;
  readonly inciNames: readonly string[];
  readonly candidates: readonly CandidateDto[];
}

/** A line of the text, and its ingredient if that is certain. */
export interface LineOfText {
  readonly position: number;
  readonly name: string;
  readonly amount: string | null;
  readonly ingredient: CandidateDto['ingredient'] | null;
  readonly matchedBy: MatchedBy | null;
}

export interface Composed {
  readonly phases: readonly ComposedPhase[];
  readonly lines: readonly LineOfText[];
  readonly unresolved: readonly UnresolvedLine[];
  readonly percentTotal: string;
}

/** A line of a text: its names as written, and their resolutions. */
export interface ReadLine {
  readonly names: readonly string[];
  readonly resolutions: readonly ResolvedNameDto[];
}

/** The candidates of a line. One of them is certain, or there is a reason why the line is unresolved. */
interface LineMeaning extends Pick<UnresolvedLine, 'inciNames' | 'candidates'> {
  readonly certain?: CandidateDto;
  readonly reason?: UnresolvedReason;
}

/**
 * Returns a composition of the lines whose ingredients and percentages are certain, and the other lines separately.
 * @param read the resolved names of each line
 */
export function compose(
  { lines, amounts, unread }: Pick<ExtractedFormula, 'lines' | 'amounts' | 'unread'>,
  read: readonly ReadLine[],
): Composed {
  const phases: (ComposedPhase & { ingredients: ComposedLine[] })[] = [];
  const unresolved: UnresolvedLine[] = [];
  const linesOfText: LineOfText[] = [];
  let sum = 0;
  // A percentage that is calculated from all lines is wrong if one of them was not read, or has a range.
  const isIncomplete = unread.count > 0 || amounts.some(({ isRange }) => isRange);
  lines.forEach((line, index) => {
    const { written: amount, notes, isRange, isCalculated } = amounts[index]!;
    const percentage = isRange || (isCalculated && isIncomplete) ? 0 : line.percentage;
    const { names, resolutions } = read[index]!;
    const name = names.join(' ');
    const position = index + 1;
    const phase = line.phase.slice(0, MAX_PHASE_NAME) || UNNAMED_PHASE;
    const processNotes = (isRange ? notes : line.processNotes).slice(0, MAX_NOTES) || null;
    const { reason, certain, ...meaning } = meaningOf(resolutions, percentage);
    const { ingredient = null, matchedBy = null } = certain ?? {};
    linesOfText.push({ position, name, amount, ingredient, matchedBy });
    sum += Math.round(percentage * DECIMALS);
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
  return { phases, lines: linesOfText, unresolved, percentTotal: String(sum / DECIMALS) };
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
  const candidates = distinct(resolutions.flatMap((resolution) => resolution.candidates));
  const hasAmount = percentage > 0 && percentage <= 100;
  if (ids.size !== 1 || isContradicted) {
    const isOnlyOne = candidates.length === 1 && candidates[0]!.matchedBy !== 'similar';
    const uncertain = isOnlyOne && !hasAmount ? 'percentage' : 'uncertain';
    return { reason: candidates.length > 0 ? uncertain : 'unknown', inciNames, candidates };
  }
  if (!hasAmount) return { reason: 'percentage', certain: certain[0]!, inciNames, candidates: [certain[0]!] };
  return { certain: certain[0]!, inciNames, candidates };
}

function distinct(candidates: readonly CandidateDto[]): CandidateDto[] {
  const ids = candidates.map(({ ingredient }) => ingredient.id);
  return candidates.filter(({ ingredient }, at) => ids.indexOf(ingredient.id) === at);
}
