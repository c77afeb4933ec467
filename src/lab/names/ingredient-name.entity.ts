import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** What a name of an ingredient beside its INCI and Chinese name is. */
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

  /** Among the names of its kind, counted from 0. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'pk_ingredient_names' })
  position!: number;

  @ManyToOne('IngredientEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'ingredient_id', foreignKeyConstraintName: 'fk_ingredient_names_ingredient' })
  ingredient?: unknown;

  /** As it was written. */
  @Column('text')
  name!: string;

  /** What `nameKey` makes of it. Compared by bytes, so that names which begin with a text stand together. */
  @Column({ type: 'text', collation: 'C' })
  key!: string;
}
