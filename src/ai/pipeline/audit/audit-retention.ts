import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { HourlyDeletion } from '../../../platform/common/hourly-deletion';
import { Environment } from '../../../platform/config/environment';
import { AiAuditRepository } from './ai-audit.repository';

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
