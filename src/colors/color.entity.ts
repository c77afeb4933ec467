import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { CIELAB_LIMITS } from './color.fields';
import type { CieLab } from './difference';
import { UserEntity } from '../users/user.entity';
import { FormulaEntity } from '../formulas/formula.entity';

/**
 * Returns a class with the columns of a colour, to be embedded in an entity with `prefix: false`.
 * @param prefix prefix of the column names
 */
function cieLabColumns(prefix: string, nullable: boolean): new () => CieLab {
  class CieLabColumns implements CieLab {
    @Column('double precision', { name: `${prefix}l`, nullable })
    L!: number;

    @Column('double precision', { name: `${prefix}a`, nullable })
    a!: number;

    @Column('double precision', { name: `${prefix}b`, nullable })
    b!: number;
  }
  return CieLabColumns;
}

/** Columns `l`, `a`, `b`, which the index of cells uses. */
const IndexedCieLab = cieLabColumns('', false);
/** Columns `actual_l`, `actual_a`, `actual_b`. Either all or none are null. */
const MeasuredCieLab = cieLabColumns('actual_', true);

/** Returns the check that the columns contain a colour within the limits. */
const withinLimits = (prefix = ''): string =>
  (['L', 'a', 'b'] as const)
    .map(
      (axis) =>
        `${prefix}${axis.toLowerCase()} BETWEEN ${CIELAB_LIMITS[axis].min} AND ${CIELAB_LIMITS[axis].max}`,
    )
    .join(' AND ');

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

  @Column(() => IndexedCieLab, { prefix: false })
  targetLab!: CieLab;

  @Column(() => MeasuredCieLab, { prefix: false })
  actualLab!: CieLab | null;

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

/** A named colour. A migration inserts the rows, and nothing changes them afterwards. */
@Entity('reference_colors')
@Check('ck_reference_colors_hex', `hex ~ '^#[0-9a-f]{6}$'`)
@Check('ck_reference_colors_lab', withinLimits())
// Indexes on an expression or with a collation, so the migration creates them.
@Index('ix_reference_colors_lab', { synchronize: false })
@Index('ix_reference_colors_name', { synchronize: false })
export class ReferenceColorEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_reference_colors' })
  id!: string;

  /** Chinese names in simplified characters. */
  @Column('text')
  name!: string;

  /** With tone marks, one word per character; null for English names. */
  @Column('text', { nullable: true })
  pinyin!: string | null;

  /** sRGB, lower case: `#952e3a`. */
  @Column('text')
  hex!: string;

  /** CIELAB (D65, 2°) of `hex`. */
  @Column(() => IndexedCieLab, { prefix: false })
  lab!: CieLab;

  /** The npm package that contains the colour. */
  @Column('text')
  source!: string;

  /** Every spelling for the search, in lower case, one per line. */
  @Column('text')
  spellings!: string;
}
