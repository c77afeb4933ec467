import { type Lab } from './lab';
import { regionOf } from './lab-cells';

/** Where a search may begin: it may find too little there, or look farther than it must. */
export interface Reach {
  /** Colour difference within which k colours are expected. */
  readonly limit: number;
  /** The level of the cells to read. */
  readonly level: number;
}

interface KnownReach {
  /** Mean of the last k-th best differences. */
  mean: number;
  level: number;
  uses: number;
  /** Grows with each search that it misled, and shrinks with each that it helped. */
  faults: number;
}

/** Regions, each with a k, that are remembered; then all are forgotten. */
const MOST_KEPT = 4096;

/**
 * How much farther than the mean a search looks: where colours lie by chance, nine of ten find 5 within it,
 * and some 8 lie there.
 */
const MARGIN = 1.2;

/** The last difference counts a fourth of the mean. */
const WEIGHT = 0.25;

/**
 * A k-th best difference this many times the mean, or this part of it, is no chance: colours lie otherwise
 * here, or since an import. To look too far would read hundreds in vain.
 */
const OTHERWISE = 2;

/** A reach is told anew after so many uses: the level is what the colours were like then. */
const MOST_USES = 64;

/**
 * A fault weighs as much as two searches that were helped. Where there are too many, part of the region is a
 * crowd and part is not: there searches begin with their neighbours until it is told anew.
 */
const FAULT = 2;
const MOST_FAULTS = 7;

/**
 * How far searches had to look for their k-th colour, by region of colour space and k. Only speed depends on
 * it: what it says is never taken for true.
 */
export class KnownReaches {
  private readonly reaches = new Map<string, KnownReach>();

  get(query: Lab, k: number): Reach | undefined {
    const key = keyOf(query, k);
    const known = this.reaches.get(key);
    if (!known) return undefined;
    known.uses += 1;
    if (known.uses > MOST_USES) {
      this.reaches.delete(key);
      return undefined;
    }
    if (known.faults > MOST_FAULTS) return undefined;
    return { limit: known.mean * MARGIN, level: known.level };
  }

  /**
   * @param kth the k-th best difference; infinite, where there is none, it tells nothing
   * @param level of the smallest cells that were read for it
   * @param wasHelped whether it was found where `get` said
   */
  add(query: Lab, k: number, kth: number, level: number, wasHelped: boolean): void {
    if (kth === Infinity) return;
    const key = keyOf(query, k);
    const known = this.reaches.get(key);
    if (!known) {
      if (this.reaches.size >= MOST_KEPT) this.reaches.clear();
      this.reaches.set(key, { mean: kth, level, uses: 0, faults: 0 });
      return;
    }
    const isOther = kth * OTHERWISE < known.mean || kth > known.mean * OTHERWISE;
    known.mean = isOther ? kth : known.mean + (kth - known.mean) * WEIGHT;
    known.level = level;
    if (known.faults > MOST_FAULTS) return;
    known.faults = wasHelped && !isOther ? Math.max(0, known.faults - 1) : known.faults + FAULT;
  }
}

const keyOf = (query: Lab, k: number): string => `${regionOf(query)} ${k}`;
