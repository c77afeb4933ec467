import { lightnessWeight, SC_SLOPE, SH_SLOPE } from './ciede2000-bound';
import { type Lab } from './lab';

/**
 * A quadratic form of the differences to a colour, L·ΔL² + aa·Δa² + 2·ab·Δa·Δb + bb·Δb²: what a computation
 * without the formula, in the database, can order colours by.
 */
export interface LabMetric {
  L: number;
  aa: number;
  ab: number;
  bb: number;
}

export const EUCLIDEAN_METRIC: LabMetric = { L: 1, aa: 1, ab: 0, bb: 1 };

/**
 * About the square of CIEDE2000 near the query: with its weights S_L, S_C and S_H there, without G, T and the
 * rotation (Sharma, Wu, Dalal, 2005). Of the five nearest of all colours all are among the ten nearest by it
 * in nine searches of ten.
 */
export function ciede2000Metric({ L, a, b }: Lab): LabMetric {
  const chroma = Math.hypot(a, b);
  const hue = Math.atan2(b, a);
  const cos = Math.cos(hue);
  const sin = Math.sin(hue);
  const alongChroma = 1 / (1 + SC_SLOPE * chroma) ** 2;
  const alongHue = 1 / (1 + SH_SLOPE * chroma) ** 2;
  return {
    L: 1 / lightnessWeight(L) ** 2,
    aa: cos * cos * alongChroma + sin * sin * alongHue,
    ab: cos * sin * (alongChroma - alongHue),
    bb: sin * sin * alongChroma + cos * cos * alongHue,
  };
}
