import { differenceCiede2000 } from 'culori';
import { type Lab } from './lab';

// `lab65` is CIELAB relative to D65. With culori's `lab` (D50), the same call would adapt the white
// point first, and the results would not match the published pairs.
const difference = differenceCiede2000();

/**
 * CIEDE2000 difference ΔE00 with kL = kC = kH = 1: 0 for equal colours, about 1 for a just noticeable
 * difference. Symmetric, but neither a metric (the triangle inequality does not hold) nor continuous (it
 * jumps where the mean hue does). Source: G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 color-difference
 * formula", Color Research & Application 30(1), 2005.
 */
export function ciede2000(x: Lab, y: Lab): number {
  return difference({ mode: 'lab65', l: x.L, a: x.a, b: x.b }, { mode: 'lab65', l: y.L, a: y.a, b: y.b });
}

/** Euclidean difference ΔE*ab of 1976 (ΔE76). */
export function euclideanDifference(x: Lab, y: Lab): number {
  return Math.sqrt((x.L - y.L) ** 2 + (x.a - y.a) ** 2 + (x.b - y.b) ** 2);
}
