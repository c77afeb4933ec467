import { type Lab } from './lab';

/**
 * Colours around `centre` with (ΔL/lightness)² + (Δa² + Δb²)/chromatic² ≤ 1. Its half-axes are positive, or
 * infinite where there is no limit.
 */
export interface LabEllipsoid {
  centre: Lab;
  lightness: number;
  chromatic: number;
}
