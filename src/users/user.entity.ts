import { Check, Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { Role } from '../platform/common/current-user';

@Entity('users')
@Unique('uq_users_username', ['username'])
@Unique('uq_users_username_form', ['usernameForm'])
@Check('ck_users_role', `role ~ '^[a-z0-9_-]{1,50}$'`)
export class UserEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_users' })
  id!: string;

  /** As the client sent it, trimmed. */
  @Column('text')
  username!: string;

  /**
   * The username in Unicode's form NFKC, which is unique; a trigger writes it. Null for an old name, from before
   * forms were stored, that has the same form as an earlier one.
   */
  @Column({
    type: 'text',
    name: 'username_form',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  usernameForm?: string | null;

  /** `<salt_hex>:<hash_hex>`; never leaves the service. */
  @Column('text', { name: 'password_hash' })
  passwordHash!: string;

  /** Tokens contain the version at the time of issue. They are invalid once the version has changed. */
  @Column('integer', { name: 'token_version', default: 0 })
  tokenVersion!: number;

  @Column('text', { default: 'engineer' })
  role!: Role;

  /** Time at which the account was disabled; null for an active account. */
  @Column({ type: 'timestamptz', name: 'disabled_at', precision: 3, nullable: true })
  disabledAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
