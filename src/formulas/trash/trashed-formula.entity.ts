import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** A deleted formula, until it is restored or its time is over. */
@Entity('trashed_formulas')
@Index('ix_trashed_formulas_deleted_at', ['deletedAt', 'id'])
@Index('ix_trashed_formulas_created_by', ['createdBy'])
@Index('ix_trashed_formulas_deleted_by', ['deletedBy'])
export class TrashedFormulaEntity {
  /** The id that the formula had. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_trashed_formulas' })
  id!: string;

  /** Its row of `formulas`, without what the service computes of it. */
  @Column('json')
  formula!: unknown;

  /** The rows of tables of custom fields, by table. */
  @Column('json', { name: 'custom_fields' })
  customFields!: unknown;

  /** Ids of the colours that were linked to it. */
  @Column('uuid', { array: true })
  colors!: string[];

  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'fk_trashed_formulas_created_by' })
  creator?: unknown;

  @Column('uuid', { name: 'deleted_by', nullable: true })
  deletedBy!: string | null;

  @ManyToOne('UserEntity', { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'deleted_by', foreignKeyConstraintName: 'fk_trashed_formulas_deleted_by' })
  deleter?: unknown;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3 })
  deletedAt!: Date;
}
