import { PRODUCT_TYPES, type ProductType } from '../../formulas/product-types';
import { OmitType } from '@nestjs/swagger';
import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import type { RefusalCode } from '../regulations.texts';
import { IdField, ResponseType, ShownField, TimestampField } from '../../platform/validation/record-fields';

/** Kinds of limits. The results of matching a limit depend on its kind. */
export const LIMIT_KINDS = ['prohibited', 'maximum', 'declare-above', 'permitted-only'] as const;

/**
 * `permitted-only`: the list contains the substances that may serve a purpose (preservatives, UV filters,
 * colorants). A listed substance may be used only for the product types of its entry, up to its limit if it has
 * one.
 */
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** An imported table of limits, and its fields in answers. Statements write its time as text. */
@Entity('limit_editions')
@Unique('uq_limit_editions_name', ['name'])
@Check('ck_limit_editions_counts', 'row_count >= 0 AND refused_count >= 0')
export class EditionEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_limit_editions' })
  @IdField({ description: 'Of the edition' })
  readonly id!: string;

  @Column('text')
  @ShownField({ type: String, example: 'EU 2026-08' })
  readonly name!: string;

  @Column('text', { array: true })
  @ShownField({ type: [String], description: 'Of its limits, in small letters', example: ['eu'] })
  readonly regions!: readonly string[];

  @Column('integer', { name: 'row_count' })
  @ShownField({
    type: 'integer',
    description: 'Limits; a row of a file can have several',
    example: 410,
  })
  readonly rowCount!: number;

  @Column('integer', { name: 'refused_count' })
  @ShownField({ type: 'integer', description: 'Rows of the file that were not imported', example: 0 })
  readonly refusedCount!: number;

  @Column('timestamptz', { name: 'imported_at', default: () => 'now()' })
  @TimestampField()
  readonly importedAt!: string;

  @Column('text', { name: 'default_regions', array: true, default: '{}' })
  @ShownField({ type: [String], description: 'Regions whose default edition it is', example: [] })
  readonly defaultRegions!: readonly string[];

  @Column('jsonb', { default: [] })
  readonly refused!: readonly Refusal[];
}

export class EditionDto extends OmitType(ResponseType(EditionEntity), ['refused']) {}

/** A row that was refused when the edition was loaded, and why. */
export interface Refusal {
  readonly row: number;
  readonly column: string | null;
  readonly value: string | null;
  readonly reason: RefusalCode;
  readonly region: string;
  readonly name: string | null;
  readonly casNumbers: readonly string[];
}

/** Most refused rows that an edition keeps. */
export const MAX_REFUSED = 1000;

