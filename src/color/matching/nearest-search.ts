import { BestOf, type Candidate, type Ranked } from './best-of';
import { type Ciede2000Bound, ciede2000Bound } from './ciede2000-bound';
import { ciede2000, euclideanDifference } from './color-difference';
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
import { leastCiede2000 } from './least-ciede2000';

/** What the search asks of a table of colours. */
export interface CandidateSource {
  /**
   * On either side of a smallest cell, in the order of their cells, the next `count` colours (fewer only
   * where there are no more).
   */
  around(cell: number, count: number): Promise<Candidate[]>;
  /** The first `most` colours of each range of cells; `complete` where the range has no more. */
  inRanges(ranges: readonly CellRange[], most: number): Promise<RangeContent[]>;
  /** All colours of a smallest cell; of equal colours only the `copies` with the lowest ids are needed. */
  inSmallestCell(cell: number, copies: number): Promise<Candidate[]>;
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
  /** A box with all colours up to the difference `limit`; null when every colour may be that near. */
  reach(query: Lab, limit: number): LabBox | null;
}

const CIEDE2000: Difference = {
  between: ciede2000,
  least: leastCiede2000,
  reach(query, limit) {
    const bound = ciede2000Bound(query, limit);
    return bound && boxAround(query, bound);
  },
};

const EUCLIDEAN: Difference = {
  between: euclideanDifference,
  least: leastEuclidean,
  reach: (query, limit) => boxAround(query, { down: limit, up: limit, chromatic: limit }),
};

/**
 * Relative and absolute slack on every limit: bounds are exact in real arithmetic, their computation and the
 * stored doubles are not. Too wide costs a few rows, too narrow an answer.
 */
const SLACK = 1e-9;

/** Most cells that one statement reads: what it gives limits the rest. */
const CELLS_AT_ONCE = 128;
/**
 * Most cells that are read as one range. Fewer than the eight parts of a cell: a cell that is cut up is read in
 * smaller ranges than before, and in the end in smallest cells.
 */
const CELLS_OF_RANGE = 4;
/** Colours of a range that are read before its cells are cut up. */
const COLORS_OF_RANGE = 64;
/**
 * Colours that a cell should have: fewer, and there are many cells; more, and many colours are read in vain.
 */
const GOOD_CELL = 4;

/** The nearest colours of one table. */
export class NearestColors {
  constructor(private readonly source: CandidateSource) {}

  /**
   * The `k` stored colours nearest to `query` by CIEDE2000, ties by id, nearest first. Exact: the same as
   * ranking the complete table.
   */
  byCiede2000(query: Lab, k: number): Promise<Ranked[]> {
    return nearest(this.source, CIEDE2000, query, k);
  }

  /** The same by Euclidean difference (ΔE76). */
  byEuclidean(query: Lab, k: number): Promise<Ranked[]> {
    return nearest(this.source, EUCLIDEAN, query, k);
  }
}

/**
 * Branch and bound over the cells of colour space (after Hjaltason & Samet, "Distance browsing in spatial
 * databases", ACM TODS 24(2), 1999), many cells per statement. Neighbours along the curve give a first k-th
 * best difference, and tell how large cells should be; then every cell that could hold a nearer colour is
 * read.
 */
async function nearest(
  source: CandidateSource,
  difference: Difference,
  query: Lab,
  k: number,
): Promise<Ranked[]> {
  const wanted = firstLook(k);
  const neighbours = await source.around(cellNumber(query), wanted);
  const first = new BestOf(query, k, difference.between).add(neighbours);
  // So few on both sides together: that was the complete table.
  if (neighbours.length < wanted) return first.ranked();

  const level = levelFor(neighbours);
  // Normally one round. Another one only when a colour of the round before has been deleted meanwhile:
  // without it the k-th best may be farther away than the cells were chosen for.
  for (let limit = first.worst(); ;) {
    const found = new BestOf(query, k, difference.between);
    await sweep(source, query, limit, level, found, difference);
    if (found.worst() <= limit) return found.ranked();
    limit = found.worst();
  }
}

/**
 * Shows `best` every colour that could be among its k, as far as these are within `limit`: the most promising
 * cells first. A crowded cell is cut up, and parts that cannot hold a nearer colour fall away unread.
 * @param level of the cells to begin with
 */
async function sweep(
  source: CandidateSource,
  query: Lab,
  limit: number,
  level: number,
  best: BestOf,
  difference: Difference,
): Promise<void> {
  const needed = () => widened(Math.min(limit, best.worst()));
  const promising = (cells: readonly LabCell[]) =>
    cells
      .map((cell) => ({ cell, least: difference.least(query, boxOf(cell)) }))
      .filter(({ least }) => least <= needed());

  const reach = difference.reach(query, limit);
  let waiting = promising((reach && cellsOver(reach, CELLS_AT_ONCE, level)) ?? EVERYWHERE);
  while (waiting.length > 0) {
    waiting.sort((x, y) => x.least - y.least);
    const ranges = rangesOf(
      waiting.slice(0, CELLS_AT_ONCE).map(({ cell }) => cell),
      CELLS_OF_RANGE,
    );
    const contents = await source.inRanges(ranges, COLORS_OF_RANGE);
    for (const { colors } of contents) best.add(colors);
    const crowded = ranges.filter((_, index) => !contents[index]!.complete).flatMap(({ cells }) => cells);
    waiting = waiting.slice(CELLS_AT_ONCE).filter(({ least }) => least <= needed());
    for (const cell of crowded) {
      if (cell.level > 0) waiting.push(...promising(partsOf(cell)));
      // Another one may have brought what is nearer than all of this one.
      else if (promising([cell]).length > 0) best.add(await source.inSmallestCell(cell.first, best.k));
    }
  }
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

function boxAround(
  query: Lab,
  { down, up, chromatic }: Pick<Ciede2000Bound, 'down' | 'up' | 'chromatic'>,
): LabBox {
  const side = widened(chromatic);
  return {
    L: [query.L - widened(down), query.L + widened(up)],
    a: [query.a - side, query.a + side],
    b: [query.b - side, query.b + side],
  };
}
