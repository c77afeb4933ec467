import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One AI call, however it was answered, failed ones too. The prompt itself is not stored. */
@Entity('ai_audit_logs')
// Descending: the migration owns it.
@Index('ix_ai_audit_logs_created_at', { synchronize: false })
export class AiAuditLogEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_ai_audit_logs' })
  id!: string;

  /**
   * Who asked; null where no request did. No foreign key: a row outlives what it names, and users of another
   * strategy need not be in our table.
   */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('text')
  capability!: string;

  /** The model asked, or the name of what answers with presets. */
  @Column('text', { name: 'model_name' })
  modelName!: string;

  /** SHA-256 of the full prompt text, in hex. */
  @Column('text', { name: 'prompt_hash' })
  promptHash!: string;

  /** Over all attempts; null when nothing was spent or the provider did not say. */
  @Column('integer', { name: 'tokens_used', nullable: true })
  tokensUsed!: number | null;

  @Column('integer', { name: 'duration_ms', nullable: true })
  durationMs!: number | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