/** One tier of one entry of a table of limits, and its fields in answers. */
@Entity('limits')
@Index('ix_limits_edition', ['editionId', 'position'])
@Check('ck_limits_kind', "kind IN ('prohibited', 'maximum', 'declare-above', 'permitted-only')")
@Check('ck_limits_percent', 'limit_percent > 0 AND limit_percent <= 100')
@Check('ck_limits_factor', 'factor > 0')
@Check('ck_limits_validity', 'valid_from <= valid_until')
export class LimitEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_limits' })
  @IdField({ description: 'Of the limit' })
  readonly id!: string;

  @Column('uuid', { name: 'edition_id' })
  @IdField({ description: 'Of its edition' })
  readonly editionId!: string;

  @ManyToOne('EditionEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'edition_id', foreignKeyConstraintName: 'fk_limits_edition' })
  edition?: unknown;

  /** Position in the file, counted from 0. */
  @Column('integer')
  readonly position!: number;

  @Column('text')
  @ShownField({ type: String, example: 'eu' })
  readonly region!: string;

  @Column('text')
  @ShownField({ type: String, example: 'V' })
  readonly annex!: string;

  @Column('text')
  @ShownField({ type: String, example: '29' })
  readonly entry!: string;

  @Column('text', { nullable: true })
  @ShownField({ type: String, nullable: true, example: null })
  readonly tier!: string | null;

  @Column('text')
  @ShownField({
    type: String,
    description: 'The substance or group as the table names it',
    example: '2-Phenoxyethanol',
  })
  readonly substance!: string;

  @Column('text', { name: 'inci_names', array: true })
  @ShownField({ type: [String], example: ['PHENOXYETHANOL'] })
  readonly inciNames!: readonly string[];

  @Column('text', { name: 'cas_numbers', array: true })
  @ShownField({ type: [String], description: 'Not paired with the names', example: ['122-99-6'] })
  readonly casNumbers!: readonly string[];

  @Column('text')
  @ShownField({ enum: [...LIMIT_KINDS], enumName: 'LimitKind', example: 'permitted-only' })
  readonly kind!: LimitKind;

  @Column('text', { nullable: true })
  @ShownField({ type: String, nullable: true, description: 'As written', example: null })
  readonly scope!: string | null;

  @Column('text', { name: 'product_types', array: true, nullable: true })
  @ShownField({
    enum: [...PRODUCT_TYPES],
    enumName: 'ProductType',
    isArray: true,
    nullable: true,
    description: 'What the scope means; null: unknown',
    example: [...PRODUCT_TYPES],
  })
  readonly productTypes!: readonly ProductType[] | null;

  @Column('numeric', { name: 'limit_percent', nullable: true })
  @ShownField({
    type: String,
    nullable: true,
    description: 'Percent of the product, a decimal',
    example: '1',
  })
  readonly limitPercent!: string | null;

  @Column('text', { name: 'limit_text', nullable: true })
  @ShownField({ type: String, nullable: true, description: 'The limit as written', example: '1.0 %' })
  readonly limitText!: string | null;

  @Column('text', { nullable: true })
  @ShownField({
    type: String,
    nullable: true,
    description: 'The form that the limit counts; null: the substance itself',
    example: null,
  })
  readonly basis!: string | null;

  @Column('numeric', { nullable: true })
  @ShownField({
    type: String,
    nullable: true,
    description: 'Percent of the basis in one percent of the substance; null: not known',
    example: null,
  })
  readonly factor!: string | null;

  @Column('text', { name: 'sum_group', nullable: true })
  @ShownField({
    type: String,
    nullable: true,
    description: 'The substances of one group are summed against the largest limit of its rows',
    example: null,
  })
  readonly sumGroup!: string | null;

  @Column('text', { nullable: true })
  @ShownField({ type: String, nullable: true, example: 'preservative' })
  readonly purpose!: string | null;

  @Column('text', { nullable: true })
  @ShownField({
    type: String,
    nullable: true,
    description: 'As written; conditions are not examined',
    example: null,
  })
  readonly conditions!: string | null;

  @Column('date', { name: 'valid_from', nullable: true })
  @ShownField({ type: String, nullable: true, description: 'First day', example: null })
  readonly validFrom!: string | null;

  @Column('date', { name: 'valid_until', nullable: true })
  @ShownField({ type: String, nullable: true, description: 'Last day', example: null })
  readonly validUntil!: string | null;

  @Column('text')
  @ShownField({ type: String, example: 'CosIng Annex V, last update 18/08/2026' })
  readonly source!: string;
}

/** A row of a table of limits as it is answered. */
export class LimitDto extends OmitType(ResponseType(LimitEntity), ['position', 'edition']) {}

export type Limit = LimitDto;

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

/** A substance of a formula to look up in a table of limits. */
export interface WantedSubstance {
  /** Key of its INCI name, from `substanceKey`. */
  readonly key: string;
  readonly casNumbers: readonly string[];
}

/** The edition that a screening uses. */
export interface LoadedEdition extends EditionDto {
  readonly refused: readonly Refusal[];
  /** Its annexes for the region, ordered by name. */
  readonly annexes: readonly string[];
}

/**
 * Rows of one edition and region that name a wanted substance, by INCI name or CAS number, and the rows that belong
 * to them: all of the same entry, and all of the same sum group. They are in the order of the file.
 */
export interface LimitMatches {
  /** The requested edition, otherwise the one imported last with rows of the region. Null: there is none. */
  readonly edition: LoadedEdition | null;
  /** Valid on the day. */
  readonly limits: readonly Limit[];
  /** Valid from a later day on. */
  readonly upcoming: readonly Limit[];
}
