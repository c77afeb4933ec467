import { type CieLab } from './color-difference';

/**
 * The maximum distance of a colour from a query, in plain CIELAB coordinates, if their CIEDE2000
 * difference is at most t.
 *
 * Every colour p with ΔE00(q, p) ≤ t satisfies ΔL²/S_L² + (Δa² + Δb²)/λ ≤ t², hence the limits below.
 * Symbols are those of Sharma, Wu, Dalal, "The CIEDE2000 color-difference formula", Color Research &
 * Application 30(1), 2005. docs/colour.md contains the argument; the comments below refer to its steps.
 */
export interface Ciede2000Bound {
  /** Largest possible L of p minus the query's, never beyond L = 100. */
  up: number;
  /** Largest possible L of the query minus p's, never beyond L = 0. */
  down: number;
  /** Largest possible √(Δa² + Δb²). */
  chromatic: number;
}

/**
 * The two terms of the formula that need an upper bound. They are a parameter only so that the tests
 * can replace them by a wrong bound and show that the checked property then fails.
 */
export interface BoundTerms {
  /**
   * Upper bound of −R_T for a mean chroma C̄' of at most `meanChroma` and a mean hue at least `hueDistance`
   * degrees from 275°.
   */
  rotation(meanChroma: number, hueDistance: number): number;
  /** Upper bound of T for mean hues in [from, to] (radians, from ≤ to). */
  hueWeight(from: number, to: number): number;
}

const TWO_PI = 2 * Math.PI;
const DEGREES = 180 / Math.PI;
const POW_25_7 = 25 ** 7;
/** Slopes of S_C and of half of it: S_C = 1 + .045·C̄', and C̄' changes by half of ΔC'. */
export const SC_SLOPE = 0.045;
const SC_HALF_SLOPE = SC_SLOPE / 2;
export const SH_SLOPE = 0.015;
/** Each pass is valid by itself. After four passes, further ones change nothing significant. */
const PASSES = 4;

/** T of the formula, hue in radians. */
function hueTerm(hue: number): number {
  return (
    1 -
    0.17 * Math.cos(hue - Math.PI / 6) +
    0.24 * Math.cos(2 * hue) +
    0.32 * Math.cos(3 * hue + Math.PI / 30) -
    0.2 * Math.cos(4 * hue - (63 * Math.PI) / 180)
  );
}

const HUE_BINS = 720;
const BIN_WIDTH = TWO_PI / HUE_BINS;
/** |dT/dh| ≤ .17 + 2·.24 + 3·.32 + 4·.2: the most that T can exceed its value in the middle of a bin. */
const HUE_SLACK = ((0.17 + 2 * 0.24 + 3 * 0.32 + 4 * 0.2) * BIN_WIDTH) / 2;
const hueTermOfBin = Array.from(
  { length: HUE_BINS },
  (_, bin) => hueTerm((bin + 0.5) * BIN_WIDTH) + HUE_SLACK,
);
const LARGEST_HUE_TERM = Math.max(...hueTermOfBin);

export const CIEDE2000_TERMS: BoundTerms = {
  rotation(meanChroma, hueDistance) {
    const rc = meanChroma === Infinity ? 1 : Math.sqrt(saturation(meanChroma));
    return 2 * Math.sin((Math.PI / 3) * Math.exp(-((hueDistance / 25) ** 2))) * rc;
  },
  hueWeight(from, to) {
    if (to - from >= TWO_PI) return LARGEST_HUE_TERM;
    const first = Math.floor(from / BIN_WIDTH);
    const last = Math.min(Math.floor(to / BIN_WIDTH), first + HUE_BINS - 1);
    let largest = 0;
    for (let bin = first; bin <= last; bin++) {
      const value = hueTermOfBin[((bin % HUE_BINS) + HUE_BINS) % HUE_BINS]!;
      if (value > largest) largest = value;
    }
    return largest;
  },
};

/** C⁷/(C⁷ + 25⁷), written so that a very large chroma does not become ∞/∞. */
function saturation(chroma: number): number {
  if (chroma === 0) return 0;
  const square = chroma * chroma;
  // `**` would take most of the time of a bound.
  return 1 / (1 + POW_25_7 / (square * square * square * chroma));
}

/** G of the formula, in [0, ½] and falling as the mean chroma C̄ rises. */
export function axisStretch(meanChroma: number): number {
  return 0.5 * (1 - Math.sqrt(saturation(meanChroma)));
}

/**
 * S_L as a function of the mean lightness. Not convex over the entire range, but its slope has the sign of (L̄
 * − 50) everywhere: on any interval it is largest at an end.
 */
export function lightnessWeight(meanL: number): number {
  const square = (meanL - 50) ** 2;
  return 1 + (0.015 * square) / Math.sqrt(20 + square);
}

/**
 * The largest |ΔL| in one direction with |ΔL|/S_L(L̄) ≤ t. The quotient increases with |ΔL| (S_L's slope is
 * under .0164 and |ΔL|/2 at most 50, so S_L − |ΔL|/2·S_L' > 0): bisect, and keep the upper end.
 */
