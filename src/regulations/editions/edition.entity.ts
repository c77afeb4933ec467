import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** An imported table of limits. */
@Entity('limit_editions')
@Unique('uq_limit_editions_name', ['name'])
@Check('ck_limit_editions_counts', 'row_count >= 0 AND refused_count >= 0')
export class EditionEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_limit_editions' })
  id!: string;

  @Column('text')
  name!: string;

  /** Regions of its rows, in lower case. */
  @Column('text', { array: true })
  regions!: string[];

  /** Number of limits. A row of the file can contain several. */
  @Column('integer', { name: 'row_count' })
  rowCount!: number;

  /** Number of refused rows of the file. */
  @Column('integer', { name: 'refused_count' })
  refusedCount!: number;

  @Column('timestamptz', { name: 'imported_at', default: () => 'now()' })
  importedAt!: Date;
}
