import { AsyncResource } from 'node:async_hooks';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { ConstraintViolation, isDataException } from '../../../platform/database/pg-errors';
import { AiAuditRepository, type AuditRecord } from './ai-audit.repository';

interface Pending {
  readonly record: AuditRecord;
  readonly done: () => void;
}

/** Maximum number of rows per statement. */
const LARGEST_BATCH = 500;

/**
 * Writes the audit log, one statement at a time. A statement writes all rows that arrived while the
 * previous one ran, so many calls cost the database few transactions. If a row cannot be written, the
 * error is logged and the answer is still sent.
 */
@Injectable()
export class AuditTrail implements BeforeApplicationShutdown {
  private readonly logger = new Logger('AiAudit');
  private pending: Pending[] = [];
  private writing: Promise<void> | undefined;

  constructor(private readonly repository: AiAuditRepository) {}

  /** Resolves when the row is written or lost; never rejects. */
  write(record: AuditRecord): Promise<void> {
    return new Promise((done) => {
      this.pending.push({ record, done });
      this.writing ??= this.writeAll();
    });
  }

  /** Rows of calls that end while the service stops are still written. */
  async beforeApplicationShutdown(): Promise<void> {
    while (this.writing) await this.writing;
  }

  /** Runs outside the request's context: the statement also writes rows of other requests. */
  private readonly writeAll = AsyncResource.bind(async (): Promise<void> => {
    // Wait one turn of the event loop, so that calls that end together share a statement.
    await new Promise(setImmediate);
    while (this.pending.length > 0) {
      const batch = this.pending.splice(0, LARGEST_BATCH);
      await this.insert(batch.map(({ record }) => record));
      for (const { done } of batch) done();
    }
    this.writing = undefined;
  });

  /** If the database refuses one of the rows, each is written by itself, so that no other row is lost. */
  private async insert(records: readonly AuditRecord[]): Promise<void> {
    try {
      await this.repository.insert(records);
    } catch (error) {
      if (records.length > 1 && (isDataException(error) || error instanceof ConstraintViolation)) {
        for (const record of records) await this.insert([record]);
        return;
      }
      for (const record of records) {
        this.logger.error(
          `Audit row lost: ${JSON.stringify(record)} (${error instanceof Error ? error.message : 'unknown'})`,
        );
      }
    }
  }
}
