import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { SubstanceRole } from './substance';

@Entity('ingredient_substances')
@Check(
  'ck_ingredient_substances_percentages',
  'min_percentage >= 0 AND min_percentage <= max_percentage AND max_percentage > 0 AND max_percentage <= 100',
)
@Index('ix_ingredient_substances_substance_key', { synchronize: false })
export class SubstanceEntity {
  @PrimaryColumn('uuid', { name: 'ingredient_id', primaryKeyConstraintName: 'pk_ingredient_substances' })
  ingredientId!: string;

  /** In the composition, counted from 0. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'pk_ingredient_substances' })
  position!: number;

  @ManyToOne('IngredientEntity', { onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'ingredient_id',
    foreignKeyConstraintName: 'fk_ingredient_substances_ingredient',
  })
  ingredient?: unknown;

  @Column('text', { name: 'inci_name' })
  inciName!: string;

  /** `substanceKey` of the INCI name, written by a trigger. */
  @Column({ type: 'text', name: 'substance_key', select: false, insert: false, update: false })
  substanceKey?: string;

  @Column('text', { name: 'chinese_name', nullable: true })
  chineseName!: string | null;

  @Index('ix_ingredient_substances_cas_number')
  @Column('text', { name: 'cas_number', nullable: true })
  casNumber!: string | null;

  @Column('text', { name: 'ec_number', nullable: true })
  ecNumber!: string | null;

  /** Percent of the raw material; the same as the highest where it is known exactly. */
  @Column('numeric', { name: 'min_percentage' })
  minPercentage!: number;

  @Column('numeric', { name: 'max_percentage' })
  maxPercentage!: number;

  @Column('text', { nullable: true })
  role!: SubstanceRole | null;
}
