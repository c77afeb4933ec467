/** The time, injectable so that windows and expiry can be tested without waiting. */
export class Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number {
    return Date.now();
  }
}
