import { Injectable } from '@nestjs/common';
import { DatabaseService, type HealthIndicator, type Statement } from 'formula-development-service';

const LATE: Statement = {
  name: 'ext-night-check.late',
  text: `SELECT FROM ext_jobs WHERE name = 'night-check' AND due_at < now() - interval '1 hour'`,
};

// #region indicator
/** `GET /api/health` shows it as `indicators: { "night-check": "up" }`. */
@Injectable()
export class NightCheckIndicator implements HealthIndicator {
  readonly name = 'night-check';
  readonly required = false; // the service can be used without it: no 503

  constructor(private readonly database: DatabaseService) {}

  /** Throws while it is down. */
  async check(): Promise<void> {
    const [late] = await this.database.query(LATE);
    if (late) throw new Error('The night check is an hour late');
  }
}
// #endregion
