import { Injectable } from '@nestjs/common';
import { DatabaseService, type Statement } from '../../../database/database.service';

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

/** What one user's calls of one capability have cost. */
export interface UsageRow {
  /** Null for calls that no request made, and those of before users were noted. */
  readonly userId: string | null;
  /** Null also where there is no such account any more, or none of ours. */
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

/** Names the lock of whoever deletes old rows: any number of our own. */
export const DELETION_LOCK = 4_020_331_101;

/** Nothing where another instance is at it. The oldest first, by the index. */
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
   * Calls and tokens by user and capability.
   * @param since ISO 8601, its rows included; absent: from the beginning
   * @param until ISO 8601, its rows not; absent: to the end
   */
  usage(since?: string, until?: string): Promise<UsageRow[]> {
    return this.database.query(USAGE, [since ?? null, until ?? null]);
  }

  /** @returns how many it has deleted, at most `most`; 0 also while another instance does */
  async deleteOlder(days: number, most: number): Promise<number> {
    return (await this.database.query(DELETE_OLDER, [days, most])).length;
  }
}
