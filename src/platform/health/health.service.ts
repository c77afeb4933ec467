import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { DatabaseService, type Statement } from '../database/database.service';
import { CachedCheck, CHECK_TIMEOUT_MS } from './cached-check';

/** Fails for a standby or a read-only server, which answers but accepts no writes, and if users cannot be read. */
const PING: Statement = {
  name: 'health.ping',
  text: `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "readOnly",
                (SELECT count(*) FROM (SELECT FROM users LIMIT 1) AS read) AS users`,
  timeoutMs: CHECK_TIMEOUT_MS,
  shared: true,
  reserved: true,
};

/** Tells if this instance can accept work. */
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

  /** Returns true if the database answers and accepts writes. */
  databaseAnswers(): Promise<boolean> {
    return this.ping.isUp();
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  /** Makes health answer 503 from now on, before the instance stops. */
  markStopping(): void {
    this.stopping = true;
  }

  private async pingDatabase(): Promise<void> {
    const [row] = await this.database.query<{ readOnly: boolean }>(PING);
    if (row?.readOnly !== false) throw new Error('The database takes no writes');
  }
}
