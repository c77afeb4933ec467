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
import { FormulaEntity } from '../formulas/formula.entity';
import { IndexedLab, MeasuredLab, withinLimits } from './lab.entity';
import { type Lab } from './difference';

@Entity('color_formulas')
@Check('ck_color_formulas_lab', withinLimits())
@Check(
  'ck_color_formulas_actual_lab',
  `num_nulls(actual_l, actual_a, actual_b) IN (0, 3)
   AND ${withinLimits('actual_')}`,
)
@Check('ck_color_formulas_delta_e', `delta_e >= 0 AND delta_e < 'Infinity'`)
@Index('ix_color_formulas_formula', ['formulaId'])
@Index('ix_color_formulas_created_by', ['createdBy'])
// A B-tree index on an expression, so the migration creates it.
@Index('ix_color_formulas_lab', { synchronize: false })
@Index('ix_color_formulas_created_at', { synchronize: false })
@Index('ix_color_formulas_name_key', { synchronize: false })
export class ColorFormulaEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_color_formulas' })
  id!: string;

  @Column('text')
  name!: string;

  @Column(() => IndexedLab, { prefix: false })
  targetLab!: Lab;

  @Column(() => MeasuredLab, { prefix: false })
  actualLab!: Lab | null;

  /** Measured by the laboratory, never computed. */
  @Column('double precision', { name: 'delta_e', nullable: true })
  deltaE!: number | null;

  @Column('json', { name: 'colorant_composition', nullable: true })
  colorantComposition!: unknown;

  @Column('uuid', { name: 'formula_id', nullable: true })
  formulaId!: string | null;

  @ManyToOne(() => FormulaEntity, { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'formula_id', foreignKeyConstraintName: 'fk_color_formulas_formula' })
  formula?: FormulaEntity | null;

  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  @ManyToOne(() => UserEntity)
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'fk_color_formulas_created_by' })
  creator?: UserEntity;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
