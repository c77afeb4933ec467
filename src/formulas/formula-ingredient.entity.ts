import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { IngredientEntity } from '../ingredients/ingredient.entity';
import { FormulaPhaseEntity } from './formula-phase.entity';
import { FormulaVersionEntity } from './formula-version.entity';

/** An ingredient line of a phase. */
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
