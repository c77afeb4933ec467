import { differenceCiede2000 } from 'culori';

/**
 * A colour in CIELAB (CIE 1976 L*a*b*). L is the lightness, 0 (black) to 100 (white); a runs from green
 * (negative) to red, b from blue (negative) to yellow. White point D65; one convention (10° observer
 * recommended) for all records of a laboratory. Values are stored and compared unchanged and never converted.
 */
export interface CieLab {
  L: number;
  a: number;
  b: number;
}

// `lab65` is CIELAB relative to D65. With culori's `lab` (D50), the same call would adapt the white
// point first, and the results would not match the published pairs.
const difference = differenceCiede2000();

/**
 * CIEDE2000 difference ΔE00 with kL = kC = kH = 1: 0 for equal colours, about 1 for a just noticeable
 * difference. Symmetric, but neither a metric (the triangle inequality does not hold) nor continuous (it
 * jumps where the mean hue does). Source: G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 color-difference
 * formula", Color Research & Application 30(1), 2005.
 */
export function ciede2000(x: CieLab, y: CieLab): number {
  return difference({ mode: 'lab65', l: x.L, a: x.a, b: x.b }, { mode: 'lab65', l: y.L, a: y.a, b: y.b });
}

/** Euclidean difference ΔE*ab of 1976 (ΔE76). */
export function euclideanDifference(x: CieLab, y: CieLab): number {
  return Math.sqrt((x.L - y.L) ** 2 + (x.a - y.a) ** 2 + (x.b - y.b) ** 2);
}

/** A box in CIELAB space. All limits are inclusive. */
export interface CieLabBox {
  L: readonly [number, number];
  a: readonly [number, number];
  b: readonly [number, number];
}

/** Returns the distance of `value` from the nearest number in `limits`. */
function distanceTo([low, high]: readonly [number, number], value: number): number {
  return value < low ? low - value : value > high ? value - high : 0;
}

/** Returns the least Euclidean difference ΔE76 of any colour in the box to `query`. */
export function leastEuclidean(query: CieLab, box: CieLabBox): number {
  const L = distanceTo(box.L, query.L);
  const a = distanceTo(box.a, query.a);
  const b = distanceTo(box.b, query.b);
  return Math.sqrt(L * L + a * a + b * b);
}
