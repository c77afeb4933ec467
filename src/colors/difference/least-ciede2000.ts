import {
  axisStretch,
  type BoundTerms,
  CIEDE2000_TERMS,
  distanceFromBlue,
  lightnessWeight,
  SC_SLOPE,
  SH_SLOPE,
} from './ciede2000-bound';
import type { CieLab, CieLabBox } from './color-difference';

const TWO_PI = 2 * Math.PI;
/**
 * Up to this angle the mean hue is in the middle of both hues. At half a turn it jumps to the opposite side, and
 * the difference jumps as well. The value is less than half a turn by more than the rounding error of a hue.
 */
const BEFORE_JUMP = Math.PI - 1e-12;

/**
 * Returns a lower bound of the CIEDE2000 difference between the query and the colours of the box:
 * interval arithmetic over the formula of Sharma, Wu, Dalal (2005), in which each term takes the end
 * of its interval that makes the difference smaller. The smaller the box, the closer the bound is to
 * the true least difference. docs/colour.md contains the argument; the steps below have its numbers.
 *
 * Assumes exact arithmetic: compare with a slack of 1e-9.
 */
export function leastCiede2000(query: CieLab, box: CieLabBox, terms: BoundTerms = CIEDE2000_TERMS): number {
  // Step 1: lightness. |ΔL|/S_L grows with |ΔL|, so it is smallest at the nearest L of the box.
  const [fromL, toL] = box.L;
  const nearestL = query.L < fromL ? fromL : query.L > toL ? toL : query.L;
  const l = Math.abs(nearestL - query.L) / lightnessWeight((nearestL + query.L) / 2);

  // Step 2: chroma, mean chroma and therefore G, which stretches the a axis of both colours equally.
  const [fromA, toA] = box.a;
  const [fromB, toB] = box.b;
  const innerB = fromB > 0 ? fromB : toB < 0 ? -toB : 0;
  const outerB = Math.max(-fromB, toB);
  const innerA = fromA > 0 ? fromA : toA < 0 ? -toA : 0;
  const outerA = Math.max(-fromA, toA);
  const chroma = length(query.a, query.b);
  const least = 1 + axisStretch((chroma + length(outerA, outerB)) / 2);
  const most = 1 + axisStretch((chroma + length(innerA, innerB)) / 2);
  const queryMin = length(least * query.a, query.b);
  const queryMax = length(most * query.a, query.b);
  const otherMin = length(least * innerA, innerB);
  const otherMax = length(most * outerA, outerB);

  // Step 3: x = |ΔC'|/S_C, S_C = 1 + .045·C̄'. It increases with the larger chroma and decreases with
  // the smaller one.
  let x = 0;
  let riseC = 0;
  if (otherMin > queryMax) {
    x = (otherMin - queryMax) / (1 + (SC_SLOPE / 2) * (otherMin + queryMax));
    riseC = 1;
  } else if (otherMax < queryMin) {
    x = (queryMin - otherMax) / (1 + (SC_SLOPE / 2) * (queryMin + otherMax));
    riseC = -1;
  }

  // Step 4: the hues. An interval [turnFrom, turnTo] of h'₂ − h'₁, or the full circle.
  const meanPrimedMax = (queryMax + otherMax) / 2;
  let y = 0;
  let riseH = 0;
  let meanFrom = 0;
  let meanTo = TWO_PI;
  if (queryMin > 0 && (innerA > 0 || innerB > 0)) {
    const first = Math.atan2(query.b, least * query.a);
    const second = Math.atan2(query.b, most * query.a);
    const queryFrom = Math.min(first, second);
    const queryTo = Math.max(first, second);
    const [otherFrom, otherTo] = hueInterval(
      fromA * (fromA > 0 ? least : most),
      toA * (toA > 0 ? most : least),
      fromB,
      toB,
    );
    let turnFrom = otherFrom - queryTo;
    let turnTo = otherTo - queryFrom;
    const turns = Math.round((turnFrom + turnTo) / 2 / TWO_PI) * TWO_PI;
    turnFrom -= turns;
    turnTo -= turns;
    if (turnFrom > -BEFORE_JUMP && turnTo < BEFORE_JUMP) {
      // The mean hue is half of the turn away from the query's hue.
      meanFrom = queryFrom + turnFrom / 2;
      meanTo = queryTo + turnTo / 2;
      riseH = turnFrom > 0 ? 1 : turnTo < 0 ? -1 : 0;
    }
    // The shortest way round: an interval beyond half a turn returns on the other side.
    const turn =
      turnFrom > 0
        ? Math.min(turnFrom, Math.max(0, TWO_PI - turnTo))
        : turnTo < 0
          ? Math.min(-turnTo, Math.max(0, TWO_PI + turnFrom))
          : 0;
    // Step 5: y = |ΔH'|/S_H, ΔH' = 2√(C'₁C'₂)·sin(Δh/2), S_H = 1 + .015·C̄'·T.
    const sh = 1 + SH_SLOPE * meanPrimedMax * terms.hueWeight(meanFrom, meanTo);
    y = (2 * Math.sqrt(queryMin * otherMin) * Math.sin(Math.min(turn, Math.PI) / 2)) / sh;
  }

  // Step 6: R_T ∈ [−ρ, 0] only reduces the difference if ΔC' and ΔH' have the same sign.
  if (riseC * riseH < 0) return Math.sqrt(l * l + x * x + y * y);
  const rho = terms.rotation(meanPrimedMax, distanceFromBlue(meanFrom, meanTo));
  return Math.sqrt(l * l + leastTogether(x, y, rho));
}

/** Returns the least x² + y² − ρxy for values of at least x and y, 0 ≤ ρ < 2. */
function leastTogether(x: number, y: number, rho: number): number {
  if (2 * x < rho * y) return y * y * (1 - (rho * rho) / 4);
  if (2 * y < rho * x) return x * x * (1 - (rho * rho) / 4);
  return x * x + y * y - rho * x * y;
}

/** Returns the hues (radians, the first up to a full turn off) of a rectangle that does not contain the origin. */
function hueInterval(fromA: number, toA: number, fromB: number, toB: number): [number, number] {
  const centre = Math.atan2(fromB + toB, fromA + toA);
  let from = 0;
  let to = 0;
  for (const a of [fromA, toA]) {
    for (const b of [fromB, toB]) {
      let offset = Math.atan2(b, a) - centre;
      if (offset > Math.PI) offset -= TWO_PI;
      else if (offset < -Math.PI) offset += TWO_PI;
      if (offset < from) from = offset;
      if (offset > to) to = offset;
    }
  }
  return [centre + from, centre + to];
}

function length(a: number, b: number): number {
  return Math.sqrt(a * a + b * b);
}
