import { AsyncResource } from 'node:async_hooks';
import {
  type BeforeApplicationShutdown,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  catchError,
  concat,
  defer,
  finalize,
  from,
  ignoreElements,
  type Observable,
  race,
  throwError,
  timer,
} from 'rxjs';
import { isUuid } from '../../../platform/validation/uuid';
import { type AiCall, aiCallOf, type AiEvent, AiScheduler } from '../ai-call';
import { ConstraintViolation, isDataException } from '../../../platform/database/pg-errors';
import { AiAuditRepository, type AuditRecord } from './ai-audit.repository';
import { HourlyDeletion } from '../../../platform/common/hourly-deletion';
import { Environment } from '../../../platform/config/environment';

/**
 * Writes the audit log, one statement at a time. A statement writes all rows that arrived while the
 * previous one ran, so many calls cost the database few transactions. If a row cannot be written, the
 * error is logged and the answer is still sent.
 */
@Injectable()
export class AuditTrail implements BeforeApplicationShutdown {
  private readonly logger = new Logger('AiAudit');
  private pending: { readonly record: AuditRecord; readonly done: () => void }[] = [];
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
      const batch = this.pending.splice(0, 500);
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

/**
 * Writes one row for each call: answered, failed or aborted. The answer is emitted first; the observable
 * completes after the row is written.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  constructor(
    private readonly trail: AuditTrail,
    private readonly scheduler: AiScheduler,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    const call = aiCallOf(context);
    return defer(() => {
      const startedAt = this.scheduler.now();
      let written: Promise<void> | undefined;
      const write = () => (written ??= this.write(call, startedAt));
      // An answer waits one second at most for its row, so that a database that hangs does not block answers.
      const recorded = defer(() => race(from(write()), timer(1_000)).pipe(ignoreElements()));
      return concat(next.handle(), recorded).pipe(
        catchError((error: unknown) =>
          concat(
            recorded,
            throwError(() => error),
          ),
        ),
        finalize(() => void write()),
      );
    });
  }

  private write(call: AiCall, startedAt: number): Promise<void> {
    const userId = call.user?.id;
    const tokensUsed = call.usage.take() ?? null;
    call.countedTokens = tokensUsed ?? 0;
    return this.trail.write({
      // If another authentication strategy has ids that the column cannot store, the row is written without it.
      userId: isUuid(userId) ? userId : null,
      capability: call.capability.name,
      modelName: call.model,
      promptHash: call.promptHash,
      tokensUsed,
      durationMs: Math.round(this.scheduler.now() - startedAt),
    });
  }
}

/** Number of rows that one statement deletes, which takes some milliseconds. */
export const ROWS_AT_ONCE = 1000;

/** Deletes rows of the AI audit log older than `AI_AUDIT_RETENTION_DAYS`, on one instance at a time. */
@Injectable()
export class AuditRetention extends HourlyDeletion {
  constructor(
    adapterHost: HttpAdapterHost,
    private readonly environment: Environment,
    private readonly repository: AiAuditRepository,
  ) {
    super(adapterHost, 'audit rows', ROWS_AT_ONCE);
  }

  protected isEnabled(): boolean {
    return this.environment.aiAuditRetentionDays > 0;
  }

  protected deleteStep(): Promise<number> {
    return this.repository.deleteOlder(this.environment.aiAuditRetentionDays, ROWS_AT_ONCE);
  }
}
