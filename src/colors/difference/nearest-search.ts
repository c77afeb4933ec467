import { BestOf, type PlacedColor, type Ranked } from './best-of';
import { type Ciede2000Bound, ciede2000Bound } from './ciede2000-bound';
import {
  ciede2000,
  type CieLab,
  type CieLabBox,
  euclideanDifference,
  leastEuclidean,
} from './color-difference';
import {
  boxOf,
  cellNumber,
  type CellRange,
  cellsOver,
  EVERYWHERE,
  type CieLabCell,
  LEVELS,
  eighthsOf,
  rangesOf,
} from './cie-lab-cells';
import { leastCiede2000 } from './least-ciede2000';

/** The reads of a table of colours that the search needs. */
export interface ColorSource {
  /**
   * Returns the next `count` colours on either side of a smallest cell, in the order of their cells
   * (fewer only if there are no more).
   */
  around(cell: number, count: number): Promise<PlacedColor[]>;
  /** Returns the first `most` colours of each range of cells. `complete` is true if the range has no more. */
  inRanges(ranges: readonly CellRange[], most: number): Promise<RangeContent[]>;
  /** Returns all colours of a smallest cell. Of equal colours, only the `copies` with the lowest ids are needed. */
  inSmallestCell(cell: number, copies: number): Promise<PlacedColor[]>;
}

export interface RangeContent {
  colors: PlacedColor[];
  complete: boolean;
}

/** A colour difference, and its bounds for colours that have not been read. */
interface Difference {
  readonly between: (query: CieLab, other: CieLab) => number;
  /** Returns a lower bound of the difference for all colours of the box. */
  least(query: CieLab, box: CieLabBox): number;
  /** Returns a box with all colours up to the difference `limit`, or null if every colour may be that near. */
  reach(query: CieLab, limit: number): CieLabBox | null;
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
 * Relative and absolute slack for every limit: bounds are exact in real arithmetic, but their computation and the
 * stored doubles are not. A limit that is too wide reads a few more rows, one that is too narrow loses a result.
 */
const SLACK = 1e-9;

/** Maximum number of cells that one statement reads. Its result limits the next statement. */
const CELLS_AT_ONCE = 128;
/**
 * Maximum number of cells that are read as one range. Fewer than the eight parts of a cell, so that a
 * divided cell is read in smaller ranges than before, and finally in smallest cells.
 */
const CELLS_OF_RANGE = 4;
/** Number of colours of a range that are read before its cells are divided. */
const COLORS_OF_RANGE = 64;
/** Preferred number of colours per cell. Fewer would need more cells, more would read colours in vain. */
const GOOD_CELL = 4;

/** Finds the nearest colours of one table. */
export class NearestColors {
  constructor(private readonly source: ColorSource) {}

  /**
   * Returns the `k` stored colours nearest to `query` by CIEDE2000, ties by id, nearest first. The
   * result is exact, as if the complete table were ranked.
   */
  byCiede2000(query: CieLab, k: number): Promise<Ranked[]> {
    return nearest(this.source, CIEDE2000, query, k);
  }

  /** Like `byCiede2000`, by Euclidean difference (ΔE76). */
  byEuclidean(query: CieLab, k: number): Promise<Ranked[]> {
    return nearest(this.source, EUCLIDEAN, query, k);
  }
}

/**
 * Branch and bound over the cells of colour space (after Hjaltason & Samet, "Distance browsing in spatial
 * databases", ACM TODS 24(2), 1999), with many cells per statement. Neighbours along the curve give a first
 * k-th best difference and a good size of cells. Then every cell that may contain a nearer colour is read.
 */
async function nearest(
  source: ColorSource,
  difference: Difference,
  query: CieLab,
  k: number,
): Promise<Ranked[]> {
  const wanted = firstLook(k);
  const neighbours = await source.around(cellNumber(query), wanted);
  const first = new BestOf(query, k, difference.between).add(neighbours);
  // Fewer colours than requested on both sides together are the complete table.
  if (neighbours.length < wanted) return first.ranked();

  const level = levelFor(neighbours);
  // Normally one round. Another one is needed only if a colour of the round before was deleted in the
  // meantime: without it the k-th best may be farther away than the limit for which the cells were chosen.
  for (let limit = first.worst(); ;) {
    const found = new BestOf(query, k, difference.between);
    await sweep(source, query, limit, level, found, difference);
    if (found.worst() <= limit) return found.ranked();
    limit = found.worst();
  }
}

/**
 * Adds every colour to `best` that could be among its k, as far as these are within `limit`, from the most
 * promising cells on. A crowded cell is divided, and parts that cannot contain a nearer colour are not read.
 * @param level level of the first cells
 */
async function sweep(
  source: ColorSource,
  query: CieLab,
  limit: number,
  level: number,
  best: BestOf,
  difference: Difference,
): Promise<void> {
  const needed = () => widened(Math.min(limit, best.worst()));
  const promising = (cells: readonly CieLabCell[]) =>
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
      if (cell.level > 0) waiting.push(...promising(eighthsOf(cell)));
      // Another cell may have provided colours that are nearer than all of this one.
      else if (promising([cell]).length > 0) best.add(await source.inSmallestCell(cell.first, best.k));
    }
  }
}

/**
 * Returns at least k, rounded up to one of few sizes: the size is part of a statement's text, and
 * each text is prepared once per connection.
 */
function firstLook(k: number): number {
  let count = 16;
  while (count < k) count *= 4;
  return count;
}

/**
 * Returns the level at which cells near these colours contain a good number of colours. The colours
 * follow each other along the curve. Uses the median of the gaps between them, because the curve
 * makes long leaps through empty space; for random gaps the mean is the median / ln 2.
 */
function levelFor(colors: readonly CieLab[]): number {
  const numbers = colors.map(cellNumber).sort((x, y) => x - y);
  const gaps = numbers.slice(1).map((number, index) => number - numbers[index]!);
  const median = gaps.sort((x, y) => x - y)[gaps.length >> 1]!;
  const goodCell = (GOOD_CELL * median) / Math.LN2;
  return Math.min(LEVELS, Math.max(0, Math.round(Math.log(goodCell) / Math.log(8))));
}

/** Returns the `k` nearest of `candidates` by CIEDE2000, ties by id, nearest first. */
export function rankByCiede2000(candidates: Iterable<PlacedColor>, query: CieLab, k: number): Ranked[] {
  return new BestOf(query, k, ciede2000).add(candidates).ranked();
}

/** Adds slack for rounding, to include rather too much than too little. */
function widened(limit: number): number {
  return limit * (1 + SLACK) + SLACK;
}

function boxAround(
  query: CieLab,
  { down, up, chromatic }: Pick<Ciede2000Bound, 'down' | 'up' | 'chromatic'>,
): CieLabBox {
  const side = widened(chromatic);
  return {
    L: [query.L - widened(down), query.L + widened(up)],
    a: [query.a - side, query.a + side],
    b: [query.b - side, query.b + side],
  };
}
