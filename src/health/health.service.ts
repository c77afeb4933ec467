import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Database, type Statement } from '../database/database';

/** How long one ping of the database answers for, in milliseconds. */
const PING_AGE = 1000;

/**
 * A database that has not answered within this time, in milliseconds, is none that one can work with. A check
 * gets its answer within two seconds.
 */
export const PING_PATIENCE = 1800;

/**
 * A server that has become a standby, or was set read-only, answers but takes no work; nor does one whose
 * users cannot be read.
 */
const PING: Statement = {
  name: 'health.ping',
  text: `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "readOnly",
                (SELECT count(*) FROM (SELECT FROM users LIMIT 1) AS read) AS users`,
  patience: PING_PATIENCE,
  shared: true,
  reserved: true,
};

/**
 * Requests share one ping of the database: health checks from many sides must not add up to a load. Nor do
 * pings pile up before a database that hangs: the next is sent when the last is answered or given up.
 */
@Injectable()
export class HealthService {
  private ping: Promise<boolean> = Promise.resolve(false);
  private pingedAt = -Infinity;
  private underWay = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Whether the database answers and can be written to. */
  databaseAnswers(): Promise<boolean> {
    const now = this.clock.elapsed();
    if (!this.underWay && now - this.pingedAt >= PING_AGE) {
      this.pingedAt = now;
      this.ping = this.pingDatabase();
    }
    return this.ping;
  }

  /**
   * The statement's own patience begins when it has a connection; this one counts the wait for a connection
   * too.
   */
  private async pingDatabase(): Promise<boolean> {
    this.underWay = true;
    const answer = this.database.query<{ readOnly: boolean }>(PING).then(
      ([row]) => row?.readOnly === false,
      () => false,
    );
    let patience: NodeJS.Timeout | undefined;
    const silence = new Promise<boolean>((resolve) => {
      patience = setTimeout(() => resolve(false), PING_PATIENCE).unref();
    });
    try {
      return await Promise.race([answer, silence]);
    } finally {
      clearTimeout(patience);
      this.underWay = false;
    }
  }
}
