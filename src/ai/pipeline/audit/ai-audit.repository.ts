import { Injectable } from '@nestjs/common';
import { DatabaseService, type Statement } from '../../../platform/database/database.service';

export interface AuditRecord {
  /** Id of the user; null if the call did not come from a request. */
  readonly userId: string | null;
  readonly capability: string;
  readonly modelName: string;
  readonly promptHash: string;
  readonly tokensUsed: number | null;
  readonly durationMs: number | null;
}

const INSERT = {
  name: 'ai-audit.insert',
  text: `INSERT INTO ai_audit_logs (user_id, capability, model_name, prompt_hash, tokens_used, duration_ms)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[])`,
};

/** Usage of one capability by one user. */
export interface UsageRow {
  /** Null for calls that did not come from a request, and for calls before user ids were stored. */
  readonly userId: string | null;
  /** Null also if the account was removed or belongs to another authentication strategy. */
  readonly username: string | null;
  readonly capability: string;
  readonly calls: number;
  readonly tokens: number;
}

const USAGE: Statement = {
  name: 'ai-audit.usage',
  text: `SELECT a.user_id AS "userId", u.username, a.capability, a.calls, a.tokens
         FROM (SELECT user_id, capability, count(*) AS calls, coalesce(sum(tokens_used), 0)::int8 AS tokens
               FROM ai_audit_logs
               WHERE ($1::timestamptz IS NULL OR created_at >= $1)
                 AND ($2::timestamptz IS NULL OR created_at < $2)
               GROUP BY user_id, capability) a
         LEFT JOIN users u ON u.id = a.user_id
         ORDER BY u.username, a.user_id, a.capability`,
};

/** Key of the advisory lock for deleting old rows: an arbitrary number that no other lock of the service uses. */
export const DELETION_LOCK = 4_020_331_101;

/** Deletes the oldest rows first, using the index. Deletes nothing while another instance deletes. */
const DELETE_OLDER: Statement = {
  name: 'ai-audit.delete-older',
  text: `WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${DELETION_LOCK}) AS mine),
              old AS MATERIALIZED (SELECT id FROM ai_audit_logs
                      WHERE (SELECT mine FROM turn) AND created_at < now() - $1 * interval '1 day'
                      ORDER BY created_at LIMIT $2)
         DELETE FROM ai_audit_logs WHERE id IN (SELECT id FROM old) RETURNING 1`,
};

@Injectable()
export class AiAuditRepository {
  constructor(private readonly database: DatabaseService) {}

  async insert(records: readonly AuditRecord[]): Promise<void> {
    await this.database.query(INSERT, [
      records.map((record) => record.userId),
      records.map((record) => record.capability),
      records.map((record) => record.modelName),
      records.map((record) => record.promptHash),
      records.map((record) => record.tokensUsed),
      records.map((record) => record.durationMs),
    ]);
  }

  /**
   * Returns calls and tokens by user and capability.
   * @param since ISO 8601, inclusive; absent: from the beginning
   * @param until ISO 8601, exclusive; absent: to the end
   */
  usage(since?: string, until?: string): Promise<UsageRow[]> {
    return this.database.query(USAGE, [since ?? null, until ?? null]);
  }

  /** @returns the number of deleted rows, at most `most`; 0 also while another instance deletes */
  async deleteOlder(days: number, most: number): Promise<number> {
    return (await this.database.query(DELETE_OLDER, [days, most])).length;
  }
}
