import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** Kinds of names of an ingredient beside its INCI and Chinese name. */
export const NAME_KINDS = ['cas', 'ec', 'synonym', 'trade-name'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

@Entity('ingredient_names')
@Check('ck_ingredient_names_kind', `kind IN ('cas', 'ec', 'synonym', 'trade-name')`)
@Index('ix_ingredient_names_key', ['key'])
export class IngredientNameEntity {
  @PrimaryColumn('uuid', { name: 'ingredient_id', primaryKeyConstraintName: 'pk_ingredient_names' })
  ingredientId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_ingredient_names' })
  kind!: NameKind;

  /** Position among the names of its kind, counted from 0. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'pk_ingredient_names' })
  position!: number;

  @ManyToOne('IngredientEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'ingredient_id', foreignKeyConstraintName: 'fk_ingredient_names_ingredient' })
  ingredient?: unknown;

  /** The name as written. */
  @Column('text')
  name!: string;

  /** Result of `nameKey`. Compared by bytes, so that names with the same beginning are adjacent. */
  @Column({ type: 'text', collation: 'C' })
  key!: string;
}
