import { Check, Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { FunctionCategory } from './function-category';

@Entity('ingredients')
@Check(
  'ck_ingredients_function_category',
  `function_category IN ('emulsifier', 'humectant', 'thickener', 'preservative', 'antioxidant', 'fragrance', 'colorant', 'ph_adjuster', 'sunscreen', 'surfactant', 'emollient', 'other')`,
)
@Check('ck_ingredients_unit_price', `unit_price >= 0 AND unit_price < 'Infinity'`)
// Indexes that are descending, on an expression or of another kind, so the migration creates them.
@Index('ix_ingredients_created_at', { synchronize: false })
@Index('ix_ingredients_function_category', { synchronize: false })
@Index('ix_ingredients_inci_name_lower', { synchronize: false })
@Index('ix_ingredients_search_key', { synchronize: false })
@Index('ix_ingredients_inci_spelling_key', { synchronize: false })
@Index('ix_ingredients_chinese_plant_key', { synchronize: false })
@Index('ix_ingredients_substance_key', { synchronize: false })
export class IngredientEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_ingredients' })
  id!: string;

  @Column('text', { name: 'inci_name' })
  inciName!: string;

  @Column('text', { name: 'chinese_name' })
  chineseName!: string;

  @Column('text', { name: 'function_category' })
  functionCategory!: FunctionCategory;

  @Column('text', { nullable: true })
  supplier!: string | null;

  @Column('text', { default: 'kg' })
  unit!: string;

  /** Currency per unit. */
  @Column('numeric', { name: 'unit_price', nullable: true })
  unitPrice!: number | null;

  @Column('text', { nullable: true })
  description!: string | null;

  /** The text that searches read, written by a trigger (see `migrations/baseline/functions.ts`). */
  @Column({ type: 'text', name: 'search_key', select: false, insert: false, update: false })
  searchKey?: string;

  /** The name keys of the INCI and the Chinese name, written by the same trigger. */
  @Index('ix_ingredients_inci_key')
  @Column({ type: 'text', name: 'inci_key', select: false, insert: false, update: false })
  inciKey?: string;

  @Index('ix_ingredients_chinese_key')
  @Column({ type: 'text', name: 'chinese_key', select: false, insert: false, update: false })
  chineseKey?: string;

  /** `substanceKey` of the INCI name, written by a trigger. */
  @Column({ type: 'text', name: 'substance_key', select: false, insert: false, update: false })
  substanceKey?: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
