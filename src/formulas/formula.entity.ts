import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { UserEntity } from '../users/user.entity';
import { ProjectEntity } from '../projects/project.entity';

@Entity('formulas')
@Check('ck_formulas_current_version', 'current_version >= 1')
@Check('ck_formulas_embedding', 'cardinality(embedding) = 1536')
@Index('ix_formulas_project', ['projectId'])
@Index('ix_formulas_created_by', ['createdBy'])
@Index('ix_formulas_created_at', ['createdAt', 'id'])
@Index('ix_formulas_updated_at', ['updatedAt', 'id'])
@Index('ix_formulas_name', ['name', 'id'])
@Index('ix_formulas_search_key', { synchronize: false })
@Index('ix_formulas_embedding_stale', { synchronize: false })
export class FormulaEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_formulas' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('uuid', { name: 'project_id', nullable: true })
  projectId!: string | null;

  @ManyToOne(() => ProjectEntity, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'project_id', foreignKeyConstraintName: 'fk_formulas_project' })
  project?: ProjectEntity | null;

  @Column('integer', { name: 'current_version', default: 1 })
  currentVersion!: number;

  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  @ManyToOne(() => UserEntity)
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'fk_formulas_created_by' })
  creator?: UserEntity;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Set by the statements that update metadata or composition. Other writes leave it unchanged. */
  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  /** The text that searches read, written by a trigger (see `migrations/baseline/functions.ts`). */
  @Column({ type: 'text', name: 'search_key', select: false, insert: false, update: false })
  searchKey?: string;

  /** 1536 numbers for semantic search. Not part of responses. */
  @Column({ type: 'real', array: true, nullable: true, select: false })
  embedding?: number[] | null;

  /** Maker of the embedding. Only vectors of one maker are compared. */
  @Column({ type: 'text', name: 'embedding_maker', nullable: true, select: false })
  embeddingMaker?: string | null;

  /** `updatedAt` of the formula from which the embedding was made. */
  @Column({ type: 'timestamptz', name: 'embedding_stamp', precision: 3, nullable: true, select: false })
  embeddingStamp?: Date | null;
}
