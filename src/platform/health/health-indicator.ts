/**
 * Token under which any module provides a `HealthIndicator` or a list of them, to make health depend on other
 * components than the database.
 */
export const HEALTH_INDICATOR = Symbol('HEALTH_INDICATOR');

export interface HealthIndicator {
  /** Unique and public: lower-case letters, digits and `-`, at most 40 characters, beginning with a letter. */
  readonly name: string;
  /** If `false`, the service stays healthy while this indicator is down. */
  readonly required?: boolean;
  /**
   * Resolves if the component is up. An error is only logged. After 1800 ms the indicator counts as down and the
   * signal is aborted. It is not called again before this call has ended.
   */
  check(signal: AbortSignal): Promise<void>;
}
