import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { UserEntity } from '../users/user.entity';
import { ProjectEntity } from '../projects/project.entity';
import { IngredientEntity } from '../ingredients/ingredient.entity';

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

@Entity('formula_phases')
@Index('ix_formula_phases_version', ['formulaVersionId'])
export class FormulaPhaseEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_formula_phases' })
  id!: string;

  /** Named `formulaId` in responses, as the contract requires. */
  @Column('uuid', { name: 'formula_version_id' })
  formulaVersionId!: string;

  @ManyToOne(() => FormulaVersionEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'formula_version_id', foreignKeyConstraintName: 'fk_formula_phases_version' })
  version?: FormulaVersionEntity;

  @Column('text')
  name!: string;

  @Column('integer', { name: 'sort_order' })
  sortOrder!: number;

  /** Index of the phase in the request, which orders phases with the same sortOrder. Not part of responses. */
  @Column('integer')
  position!: number;
}

@Entity('formula_ingredients')
@Check('ck_formula_ingredients_percentage', 'percentage > 0 AND percentage <= 100')
@Index('ix_formula_ingredients_version', ['formulaVersionId'])
@Index('ix_formula_ingredients_phase', ['phaseId'])
@Index('ix_formula_ingredients_ingredient', ['ingredientId'])
export class FormulaIngredientEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_formula_ingredients' })
  id!: string;

  @Column('uuid', { name: 'formula_version_id' })
  formulaVersionId!: string;

  @ManyToOne(() => FormulaVersionEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'formula_version_id', foreignKeyConstraintName: 'fk_formula_ingredients_version' })
  version?: FormulaVersionEntity;

  @Column('uuid', { name: 'phase_id' })
  phaseId!: string;

  @ManyToOne(() => FormulaPhaseEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'phase_id', foreignKeyConstraintName: 'fk_formula_ingredients_phase' })
  phase?: FormulaPhaseEntity;

  @Column('uuid', { name: 'ingredient_id' })
  ingredientId!: string;

  @ManyToOne(() => IngredientEntity)
  @JoinColumn({ name: 'ingredient_id', foreignKeyConstraintName: 'fk_formula_ingredients_ingredient' })
  ingredient?: IngredientEntity;

  /** Percent of the formula, in (0, 100]. */
  @Column('numeric')
  percentage!: number;

  @Column('text', { name: 'process_notes', nullable: true })
  processNotes!: string | null;

  /** Index of the line in the request. Not part of responses. */
  @Column('integer')
  position!: number;
}

/** The product that a formula is for, as a `Profile`. A formula that it names is no foreign key: it may be deleted. */
@Entity('formula_profiles')
export class FormulaProfileEntity {
  @PrimaryColumn('uuid', { name: 'formula_id', primaryKeyConstraintName: 'pk_formula_profiles' })
  formulaId!: string;

  @ManyToOne(() => FormulaEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'formula_id', foreignKeyConstraintName: 'fk_formula_profiles_formula' })
  formula?: FormulaEntity;

  @Column('jsonb')
  profile!: unknown;
}
