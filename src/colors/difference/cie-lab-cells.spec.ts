import { samples } from '../../../test/support/random-numbers';
import { type CieLab } from './color-difference';
import {
  boxOf,
  cellNumber,
  cellsOver,
  EVERYWHERE,
  type CieLabCell,
  lastOf,
  LEVELS,
  eighthsOf,
  rangesOf,
} from './cie-lab-cells';

function randomNumbers(seed: number): () => number {
  return () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 4294967296;
  };
}

const random = randomNumbers(3);
const anyColour = (size: number): CieLab => ({
  L: random() * 100,
  a: (random() - 0.5) * 2 * size,
  b: (random() - 0.5) * 2 * size,
});

const holds = (
  cells: readonly { first: number; level: number; x: number; y: number; z: number }[],
  color: CieLab,
) => cells.filter((cell) => cell.first <= cellNumber(color) && cellNumber(color) <= lastOf(cell)).length;

describe('cells of colour space', () => {
  it('numbers colours along a Z-order curve: L first, then a, then b', () => {
    const origin = cellNumber({ L: 0, a: 0, b: 0 });
    expect(cellNumber({ L: 0.1, a: 0.1, b: 0.1 })).toBe(origin);
    expect(cellNumber({ L: 0, a: 0, b: 0.25 })).toBe(origin + 1);
    expect(cellNumber({ L: 0, a: 0.25, b: 0 })).toBe(origin + 2);
    expect(cellNumber({ L: 0.25, a: 0, b: 0 })).toBe(origin + 4);
    expect(cellNumber({ L: 0, a: 0, b: 0.5 })).toBe(origin + 8);
    expect(cellNumber({ L: 100, a: 10_000, b: 10_000 })).toBeLessThan(8 ** LEVELS);
    expect(Number.isSafeInteger(8 ** LEVELS)).toBe(true);
  });

  it('a cell is the range of numbers of the colours in its box', () => {
    for (let i = 0; i < samples(300); i++) {
      const color = anyColour(i % 2 ? 100 : 10_000);
      let cell = { first: 0, level: LEVELS, x: 0, y: 0, z: 0 };
      while (cell.level > 0) {
        const parts = eighthsOf(cell);
        expect(parts.map(({ first }) => first)).toEqual([
          cell.first,
          ...parts.slice(0, -1).map((part) => lastOf(part) + 1),
        ]);
        expect(lastOf(parts[7]!)).toBe(lastOf(cell));
        const [around, ...others] = parts.filter((part) => holds([part], color));
        expect(others).toEqual([]);
        cell = around!;
        const box = boxOf(cell);
        for (const axis of ['L', 'a', 'b'] as const) {
          expect(color[axis]).toBeGreaterThanOrEqual(box[axis][0]);
          expect(color[axis]).toBeLessThanOrEqual(box[axis][1]);
        }
      }
      expect(cell.first).toBe(cellNumber(color));
    }
  });

  it('the box of a cell holds what rounding moves into the cell', () => {
    const limits = [-9999.75, -128, -0.25, 0, 0.25, 128, 9999.75];
    const nudges = [0, 5e-324, 1e-300, 1e-14, 1e-13, 1.8e-12, 3e-12];
    for (const limit of limits)
      for (const nudge of nudges)
        for (const value of [limit - nudge, limit + nudge]) {
          const color = { L: 50, a: value, b: -value };
          let cell = { first: 0, level: LEVELS, x: 0, y: 0, z: 0 };
          while (cell.level > 0) cell = eighthsOf(cell).find((part) => holds([part], color))!;
          const { a, b } = boxOf(cell);
          expect([a[0] <= value, value <= a[1], b[0] <= -value, -value <= b[1]]).not.toContain(false);
        }
  });

  it('covers a box once, with few cells, or says that it is too large', () => {
    for (let i = 0; i < samples(300); i++) {
      const centre = anyColour(100);
      const size = 10 ** (random() * 3 - 1);
      const axis = (middle: number): [number, number] => [middle - size * random(), middle + size * random()];
      const box = { L: axis(centre.L), a: axis(centre.a), b: axis(centre.b) };
      const cells = cellsOver(box, 64, 2);
      if (!cells) {
        expect(size).toBeGreaterThan(50);
        continue;
      }
      expect(cells.length).toBeLessThanOrEqual(64);
      const inside = ([low, high]: readonly [number, number]) => low + (high - low) * random();
      for (let j = 0; j < 20; j++)
        expect(holds(cells, { L: inside(box.L), a: inside(box.a), b: inside(box.b) })).toBe(1);
    }
    expect(cellsOver({ L: [0, 100], a: [-10_000, 10_000], b: [0, 1] }, 64, 0)).toBeNull();
    expect(cellsOver({ L: [0, 1], a: [0, 1], b: [0, 20_000] }, 64, 0)).toBeNull();
  });

  it('covers a box with as many cells of the largest size as it may have', () => {
    const cells = cellsOver({ L: [0, 100], a: [-100, 100], b: [-200, 250] }, 64, 0);
    expect(cells?.map(({ level }) => level)).toEqual(Array(64).fill(8));
  });

  it('covers no box that reaches beyond the whole', () => {
    const along = (a: [number, number]) => cellsOver({ L: [0, 1], a, b: [0, 1] }, 64, 3);
    expect(along([-16_384, -16_383])).not.toBeNull();
    expect(along([16_383, 16_383.9])).not.toBeNull();
    expect(along([-16_384.1, -16_383])).toBeNull();
    expect(along([16_383, 16_384])).toBeNull();
  });

  it('puts cells that follow each other into ranges, no more than so many into one', () => {
    const [one, two, three, , five] = eighthsOf({ first: 8 ** 4, level: 4, x: 0, y: 0, z: 0 });
    const small = eighthsOf(five!);
    const range = (...cells: CieLabCell[]) => ({
      first: cells[0]!.first,
      last: lastOf(cells.at(-1)!),
      cells,
    });
    expect(rangesOf([], 4)).toEqual([]);
    expect(rangesOf([three!, one!, five!, two!], 4)).toEqual([range(one!, two!, three!), range(five!)]);
    expect(rangesOf([three!, one!, two!], 2)).toEqual([range(one!, two!), range(three!)]);
    expect(rangesOf(small, 3).map(({ cells }) => cells)).toEqual([
      small.slice(0, 3),
      small.slice(3, 6),
      small.slice(6),
    ]);
    // Smallest ones alone.
    const smallest = eighthsOf({ first: 0, level: 1, x: 0, y: 0, z: 0 });
    const [next] = eighthsOf({ first: 64, level: 2, x: 4, y: 0, z: 0 });
    expect(rangesOf([smallest[6]!, smallest[7]!], 4).map(({ cells }) => cells)).toEqual([
      [smallest[6]!],
      [smallest[7]!],
    ]);
    expect(rangesOf([{ ...smallest[7]!, first: 63 }, next!], 4)).toHaveLength(2);
    // Of different sizes, too.
    const four = eighthsOf({ first: 8 ** 4, level: 4, x: 0, y: 0, z: 0 })[3]!;
    expect(rangesOf([small[0]!, four], 4)).toEqual([range(four, small[0]!)]);
  });

  it('has a list of cells that holds every colour once', () => {
    for (let i = 0; i < samples(2000); i++)
      expect(holds(EVERYWHERE, anyColour(i % 2 ? 130 : 10_000))).toBe(1);
    for (const L of [0, 100])
      for (const a of [-10_000, -1e-300, 0, 10_000]) expect(holds(EVERYWHERE, { L, a, b: -a })).toBe(1);
    expect(EVERYWHERE.length).toBeLessThan(128);
  });
});
