import type { FormulaExtraction } from '../../../ai/capabilities/extract-formula/formula-extraction';
import type { Candidate, Resolution } from '../resolve/resolution';
import { UNNAMED_PHASE } from './extract.words';

export type ExtractedFormula = Awaited<ReturnType<FormulaExtraction['complete']>>;

export const UNRESOLVED_REASONS = ['unknown', 'uncertain', 'percentage'] as const;
export type UnresolvedReason = (typeof UNRESOLVED_REASONS)[number];

const MAX_PHASE_NAME = 200;
const MAX_NOTES = 2000;

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
  readonly percentage: number;
  readonly processNotes: string | null;
  readonly reason: UnresolvedReason;
  readonly inciNames: readonly string[];
  readonly candidates: readonly Candidate[];
}

export interface Composed {
  readonly phases: readonly ComposedPhase[];
  readonly unresolved: readonly UnresolvedLine[];
}

/** A line of a text: its names as written, and their resolutions. */
export interface ReadLine {
  readonly names: readonly string[];
  readonly resolutions: readonly Resolution[];
}

/** The ingredient of a resolved line, otherwise the reason and the candidates. */
type LineMeaning =
  { readonly ingredientId: string } | Pick<UnresolvedLine, 'reason' | 'inciNames' | 'candidates'>;

/**
 * Returns a composition of the lines whose ingredients are certain, and the other lines separately.
 * @param read the resolved names of each line
 */
export function compose(lines: ExtractedFormula['lines'], read: readonly ReadLine[]): Composed {
  const phases: (ComposedPhase & { ingredients: ComposedLine[] })[] = [];
  const unresolved: UnresolvedLine[] = [];
  lines.forEach(({ phase: named, percentage, processNotes: notes }, index) => {
    const { names, resolutions } = read[index]!;
    const phase = named.slice(0, MAX_PHASE_NAME) || UNNAMED_PHASE;
    const processNotes = notes.slice(0, MAX_NOTES) || null;
    const meaning = meaningOf(resolutions, percentage);
    if ('reason' in meaning) {
      const name = names.join(' ');
      unresolved.push({ position: index + 1, phase, name, percentage, processNotes, ...meaning });
      return;
    }
    // Lines are in the order of work, so a phase name that occurs again begins another phase.
    if (phases.at(-1)?.name !== phase)
      phases.push({ name: phase, sortOrder: phases.length + 1, ingredients: [] });
    phases.at(-1)!.ingredients.push({ ingredientId: meaning.ingredientId, percentage, processNotes });
  });
  return { phases, unresolved };
}

/** A line is certain if one of its names is, and no other name contradicts it. */
function meaningOf(resolutions: readonly Resolution[], percentage: number): LineMeaning {
  const certain = resolutions.filter((resolution) => resolution.certain);
  const ids = new Set(certain.map(({ candidates }) => candidates[0]!.ingredient.id));
  // An uncertain name with a grade is that of a solution.
  const isContradicted = resolutions.some((one) => !one.certain && one.grade !== null);
  const inciNames = [...new Set(resolutions.flatMap((resolution) => resolution.inciNames))];
  const candidates = distinct(resolutions.flatMap((resolution) => resolution.candidates));
  const [ingredientId] = ids;
  if (ingredientId === undefined || ids.size > 1 || isContradicted) {
    return { reason: candidates.length > 0 ? 'uncertain' : 'unknown', inciNames, candidates };
  }
  if (!(percentage > 0 && percentage <= 100)) {
    return { reason: 'percentage', inciNames, candidates: certain[0]!.candidates };
  }
  return { ingredientId };
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  const ids = candidates.map(({ ingredient }) => ingredient.id);
  return candidates.filter(({ ingredient }, at) => ids.indexOf(ingredient.id) === at);
}
