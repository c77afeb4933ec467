import type { CompositionLine, NamedIngredient } from '../../composition/composition';

/** The compared part of a phase. Phases and their lines are in the order of work. */
export interface ComparedPhase {
  readonly name: string;
  readonly lines: readonly ComparedLine[];
}

export type ComparedLine = Pick<
  CompositionLine,
  'ingredientId' | 'ingredient' | 'percentage' | 'processNotes'
>;

/** The value in the earlier and in the later composition; null if there is none. */
export interface FromTo<T> {
  readonly from: T | null;
  readonly to: T | null;
}

/** A change of a phase. A phase that was both renamed and moved is `renamed`. */
export interface PhaseChange {
  readonly change: 'added' | 'removed' | 'renamed' | 'reordered';
  readonly name: FromTo<string>;
  /** Counted from 1 in the order of work. */
  readonly position: FromTo<number>;
}

/** A change of a line. A line with another percentage or other notes is `changed`, even if it was moved too. */
export interface LineChange {
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  readonly ingredient: NamedIngredient;
  readonly phase: FromTo<string>;
  /** Position of the phase, counted from 1 in the order of work. */
  readonly phasePosition: FromTo<number>;
  /** Position in the phase, counted from 1. */
  readonly position: FromTo<number>;
  readonly percentage: FromTo<number>;
  readonly processNotes: FromTo<string>;
}

/**
 * The differences of two compositions. Phases and lines that are not listed are the same in both, in the same
 * order. Their positions differ only because of listed ones before them.
 */
export interface Comparison {
  readonly phases: readonly PhaseChange[];
  readonly lines: readonly LineChange[];
}

/** An item of the earlier composition, and the same item of the later one. */
export type Pair<T> = readonly [from: T, to: T];

/** A line with its position: indexes of its phase, and within the phase. */
export interface PlacedLine {
  readonly line: ComparedLine;
  readonly phase: number;
  readonly index: number;
}
