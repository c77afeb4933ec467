import { Logger } from '@nestjs/common';
import { loggedError } from '../common/errors/logged-error';
import { ServiceError } from '../common/errors/service-error';
import { DATABASE_UNAVAILABLE } from './pg-errors';

const DISK_FULL_STATE = '53100';

/**
 * Tells the log that the database has gone out of reach, with the reason that no answer shows, and that it is
 * back: once each, however many requests see it.
 */
export class OutageLog {
  private readonly logger = new Logger('Database');
  private lost = false;

  /** @param error what `translatePgError` made of a failed statement's error */
  failed(error: unknown): void {
    if (this.lost || !(error instanceof ServiceError) || error.errorCode !== DATABASE_UNAVAILABLE.code)
      return;
    this.lost = true;
    const isFull = (error.cause as { code?: unknown } | undefined)?.code === DISK_FULL_STATE;
    const what = isFull ? 'The disk of the database is full' : 'The database is out of reach';
    this.logger.error({ err: loggedError(error.cause) }, what);
  }

  /** Since a statement found it out of reach, until one is answered. */
  get isLost(): boolean {
    return this.lost;
  }

  answered(): void {
    if (!this.lost) return;
    this.lost = false;
    this.logger.log('The database answers again');
  }
}
