import type { CieLab, CieLabBox } from './color-difference';

/*
 * Cells of colour space: a cube around it, halved repeatedly along each axis down to a quarter of a
 * unit (an octree). The smallest cells are numbered along a Z-order curve (Morton, 1966), so that
 * every larger cell is one range of numbers, which an ordinary B-tree index can read. The database
 * numbers colours with the function `lab_cell`, which must agree with `cellNumber`.
 */

/** Number of halvings of the space: 17, so that three coordinates fit into the 53 bits of a number. */
export const LEVELS = 17;
/** The side of a smallest cell is 1/SCALE. */
const SCALE = 4;
/** The space extends from −16384 to 16384 on each axis, which is more than the limits of a colour. */
const ORIGIN = -16_384;
/**
 * Distance of adjacent doubles after the origin is added: a colour that is less than this below a
 * cell may be rounded up into it.
 */
const ROUNDING = 2 ** -38;

/** Powers of 8: number of smallest cells in a cell of each level. */
const CELLS_IN = Array.from({ length: LEVELS + 1 }, (_, level) => 8 ** level);

/** A cell: the smallest cells from `first` on that form a cell of a level (0: a smallest cell itself). */
export interface CieLabCell {
  first: number;
  level: number;
  /** The corner with the lowest coordinates, counted in smallest cells. */
  x: number;
  y: number;
  z: number;
}

/** Returns the largest number of a smallest cell in the cell. */
export function lastOf({ first, level }: CieLabCell): number {
  return first + CELLS_IN[level]! - 1;
}

/** Consecutive cells along the curve, which form one range of smallest cells. */
export interface CellRange {
  readonly first: number;
  readonly last: number;
  readonly cells: readonly CieLabCell[];
}

/**
 * Joins cells to ranges, in the order of the curve. A smallest cell is always a range of its own: if
 * it has too many colours, it cannot be divided.
 * @param most maximum number of cells per range
 */
export function rangesOf(cells: readonly CieLabCell[], most: number): CellRange[] {
  const ranges: { first: number; last: number; cells: CieLabCell[] }[] = [];
  for (const cell of cells.toSorted((x, y) => x.first - y.first)) {
    const before = ranges.at(-1);
    const follows = before?.last === cell.first - 1 && cell.level > 0 && before.cells[0]!.level > 0;
    if (follows && before.cells.length < most) {
      before.cells.push(cell);
      before.last = lastOf(cell);
    } else ranges.push({ first: cell.first, last: lastOf(cell), cells: [cell] });
  }
  return ranges;
}

const coordinate = (value: number): number => Math.floor((value - ORIGIN) * SCALE);

/** Returns a number in which every third bit is one of `value` (up to 17 bits). */
function spread(value: number): number {
  let result = 0;
  for (let bit = 0; bit < LEVELS; bit++) if ((value >> bit) & 1) result += CELLS_IN[bit]!;
  return result;
}

function cellAt(x: number, y: number, z: number, level: number): CieLabCell {
  return { first: 4 * spread(x) + 2 * spread(y) + spread(z), level, x, y, z };
}

/** Returns the number of the smallest cell that contains the colour. */
export function cellNumber({ L, a, b }: CieLab): number {
  return cellAt(coordinate(L), coordinate(a), coordinate(b), 0).first;
}

/** Returns the eight parts of a cell, halved along each axis. */
export function eighthsOf({ first, level, x, y, z }: CieLabCell): CieLabCell[] {
  const half = 1 << (level - 1);
  return Array.from({ length: 8 }, (_, part) => ({
    first: first + part * CELLS_IN[level - 1]!,
    level: level - 1,
    x: x + (part & 4 ? half : 0),
    y: y + (part & 2 ? half : 0),
    z: z + (part & 1 ? half : 0),
  }));
}

/** Returns a box with all colours of a cell. Colours on its upper limits belong to the next cell. */
export function boxOf({ level, x, y, z }: CieLabCell): CieLabBox {
  const side = (1 << level) / SCALE;
  const axis = (steps: number): [number, number] => {
    const low = ORIGIN + steps / SCALE;
    return [low - ROUNDING, low + side];
  };
  return { L: axis(x), a: axis(y), b: axis(z) };
}

/** Cells of more than 64 units contain everything or nothing, so reading one has no benefit. */
const LARGEST = 8;

/**
 * Returns the cells of one level that together contain the box: of the smallest level from `lowest` on
 * that needs at most `most` cells. Returns null for a box that is too large for such cells to help.
 */
export function cellsOver(box: CieLabBox, most: number, lowest: number): CieLabCell[] | null {
  const from = [coordinate(box.L[0]), coordinate(box.a[0]), coordinate(box.b[0])] as const;
  const to = [coordinate(box.L[1]), coordinate(box.a[1]), coordinate(box.b[1])] as const;
  if ([...from, ...to].some((limit) => limit < 0 || limit >= 1 << LEVELS)) return null;
  const span = (axis: 0 | 1 | 2, level: number) => (to[axis] >> level) - (from[axis] >> level) + 1;
  for (let level = lowest; level <= LARGEST; level++) {
    if (span(0, level) * span(1, level) * span(2, level) > most) continue;
    const cells: CieLabCell[] = [];
    for (let x = from[0] >> level; x <= to[0] >> level; x++)
      for (let y = from[1] >> level; y <= to[1] >> level; y++)
        for (let z = from[2] >> level; z <= to[2] >> level; z++)
          cells.push(cellAt(x << level, y << level, z << level, level));
    return cells;
  }
  return null;
}

/**
 * Cells that together contain every possible colour: small in the range of surface colours, and
 * larger with the distance from it.
 */
export const EVERYWHERE: readonly CieLabCell[] = divided({ first: 0, level: LEVELS, x: 0, y: 0, z: 0 });

function divided(cell: CieLabCell): CieLabCell[] {
  const { L, a, b } = boxOf(cell);
  if (L[0] > 100 || L[1] <= 0) return [];
  const holdsSurfaceColours = a[0] < 127 && a[1] > -127 && b[0] < 127 && b[1] > -127;
  return cell.level > LARGEST && holdsSurfaceColours ? eighthsOf(cell).flatMap(divided) : [cell];
}
