import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { DatabaseService, type Statement } from '../database/database.service';
import { CachedCheck, CHECK_TIMEOUT_MS } from './cached-check';

/**
 * A server that has become a standby, or was set read-only, answers but takes no work; nor does one whose
 * users cannot be read.
 */
const PING: Statement = {
  name: 'health.ping',
  text: `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "readOnly",
                (SELECT count(*) FROM (SELECT FROM users LIMIT 1) AS read) AS users`,
  timeoutMs: CHECK_TIMEOUT_MS,
  shared: true,
  reserved: true,
};

/** Whether this instance can and wants to work. */
@Injectable()
export class HealthService {
  private stopping = false;
  private readonly ping: CachedCheck;

  constructor(
    private readonly database: DatabaseService,
    clock: Clock,
  ) {
    this.ping = new CachedCheck(() => this.pingDatabase(), clock);
  }

  /** Whether the database answers and can be written to. */
  databaseAnswers(): Promise<boolean> {
    return this.ping.isUp();
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  /** Health answers 503 as soon as the instance is to stop, before it does. */
  markStopping(): void {
    this.stopping = true;
  }

  private async pingDatabase(): Promise<void> {
    const [row] = await this.database.query<{ readOnly: boolean }>(PING);
    if (row?.readOnly !== false) throw new Error('The database takes no writes');
  }
}
