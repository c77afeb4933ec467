import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { FormulaVersionEntity } from './formula-version.entity';

@Entity('formula_phases')
@Index('ix_formula_phases_version', ['formulaVersionId'])
export class FormulaPhaseEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_formula_phases' })
  id!: string;

  /** Answers call it `formulaId`, as the contract does. */
  @Column('uuid', { name: 'formula_version_id' })
  formulaVersionId!: string;

  @ManyToOne(() => FormulaVersionEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'formula_version_id', foreignKeyConstraintName: 'fk_formula_phases_version' })
  version?: FormulaVersionEntity;

  @Column('text')
  name!: string;

  @Column('integer', { name: 'sort_order' })
  sortOrder!: number;

  /** The order in which phases were sent; decides where sortOrder is the same. Never shown. */
  @Column('integer')
  position!: number;
}