function lightnessReach(L: number, t: number, direction: 1 | -1): number {
  let high = direction === 1 ? 100 - L : L;
  if (high <= t * lightnessWeight(L + (direction * high) / 2)) return high;
  let low = 0;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (middle <= t * lightnessWeight(L + (direction * middle) / 2)) low = middle;
    else high = middle;
  }
  return high;
}

/** Degrees between 275° and the nearest point of the hue interval [from, to] (radians, from ≤ to). */
export function distanceFromBlue(from: number, to: number): number {
  const centre = ((from + to) / 2) * DEGREES;
  const halfWidth = ((to - from) / 2) * DEGREES;
  const offset = Math.abs(((((centre - 275) % 360) + 540) % 360) - 180);
  return Math.max(0, offset - halfWidth);
}

/**
 * Returns the bound for all colours with ΔE00 ≤ t to the query, or null if t is too large for any bound
 * (every stored colour may qualify then). Assumes exact arithmetic: compare with a slack of 1e-9.
 *
 * @param query L in 0..100, a and b finite
 * @param t     ΔE00, ≥ 0
 */
export function ciede2000Bound(
  query: CieLab,
  t: number,
  terms: BoundTerms = CIEDE2000_TERMS,
): Ciede2000Bound | null {
  const chroma = Math.hypot(query.a, query.b);

  // Limits for the other colour; every pass narrows them. Hue: the full circle; mean chroma C̄ ≥ C₁/2,
  // and C̄' without limit.
  let hueFrom = 0;
  let hueTo = TWO_PI;
  let hueDistance = 0;
  let meanChromaMin = chroma / 2;
  let meanChromaMax = Infinity; // of C̄
  let meanPrimedMax = Infinity; // of C̄'
  let lambda = Infinity;

  for (let pass = 0; pass < PASSES; pass++) {
    // Step 1: both colours share G, and ΔC'² + ΔH'² = (1+G)²Δa² + Δb² ≥ Δa² + Δb².
    const stretchMax = 1 + axisStretch(meanChromaMin);
    const stretchMin = meanChromaMax === Infinity ? 1 : 1 + axisStretch(meanChromaMax);
    const primedMax = Math.hypot(stretchMax * query.a, query.b);
    const primedMin = Math.hypot(stretchMin * query.a, query.b);

    // Step 2: R_T ∈ [−ρ, 0], so with x = ΔC'/S_C and y = ΔH'/S_H: t² ≥ l² + x² + y² − ρ|xy|, and |x|, |y| ≤
    // t_c.
    const rho = terms.rotation(meanPrimedMax, hueDistance);
    const w = 1 - (rho * rho) / 4;
    const tc = t / Math.sqrt(w);

    // Step 3: the most that C' can rise and fall.
    if (SC_HALF_SLOPE * tc >= 1) return null;
    const rise = (tc * (1 + SC_SLOPE * primedMax)) / (1 - SC_HALF_SLOPE * tc);
    meanPrimedMax = Math.min(meanPrimedMax, primedMax + rise / 2);
    const otherPrimedMin = Math.max(
      0,
      (primedMin * (1 - SC_HALF_SLOPE * tc) - tc) / (1 + SC_HALF_SLOPE * tc),
    );

    // Step 4: S_C and S_H from above.
    const sc = 1 + SC_SLOPE * meanPrimedMax;
    const sh = 1 + SH_SLOPE * meanPrimedMax * terms.hueWeight(hueFrom, hueTo);

    // Step 5: the largest S_C²x² + S_H²y² under x² + y² − ρ|xy| ≤ t² is λt².
    const A = sc * sc;
    const B = sh * sh;
    lambda = Math.min(lambda, (A + B + Math.sqrt(Math.max(0, (A + B) ** 2 - 4 * w * A * B))) / (2 * w));

    // Step 7: the chroma and hue of the other colour give a narrower mean hue and a narrower G for the next pass.
    meanChromaMax = chroma + (t * Math.sqrt(lambda)) / 2;
    meanChromaMin = Math.max(meanChromaMin, (chroma + otherPrimedMin / stretchMax) / 2);
    const halfAngleSine = (tc * sh) / (2 * Math.sqrt(primedMin * otherPrimedMin));
    if (halfAngleSine < 1 - 1e-9) {
      const halfAngle = Math.asin(halfAngleSine);
      const first = Math.atan2(query.b, stretchMin * query.a);
      const second = Math.atan2(query.b, stretchMax * query.a);
      hueFrom = Math.min(first, second) - halfAngle;
      hueTo = Math.max(first, second) + halfAngle;
      hueDistance = distanceFromBlue(hueFrom, hueTo);
    }
  }

  // Step 6: lightness, separately upwards and downwards.
  const up = lightnessReach(query.L, t, 1);
  const down = lightnessReach(query.L, t, -1);
  return { up, down, chromatic: t * Math.sqrt(lambda) };
}
