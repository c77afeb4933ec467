/** The current time. Injectable, so that windows and expiry can be tested without waiting. */
export class Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number {
    return Date.now();
  }

  /** Milliseconds on a clock that only moves forward, with an arbitrary start. Use it to measure durations. */
  elapsed(): number {
    return performance.now();
  }
}
