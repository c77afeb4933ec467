import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** An AI call, including cached and failed ones. The prompt itself is not stored. */
@Entity('ai_audit_logs')
// A descending index, so the migration creates it.
@Index('ix_ai_audit_logs_created_at', { synchronize: false })
export class AiAuditLogEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_ai_audit_logs' })
  id!: string;

  /**
   * Id of the user; null if the call did not come from a request. No foreign key: rows are retained
   * when a user is removed, and users of another authentication strategy may not be in the users table.
   */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('text')
  capability!: string;

  /** Name of the model, or of the preset source that answered. */
  @Column('text', { name: 'model_name' })
  modelName!: string;

  /** SHA-256 of the full prompt text, in hex. */
  @Column('text', { name: 'prompt_hash' })
  promptHash!: string;

  /** Sum over all attempts; null if no tokens were used or the provider did not report them. */
  @Column('integer', { name: 'tokens_used', nullable: true })
  tokensUsed!: number | null;

  @Column('integer', { name: 'duration_ms', nullable: true })
  durationMs!: number | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
