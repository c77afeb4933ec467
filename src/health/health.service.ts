import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Database } from '../database/database';

const PING = { name: 'health.ping', text: 'SELECT 1' };

/** How long one ping of the database answers for, in milliseconds. */
const PING_AGE = 1000;

/** Requests share one ping of the database: health checks from many sides must not add up to a load. */
@Injectable()
export class HealthService {
  private ping: Promise<boolean> = Promise.resolve(false);
  private pingedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  databaseAnswers(): Promise<boolean> {
    const now = this.clock.now();
    if (now - this.pingedAt >= PING_AGE) {
      this.pingedAt = now;
      this.ping = this.database.query(PING).then(
        () => true,
        () => false,
      );
    }
    return this.ping;
  }
}
