import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { UserEntity } from '../users/user.entity';
import { FormulaEntity } from './formula.entity';

@Entity('formula_versions')
@Unique('uq_formula_versions_number', ['formulaId', 'versionNumber'])
@Check('ck_formula_versions_number', 'version_number >= 1')
@Index('ix_formula_versions_created_by', ['createdBy'])
export class FormulaVersionEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_formula_versions' })
  id!: string;

  @Column('uuid', { name: 'formula_id' })
  formulaId!: string;

  @ManyToOne(() => FormulaEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'formula_id', foreignKeyConstraintName: 'fk_formula_versions_formula' })
  formula?: FormulaEntity;

  @Column('integer', { name: 'version_number' })
  versionNumber!: number;

  @Column('text', { nullable: true })
  description!: string | null;

  /** Names as they were at this version, so that later edits of the catalogue do not change the history. */
  @Column('json', { name: 'snapshot_data' })
  snapshotData!: unknown;

  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  @ManyToOne(() => UserEntity)
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'fk_formula_versions_created_by' })
  creator?: UserEntity;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
