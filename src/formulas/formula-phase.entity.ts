import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { FormulaVersionEntity } from './formula-version.entity';

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
