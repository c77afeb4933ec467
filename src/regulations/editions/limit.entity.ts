import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import type { LimitKind, ProductType } from '../limit';

/** One tier of one entry of a table of limits. */
@Entity('limits')
@Index('ix_limits_edition', ['editionId', 'position'])
@Check('ck_limits_kind', "kind IN ('prohibited', 'maximum', 'declare-above', 'permitted-only')")
@Check('ck_limits_percent', 'limit_percent > 0 AND limit_percent <= 100')
@Check('ck_limits_factor', 'factor > 0')
@Check('ck_limits_validity', 'valid_from <= valid_until')
export class LimitEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_limits' })
  id!: string;

  @Column('uuid', { name: 'edition_id' })
  editionId!: string;

  @ManyToOne('EditionEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'edition_id', foreignKeyConstraintName: 'fk_limits_edition' })
  edition?: unknown;

  /** Position in the file, counted from 0. */
  @Column('integer')
  position!: number;

  @Column('text')
  region!: string;

  @Column('text')
  annex!: string;

  @Column('text')
  entry!: string;

  @Column('text', { nullable: true })
  tier!: string | null;

  @Column('text')
  substance!: string;

  @Column('text', { name: 'inci_names', array: true })
  inciNames!: string[];

  @Column('text', { name: 'cas_numbers', array: true })
  casNumbers!: string[];

  @Column('text')
  kind!: LimitKind;

  @Column('text', { nullable: true })
  scope!: string | null;

  @Column('text', { name: 'product_types', array: true, nullable: true })
  productTypes!: ProductType[] | null;

  @Column('numeric', { name: 'limit_percent', nullable: true })
  limitPercent!: string | null;

  @Column('text', { name: 'limit_text', nullable: true })
  limitText!: string | null;

  @Column('text', { nullable: true })
  basis!: string | null;

  @Column('numeric', { nullable: true })
  factor!: string | null;

  @Column('text', { name: 'sum_group', nullable: true })
  sumGroup!: string | null;

  @Column('text', { nullable: true })
  purpose!: string | null;

  @Column('text', { nullable: true })
  conditions!: string | null;

  @Column('date', { name: 'valid_from', nullable: true })
  validFrom!: string | null;

  @Column('date', { name: 'valid_until', nullable: true })
  validUntil!: string | null;

  @Column('text')
  source!: string;
}

/** A key by which a limit is found: a CAS number, or the `substanceKey` of a name. */
@Entity('limit_keys')
@Index('ix_limit_keys_limit', ['limitId'])
export class LimitKeyEntity {
  @PrimaryColumn('uuid', { name: 'edition_id', primaryKeyConstraintName: 'pk_limit_keys' })
  editionId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_limit_keys' })
  key!: string;

  @PrimaryColumn('uuid', { name: 'limit_id', primaryKeyConstraintName: 'pk_limit_keys' })
  limitId!: string;

  @ManyToOne('LimitEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'limit_id', foreignKeyConstraintName: 'fk_limit_keys_limit' })
  limit?: unknown;
}
