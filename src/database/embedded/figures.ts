/** Upper bounds of the classes in which the lengths of what the session runs are counted, in seconds. */
export const LENGTH_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];

/** What the thread looks after by itself, as its statements begin. */
export const UPKEEP_KINDS = ['checkpoint', 'analyze', 'vacuum'] as const;

/**
 * What the thread has done, in memory that both sides share: it writes, the main thread reads. First how many
 * groups of statements it has run in each class of lengths, the last one for all that are longer, then the
 * seconds of all of them, then for each kind of upkeep how many statements.
 */
export type SharedFigures = Float64Array<SharedArrayBuffer>;

const SECONDS_AT = LENGTH_BOUNDS.length + 1;
const UPKEEP_AT = SECONDS_AT + 1;

export const sharedFigures = (): SharedFigures =>
  new Float64Array(new SharedArrayBuffer((UPKEEP_AT + UPKEEP_KINDS.length) * Float64Array.BYTES_PER_ELEMENT));

/** The same for people, with what the main thread knows. */
export interface EmbeddedFigures {
  /** Starts after the first one. */
  readonly restarts: number;
  /** How many groups of statements were no longer than each of `LENGTH_BOUNDS`, and how many there were. */
  readonly lengths: readonly number[];
  readonly seconds: number;
  readonly upkeep: Readonly<Record<(typeof UPKEEP_KINDS)[number], number>>;
}

export function figuresOf(shared: SharedFigures, restarts: number): EmbeddedFigures {
  let sum = 0;
  const lengths = [...shared.subarray(0, SECONDS_AT)].map((count) => (sum += count));
  const [checkpoint = 0, analyze = 0, vacuum = 0] = shared.subarray(UPKEEP_AT);
  return { restarts, lengths, seconds: shared[SECONDS_AT] ?? 0, upkeep: { checkpoint, analyze, vacuum } };
}
