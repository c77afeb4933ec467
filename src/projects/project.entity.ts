import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  PrimaryGeneratedColumn,
  JoinColumn,
  ManyToOne,
} from 'typeorm';

@Entity('projects')
@Index('ix_projects_created_by', ['createdBy'])
@Index('ix_projects_created_at', { synchronize: false })
export class ProjectEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_projects' })
  id!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('uuid', { name: 'created_by' })
  createdBy!: string;

  // Referenced by name, because modules of one layer do not import each other.
  @ManyToOne('UserEntity')
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'fk_projects_created_by' })
  creator?: unknown;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
