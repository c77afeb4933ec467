import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { CardDocument, Solvent, SupplierEntry } from './card.dto';

/** What a laboratory knows of a raw material beside its names and its composition. */
@Entity('ingredient_cards')
@Check('ck_ingredient_cards_density', `density > 0 AND density < 'Infinity'`)
@Check(
  'ck_ingredient_cards_strength',
  'strength > 0 AND strength < 100 AND (strength IS NULL) = (solvent IS NULL)',
)
// On an expression, so the migration creates it.
@Index('ix_ingredient_cards_solvent', { synchronize: false })
export class CardEntity {
  @PrimaryColumn('uuid', { name: 'ingredient_id', primaryKeyConstraintName: 'pk_ingredient_cards' })
  ingredientId!: string;

  @ManyToOne('IngredientEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'ingredient_id', foreignKeyConstraintName: 'fk_ingredient_cards_ingredient' })
  ingredient?: unknown;

  @Column('json')
  suppliers!: SupplierEntry[];

  /** Kilograms per litre. */
  @Column('numeric', { nullable: true })
  density!: number | null;

  /** Percent of the raw material; the rest is the solvent. */
  @Column('numeric', { nullable: true })
  strength!: number | null;

  @Column('json', { nullable: true })
  solvent!: Solvent | null;

  @Column('json')
  documents!: CardDocument[];

  /** The first day on which a document expires. */
  @Index('ix_ingredient_cards_first_expiry')
  @Column('date', { name: 'first_expiry', nullable: true })
  firstExpiry!: string | null;
}
