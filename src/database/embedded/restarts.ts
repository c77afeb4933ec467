/** After so many deaths in this time (ms) there is something wrong that a start does not mend. */
const MAX_DEATHS = 3;
const WINDOW_MS = 60_000;

/** How often a database has died of late, on a clock that only moves forward (ms). */
export class Restarts {
  private deaths: number[] = [];

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** It has died, or has not started. */
  record(): void {
    this.deaths.push(this.now());
  }

  /** May it be started again? */
  allowed(): boolean {
    const since = this.now() - WINDOW_MS;
    this.deaths = this.deaths.filter((time) => time > since);
    return this.deaths.length < MAX_DEATHS;
  }
}
