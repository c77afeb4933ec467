import { type Ciede2000Bound, ciede2000Bound } from './ciede2000-bound';
import { ciede2000, euclideanDifference } from './color-difference';
import { type Lab } from './lab';

/** A stored colour, as little of it as ranking needs. */
export interface Candidate extends Lab {
  /** UUID in lower case. */
  id: string;
}

export interface Ranked {
  id: string;
  /** CIEDE2000 difference to the query. */
  distance: number;
}

/** All limits inclusive. */
export interface LabBox {
  L: readonly [number, number];
  a: readonly [number, number];
  b: readonly [number, number];
}

/** The statements the search needs of a table of colours. */
export interface CandidateSource {
  /** The `count` colours nearest by Euclidean difference, ties by id, nearest first. */
  nearest(query: Lab, count: number): Promise<Candidate[]>;
  /**
   * The colours in the box, in any order; of equal colours only the `copies` with the lowest ids are needed. Null when the box
   * holds more than is sensible to read at once.
   */
  within(box: LabBox, copies: number): Promise<Candidate[] | null>;
  /** Every colour, some thousand at a time. */
  all(): AsyncIterable<Candidate[]>;
}

/**
 * Relative and absolute slack on every limit: the bound is exact in real arithmetic, its computation and the stored doubles are
 * not. Too wide costs a few rows, too narrow an answer.
 */
const SLACK = 1e-9;

/**
 * The `k` stored colours nearest to `query` by CIEDE2000, ties by id, nearest first. Exact: what ranking the whole table would give.
 *
 * Optimal multi-step k-nearest-neighbour search (Seidl & Kriegel, "Optimal multi-step k-nearest neighbor search", SIGMOD 1998):
 * an index that knows only Euclidean distance gives candidates, the k-th best of them by CIEDE2000 limits how far any better
 * colour can lie (ciede2000Bound), and only if the candidates do not reach that far a second statement reads the rest.
 */
export async function nearestByCiede2000(source: CandidateSource, query: Lab, k: number): Promise<Ranked[]> {
  const wanted = firstLook(k);
  const candidates = await source.nearest(query, wanted);
  let best = new BestOf(query, k).add(candidates);
  if (candidates.length < wanted) return best.ranked();

  let limit = best.worst();
  const bound = ciede2000Bound(query, limit);
  const reached = euclideanDifference(query, candidates[candidates.length - 1]!);
  if (bound && reached > widened(bound.radius)) return best.ranked();

  // Normally one round. Another one only when a colour of the round before has been deleted meanwhile: without it the k-th best may
  // be farther away than the box was made for.
  for (let next: Ciede2000Bound | null = bound; next; next = ciede2000Bound(query, limit)) {
    const inBox = await source.within(boxAround(query, next), k);
    if (!inBox) break;
    best = new BestOf(query, k).add(inBox);
    if (best.worst() <= limit) return best.ranked();
    limit = best.worst();
  }

  best = new BestOf(query, k);
  for await (const part of source.all()) best.add(part);
  return best.ranked();
}

/** At least 10·k, in few sizes: a size is part of a statement's text, and each text is prepared once per connection. */
function firstLook(k: number): number {
  let count = 64;
  while (count < 10 * k) count *= 4;
  return count;
}

/** The `k` nearest of `candidates` by CIEDE2000, ties by id, nearest first. */
export function rankByCiede2000(candidates: Iterable<Candidate>, query: Lab, k: number): Ranked[] {
  return new BestOf(query, k).add(candidates).ranked();
}

/** A distance with slack for rounding, for taking in rather too much than too little. */
export function widened(limit: number): number {
  return limit * (1 + SLACK) + SLACK;
}

function boxAround(query: Lab, bound: Ciede2000Bound): LabBox {
  const c = widened(bound.chromatic);
  return {
    L: [query.L - widened(bound.down), query.L + widened(bound.up)],
    a: [query.a - c, query.a + c],
    b: [query.b - c, query.b + c],
  };
}

/** Keeps the k best of what it is shown, in order. */
class BestOf {
  private readonly kept: Ranked[] = [];

  constructor(
    private readonly query: Lab,
    private readonly k: number,
  ) {}

  add(candidates: Iterable<Candidate>): this {
    const { kept, k, query } = this;
    for (const candidate of candidates) {
      const entry = { id: candidate.id, distance: ciede2000(query, candidate) };
      if (kept.length === k && !before(entry, kept[k - 1]!)) continue;
      let low = 0;
      let high = kept.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (before(entry, kept[middle]!)) high = middle;
        else low = middle + 1;
      }
      kept.splice(low, 0, entry);
      if (kept.length > k) kept.pop();
    }
    return this;
  }

  /** The k-th best difference, infinite while there are fewer than k. */
  worst(): number {
    return this.kept.length < this.k ? Infinity : this.kept[this.k - 1]!.distance;
  }

  ranked(): Ranked[] {
    return this.kept;
  }
}

/** UUIDs are lower-case text of one length here: text order is the order in which PostgreSQL compares them. */
function before(x: Ranked, y: Ranked): boolean {
  return x.distance < y.distance || (x.distance === y.distance && x.id < y.id);
}
