/** The time, injectable so that windows and expiry can be tested without waiting. */
export class Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number {
    return Date.now();
  }

  /** Milliseconds on a clock that only moves forward, from any beginning: for how long something takes. */
  elapsed(): number {
    return performance.now();
  }
}
