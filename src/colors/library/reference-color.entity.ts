import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IndexedLab, withinLimits } from '../lab.entity';
import { type Lab } from '../difference';

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
  @Column(() => IndexedLab, { prefix: false })
  lab!: Lab;

  /** The npm package that contains the colour. */
  @Column('text')
  source!: string;

  /** Every spelling for the search, in lower case, one per line. */
  @Column('text')
  spellings!: string;
}
