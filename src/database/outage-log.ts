import { Logger } from '@nestjs/common';
import { loggedError } from '../common/errors/logged-error';
import { DATABASE_UNAVAILABLE } from './pg-errors';

/**
 * Tells the log that the database has gone out of reach, with the reason that no answer shows, and that it is
 * back: once each, however many requests see it.
 */
export class OutageLog {
  private readonly logger = new Logger('Database');
  private lost = false;

  /** @param error what `translatePgError` made of a failed statement's error */
  failed(error: unknown): void {
    if (this.lost || !(error instanceof Error) || error.message !== DATABASE_UNAVAILABLE) return;
    this.lost = true;
    this.logger.error({ err: loggedError(error.cause) }, 'The database is out of reach');
  }

  answered(): void {
    if (!this.lost) return;
    this.lost = false;
    this.logger.log('The database answers again');
  }
}
