import { BestOf, type Candidate, type Ranked } from './best-of';
import { type Ciede2000Bound, ciede2000Bound } from './ciede2000-bound';
import { ciede2000, euclideanDifference } from './color-difference';
import { KnownReaches, type Reach } from './known-reaches';
import { type Lab } from './lab';
import { type LabBox, leastEuclidean } from './lab-box';
import {
  boxOf,
  cellNumber,
  type CellRange,
  cellsOver,
  EVERYWHERE,
  type LabCell,
  LEVELS,
  partsOf,
  rangesOf,
} from './lab-cells';
import { type LabEllipsoid } from './lab-ellipsoid';
import { leastCiede2000 } from './least-ciede2000';
import { ciede2000Metric, EUCLIDEAN_METRIC, type LabMetric } from './local-metric';

/** What the search asks of a table of colours. */
export interface CandidateSource {
  /**
   * On either side of a smallest cell, in the order of their cells, the next `count` colours (fewer only
   * where there are no more).
   */
  around(cell: number, count: number): Promise<Candidate[]>;
  /**
   * Of the first `most` colours of each range of cells those in the ellipsoid (cells reach farther than what
   * is sought: much of what they hold is not worth sending); `complete` where the range has no more. Further
   * colours do no harm.
   * @param likely what is shown may come along with colours that are likely to be the answer
   */
  inRanges(
    ranges: readonly CellRange[],
    most: number,
    near: LabEllipsoid,
    likely: Likely,
  ): Promise<RangeContent[]>;
  /** All colours of a smallest cell; of equal colours only the `copies` with the lowest ids are needed. */
  inSmallestCell(cell: number, copies: number): Promise<Candidate[]>;
}

/** The first `count` colours by the metric, of the differences to the ellipsoid's centre. */
export interface Likely {
  count: number;
  metric: LabMetric;
}

export interface RangeContent {
  colors: Candidate[];
  complete: boolean;
}

/** A colour difference, and what is known of it for colours not yet read. */
interface Difference {
  readonly between: (query: Lab, other: Lab) => number;
  /** No colour of the box is nearer than this. */
  least(query: Lab, box: LabBox): number;
  /** Where all colours up to the difference `limit` lie; null when every colour may be that near. */
  reach(query: Lab, limit: number): Region | null;
  metric(query: Lab): LabMetric;
}

/** All colours of a region are in its box and in its ellipsoid. */
interface Region {
  box: LabBox;
  ellipsoid: LabEllipsoid;
}

const CIEDE2000: Difference = {
  between: ciede2000,
  least: leastCiede2000,
  reach(query, limit) {
    const bound = ciede2000Bound(query, limit);
    return bound && regionAround(query, bound);
  },
  metric: ciede2000Metric,
};

const EUCLIDEAN: Difference = {
  between: euclideanDifference,
  least: leastEuclidean,
  reach: (query, limit) =>
    regionAround(query, { down: limit, up: limit, chromatic: limit, lightness: limit }),
  metric: () => EUCLIDEAN_METRIC,
};

/**
 * Relative and absolute slack on every limit: bounds are exact in real arithmetic, their computation and the
 * stored doubles are not. Too wide costs a few rows, too narrow an answer.
 */
const SLACK = 1e-9;

/** Most cells that one statement reads: what it gives limits the rest. */
const CELLS_AT_ONCE = 128;
/**
 * Most cells that are read as one range. Fewer than the eight parts of a cell: what is cut up is asked for in
 * smaller ranges than before, and in the end in smallest cells.
 */
const CELLS_OF_RANGE = 4;
/** Colours of a range that are read before its cells are cut up. */
const COLORS_OF_RANGE = 64;
/**
 * Colours that a cell should have: fewer, and there are many cells; more, and many colours are read in vain.
 */
const GOOD_CELL = 4;

/**
 * With how many colours their rows come along: enough that nearly always all of the answer are among them.
 * None where many are sought.
 */
