import { type Lab } from './lab';

/** All limits inclusive. */
export interface LabBox {
  L: readonly [number, number];
  a: readonly [number, number];
  b: readonly [number, number];
}

/** How far `value` is from the nearest number in `limits`. */
function distanceTo([low, high]: readonly [number, number], value: number): number {
  return value < low ? low - value : value > high ? value - high : 0;
}

/** The least Euclidean difference ΔE76 that any colour in the box has to `query`. */
export function leastEuclidean(query: Lab, box: LabBox): number {
  const L = distanceTo(box.L, query.L);
  const a = distanceTo(box.a, query.a);
  const b = distanceTo(box.b, query.b);
  return Math.sqrt(L * L + a * a + b * b);
}
