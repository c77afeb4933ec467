import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A table of limits as it was imported. */
@Entity('limit_editions')
@Unique('uq_limit_editions_name', ['name'])
@Check('ck_limit_editions_counts', 'row_count >= 0 AND refused_count >= 0')
export class EditionEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_limit_editions' })
  id!: string;

  @Column('text')
  name!: string;

  /** Of its rows, in small letters. */
  @Column('text', { array: true })
  regions!: string[];

  /** Limits: a row of the file can have several. */
  @Column('integer', { name: 'row_count' })
  rowCount!: number;

  /** Rows of the file that are not among them. */
  @Column('integer', { name: 'refused_count' })
  refusedCount!: number;

  @Column('timestamptz', { name: 'imported_at', default: () => 'now()' })
  importedAt!: Date;
}