const likelyOf = (k: number): number => (k <= 10 ? 2 * k : 0);

/** The nearest colours of one table. */
export class NearestColors {
  private readonly byCiede2000Search: NearestSearch;
  private readonly byEuclideanSearch: NearestSearch;

  constructor(source: CandidateSource) {
    this.byCiede2000Search = new NearestSearch(source, CIEDE2000);
    this.byEuclideanSearch = new NearestSearch(source, EUCLIDEAN);
  }

  /**
   * The `k` stored colours nearest to `query` by CIEDE2000, ties by id, nearest first. Exact: what ranking
   * the whole table would give.
   */
  byCiede2000(query: Lab, k: number): Promise<Ranked[]> {
    return this.byCiede2000Search.nearest(query, k);
  }

  /** The same by Euclidean difference (ΔE76). */
  byEuclidean(query: Lab, k: number): Promise<Ranked[]> {
    return this.byEuclideanSearch.nearest(query, k);
  }
}

/**
 * Branch and bound over the cells of colour space (after Hjaltason & Samet, "Distance browsing in spatial
 * databases", ACM TODS 24(2), 1999), many cells per statement. Every cell that could hold a nearer colour is
 * read, the most promising first; a crowded one is cut up, and parts that cannot hold a nearer one fall away
 * unread.
 */
class NearestSearch {
  private readonly reaches = new KnownReaches();

  constructor(
    private readonly source: CandidateSource,
    private readonly difference: Difference,
  ) {}

  async nearest(query: Lab, k: number): Promise<Ranked[]> {
    const known = this.reaches.get(query, k);
    return (known && (await this.within(known, query, k))) ?? this.fromNeighbours(query, k);
  }

  /** What lies as near as searches around here found enough; undefined where that is less than `k`. */
  private async within({ limit, level }: Reach, query: Lab, k: number): Promise<Ranked[] | undefined> {
    const found = this.best(query, k);
    const lowest = await sweep(this.source, query, limit, level, found, this.difference);
    if (found.worst() > limit) return undefined;
    this.reaches.add(query, k, found.worst(), lowest, true);
    return found.ranked();
  }

  /** Neighbours along the curve give a first k-th best difference, and tell how large cells should be. */
  private async fromNeighbours(query: Lab, k: number): Promise<Ranked[]> {
    const wanted = firstLook(k);
    const neighbours = await this.source.around(cellNumber(query), wanted);
    const first = this.best(query, k).add(neighbours);
    // So few on both sides together: that was the whole table.
    if (neighbours.length < wanted) return first.ranked();

    const level = levelFor(neighbours);
    // Normally one round. Another one only when a colour of the round before has been deleted meanwhile:
    // without it the k-th best may be farther away than the cells were chosen for.
    for (let limit = first.worst(); ;) {
      const found = this.best(query, k);
      const lowest = await sweep(this.source, query, limit, level, found, this.difference);
      if (found.worst() <= limit) {
        this.reaches.add(query, k, found.worst(), lowest, false);
        return found.ranked();
      }
      limit = found.worst();
    }
  }

  private best(query: Lab, k: number): BestOf {
    return new BestOf(query, k, this.difference.between);
  }
}

/**
 * Shows `best` every colour that could be among its k, as far as these are within `limit`.
 * @param level of the cells to begin with
 * @returns the same, or that of smaller ones that were read
 */
