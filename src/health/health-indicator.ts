/**
 * Token under which any module provides a `HealthIndicator`, or a list of them: something besides the
 * database without which the service is not healthy.
 */
export const HEALTH_INDICATOR = Symbol('HEALTH_INDICATOR');

export interface HealthIndicator {
  /** Shown to everybody, unique: lower-case letters, digits and `-`, at most 40, a letter first. */
  readonly name: string;
  /** Whether the service is unhealthy while this is down; it is, unless this says `false`. */
  readonly required?: boolean;
  /**
   * Resolves while it is up. What it throws goes to the log only. It has 1800 ms; then it counts as down, the
   * signal is aborted, and it is not asked again before this has ended.
   */
  check(signal: AbortSignal): Promise<void>;
}
