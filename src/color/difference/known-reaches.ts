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
}

/** Regions, each with a k, that are remembered; then all are forgotten. */
const MOST_KEPT = 4096;

/**
 * How much farther than the mean a search looks: where colours lie by chance, nine of ten find 5 within it,
 * and some 9 lie there.
 */
const MARGIN = 1.2;

/** The last difference counts a fourth of the mean. */
const WEIGHT = 0.25;

/**
 * A k-th best difference of less than this part of the mean is no chance but a crowd: to look past it would
 * read hundreds of colours in vain, to fall short reads few.
 */
const CROWD = 0.5;

/** A reach is told anew after so many uses: the level is what the colours were like then. */
const MOST_USES = 64;

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
    return { limit: known.mean * MARGIN, level: known.level };
  }

  /** @param kth the k-th best difference, found with cells of this level */
  add(query: Lab, k: number, kth: number, level: number): void {
    const key = keyOf(query, k);
    const known = this.reaches.get(key);
    if (!known) {
      if (this.reaches.size >= MOST_KEPT) this.reaches.clear();
      this.reaches.set(key, { mean: kth, level, uses: 0 });
      return;
    }
    const isCrowd = kth < known.mean * CROWD;
    known.mean = isCrowd ? kth : known.mean + (kth - known.mean) * WEIGHT;
    known.level = level;
  }
}

const keyOf = (query: Lab, k: number): string => `${regionOf(query)} ${k}`;
