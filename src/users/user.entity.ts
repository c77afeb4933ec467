import { Check, Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { Role } from '../common/access/current-user';

@Entity('users')
@Unique('uq_users_username', ['username'])
@Check('ck_users_role', `role IN ('engineer', 'admin')`)
export class UserEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_users' })
  id!: string;

  /** Trimmed; compared exactly. */
  @Column('text')
  username!: string;

  /** `<salt_hex>:<hash_hex>`; never leaves the service. */
  @Column('text', { name: 'password_hash' })
  passwordHash!: string;

  @Column('text', { default: 'engineer' })
  role!: Role;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