async function sweep(
  source: CandidateSource,
  query: Lab,
  limit: number,
  level: number,
  best: BestOf,
  difference: Difference,
): Promise<number> {
  const needed = () => widened(Math.min(limit, best.worst()));
  const promising = (cells: readonly LabCell[]) =>
    cells
      .map((cell) => ({ cell, least: difference.least(query, boxOf(cell)) }))
      .filter(({ least }) => least <= needed());

  let within = limit;
  let reach = difference.reach(query, within);
  const metric = difference.metric(query);
  let count = likelyOf(best.k);
  let waiting = promising((reach && cellsOver(reach.box, CELLS_AT_ONCE, level)) ?? EVERYWHERE);
  // Over a wide reach they are coarse, but many hold nothing that near: room for parts of the others.
  while (waiting.some(({ cell }) => cell.level > level)) {
    const parts: typeof waiting = [];
    for (const one of waiting) {
      parts.push(...(one.cell.level > level ? promising(partsOf(one.cell)) : [one]));
      if (parts.length > CELLS_AT_ONCE) break;
    }
    if (parts.length > CELLS_AT_ONCE) break;
    waiting = parts;
  }
  let lowest = level;
  while (waiting.length > 0) {
    waiting.sort((x, y) => x.least - y.least);
    const asked = waiting.slice(0, CELLS_AT_ONCE).map(({ cell }) => cell);
    lowest = Math.min(lowest, ...asked.map((cell) => cell.level));
    if (best.worst() < within) {
      within = best.worst();
      reach = difference.reach(query, within);
    }
    const near = reach?.ellipsoid ?? { centre: query, lightness: Infinity, chromatic: Infinity };
    const ranges = rangesOf(asked, CELLS_OF_RANGE);
    const contents = await source.inRanges(ranges, COLORS_OF_RANGE, near, { count, metric });
    // What is found further on is seldom the answer: it would bring rows in vain.
    count = 0;
    for (const { colors } of contents) best.add(colors);
    const crowded = ranges.filter((_, index) => !contents[index]!.complete).flatMap(({ cells }) => cells);
    waiting = waiting.slice(CELLS_AT_ONCE).filter(({ least }) => least <= needed());
    for (const cell of crowded) {
      if (cell.level > 0) waiting.push(...promising(partsOf(cell)));
      // Another one may have brought what is nearer than all of this one.
      else if (promising([cell]).length > 0) best.add(await source.inSmallestCell(cell.first, best.k));
    }
  }
  return lowest;
}

/**
 * At least k, in few sizes: a size is part of a statement's text, and each text is prepared once per
 * connection.
 */
function firstLook(k: number): number {
  let count = 16;
  while (count < k) count *= 4;
  return count;
}

/**
 * The level at which a cell has a good number of colours where these are, which follow each other along the
 * curve. The median of the gaps between them tells (of gaps that come by chance the mean is the median / ln
 * 2): the curve makes long leaps through empty space.
 */
function levelFor(colors: readonly Lab[]): number {
  const numbers = colors.map(cellNumber).sort((x, y) => x - y);
  const gaps = numbers.slice(1).map((number, index) => number - numbers[index]!);
  const median = gaps.sort((x, y) => x - y)[gaps.length >> 1]!;
  const goodCell = (GOOD_CELL * median) / Math.LN2;
  return Math.min(LEVELS, Math.max(0, Math.round(Math.log(goodCell) / Math.log(8))));
}

/** The `k` nearest of `candidates` by CIEDE2000, ties by id, nearest first. */
export function rankByCiede2000(candidates: Iterable<Candidate>, query: Lab, k: number): Ranked[] {
  return new BestOf(query, k, ciede2000).add(candidates).ranked();
}

/** A distance with slack for rounding, for taking in rather too much than too little. */
function widened(limit: number): number {
  return limit * (1 + SLACK) + SLACK;
}

function regionAround(
  query: Lab,
  limits: Pick<Ciede2000Bound, 'down' | 'up' | 'chromatic' | 'lightness'>,
): Region {
  const chromatic = widened(limits.chromatic);
  return {
    box: {
      L: [query.L - widened(limits.down), query.L + widened(limits.up)],
      a: [query.a - chromatic, query.a + chromatic],
      b: [query.b - chromatic, query.b + chromatic],
    },
    ellipsoid: { centre: query, lightness: widened(limits.lightness), chromatic },
  };
}
