import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { IndexedLab, withinLimits } from '../lab.entity';
import { type Lab } from '../matching';

/** A named colour. The content comes with a migration; nothing writes it afterwards. */
@Entity('reference_colors')
@Check('ck_reference_colors_hex', `hex ~ '^#[0-9a-f]{6}$'`)
@Check('ck_reference_colors_lab', withinLimits())
// By expression or collation: the migration owns them.
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

  /** The npm package the colour comes from. */
  @Column('text')
  source!: string;

  /** Every spelling the colour is found under, in lower case, each on a line of its own. */
  @Column('text')
  spellings!: string;
}
