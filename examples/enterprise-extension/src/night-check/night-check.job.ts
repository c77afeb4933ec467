import { Injectable, Logger } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { DatabaseService, type Statement, TransactionManager } from 'formula-development-service';

// #region claim
/**
 * Takes the job where it is due. Of several instances one gets the row: the others wait for its lock, and
 * then it is not due any more.
 */
const CLAIM: Statement = {
  name: 'ext-night-check.claim',
  text: `
    UPDATE ext_jobs SET due_at = now() + interval '1 day' WHERE name = 'night-check' AND due_at <= now()
    RETURNING name`,
};
// #endregion

const MARK_OVERDUE: Statement = {
  name: 'ext-night-check.mark-overdue',
  text: `UPDATE ext_stability_tests SET state = 'overdue' WHERE state = 'running' AND due_on < current_date RETURNING id`,
};

// #region job
/** Marks stability tests as overdue, once a day, however many instances there are. */
@Injectable()
export class NightCheckJob {
  private readonly logger = new Logger('NightCheck');

  constructor(
    private readonly database: DatabaseService,
    private readonly transactions: TransactionManager,
  ) {}

  /** Each instance asks every minute. A timer has no caller, so this logs its own errors. */
  @Cron(CronExpression.EVERY_MINUTE)
  async tick(): Promise<void> {
    await this.run().catch((error: unknown) => this.logger.error(error));
  }

  /**
   * The claim is committed with the work: where that fails, the job is due again.
   * @returns how many tests are newly overdue; undefined where the job was not due
   */
  run(): Promise<number | undefined> {
    return this.transactions.run(async () => {
      const [claimed] = await this.database.query(CLAIM);
      if (!claimed) return undefined;
      return (await this.database.query(MARK_OVERDUE)).length;
    });
  }
}
// #endregion
