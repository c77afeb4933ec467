import { type Lab } from './lab';

/** A box in CIELAB space. All limits are inclusive. */
export interface LabBox {
  L: readonly [number, number];
  a: readonly [number, number];
  b: readonly [number, number];
}

/** Returns the distance of `value` from the nearest number in `limits`. */
function distanceTo([low, high]: readonly [number, number], value: number): number {
  return value < low ? low - value : value > high ? value - high : 0;
}

/** Returns the least Euclidean difference ΔE76 of any colour in the box to `query`. */
export function leastEuclidean(query: Lab, box: LabBox): number {
  const L = distanceTo(box.L, query.L);
  const a = distanceTo(box.a, query.a);
  const b = distanceTo(box.b, query.b);
  return Math.sqrt(L * L + a * a + b * b);
}
