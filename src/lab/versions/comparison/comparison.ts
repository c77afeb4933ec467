import type { CompositionLine, NamedIngredient } from '../../compositions/composition';

/** The compared part of a phase. Phases and their lines are in the order of work. */
export interface ComparedPhase {
  readonly name: string;
  readonly lines: readonly ComparedLine[];
}

export type ComparedLine = Pick<
  CompositionLine,
  'ingredientId' | 'ingredient' | 'percentage' | 'processNotes'
>;

/** The value in the earlier and in the later composition; null where there is none. */
export interface FromTo<T> {
  readonly from: T | null;
  readonly to: T | null;
}

/** A change of a phase. One that is renamed and in another place is `renamed`. */
export interface PhaseChange {
  readonly change: 'added' | 'removed' | 'renamed' | 'reordered';
  readonly name: FromTo<string>;
  /** Counted from 1 in the order of work. */
  readonly position: FromTo<number>;
}

/** A change of a line. One with another percentage or other notes is `changed`, also in another place. */
export interface LineChange {
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  readonly ingredient: NamedIngredient;
  readonly phase: FromTo<string>;
  /** Of the phase, counted from 1 in the order of work. */
  readonly phasePosition: FromTo<number>;
  /** In the phase, counted from 1. */
  readonly position: FromTo<number>;
  readonly percentage: FromTo<number>;
  readonly processNotes: FromTo<string>;
}

/**
 * The differences of two compositions. Phases and lines that are not listed are the same in both, in the same
 * order; their positions differ only by what is listed before them.
 */
export interface Comparison {
  readonly phases: readonly PhaseChange[];
  readonly lines: readonly LineChange[];
}

/** Something of the earlier composition, and the same of the later. */
export type Pair<T> = readonly [from: T, to: T];

/** A line with where it stands: indexes of its phase, and within the phase. */
export interface PlacedLine {
  readonly line: ComparedLine;
  readonly phase: number;
  readonly index: number;
}

/** The items of each key, in their order. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
