import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
} from 'typeorm';

/** Rows that an import has refused, as a CSV file. */
@Entity('import_refusals')
@Index('ix_import_refusals_created_by', ['createdBy', 'createdAt'])
@Index('ix_import_refusals_created_at', ['createdAt'])
export class ImportRefusalEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_import_refusals' })
  id!: string;

  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'fk_import_refusals_created_by' })
  creator?: unknown;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column('text')
  content!: string;
}
