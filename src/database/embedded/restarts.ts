import { Clock } from '../../common/clock';

/** After so many deaths in this time (ms) there is something wrong that a start does not mend. */
const MAX_DEATHS = 3;
const WINDOW_MS = 60_000;

/** How often a database has died of late. */
export class Restarts {
  private deaths: number[] = [];

  constructor(private readonly clock: Clock = new Clock()) {}

  /** It has died, or has not started. */
  record(): void {
    this.deaths.push(this.clock.elapsed());
  }

  /** May it be started again? */
  allowed(): boolean {
    const since = this.clock.elapsed() - WINDOW_MS;
    this.deaths = this.deaths.filter((time) => time > since);
    return this.deaths.length < MAX_DEATHS;
  }
}
