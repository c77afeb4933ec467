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

  /** Rows of extensions, custom fields among them: a list by table. */
  @Column('json', { name: 'custom_fields' })
  extensionRows!: unknown;

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

/** A version of a deleted formula; its lines are arrays, one for each column, so that a deletion stays quick. */
@Entity('trashed_versions')
@Index('ix_trashed_versions_formula', ['formulaId'])
export class TrashedVersionEntity {
  /** The id that the version had. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_trashed_versions' })
  id!: string;

  @Column('uuid', { name: 'formula_id' })
  formulaId!: string;

  @ManyToOne('TrashedFormulaEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'formula_id', foreignKeyConstraintName: 'fk_trashed_versions_formula' })
  formula?: unknown;

  @Column('integer', { name: 'version_number' })
  versionNumber!: number;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('json', { name: 'snapshot_data' })
  snapshotData!: unknown;

  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  /** A list of rows of `formula_phases`. */
  @Column('json')
  phases!: unknown;

  @Column('uuid', { name: 'line_ids', array: true })
  lineIds!: string[];

  @Column('uuid', { name: 'line_phases', array: true })
  linePhases!: string[];

  @Column('uuid', { name: 'line_ingredients', array: true })
  lineIngredients!: string[];

  @Column('numeric', { name: 'line_percentages', array: true })
  linePercentages!: string[];

  @Column('text', { name: 'line_notes', array: true })
  lineNotes!: (string | null)[];

  @Column('integer', { name: 'line_positions', array: true })
  linePositions!: number[];
}
