import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';

export interface AuditRecord {
  /** Who asked; null where no request did. */
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

@Injectable()
export class AiAuditRepository {
  constructor(private readonly database: Database) {}

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
}
