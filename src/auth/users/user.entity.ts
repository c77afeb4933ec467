import { Check, Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { Role } from '../../common/current-user';

@Entity('users')
@Unique('uq_users_username', ['username'])
@Unique('uq_users_username_form', ['usernameForm'])
@Check('ck_users_role', `role ~ '^[a-z0-9_-]{1,50}$'`)
export class UserEntity {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'pk_users' })
  id!: string;

  /** As it was sent, trimmed. */
  @Column('text')
  username!: string;

  /**
   * The username in Unicode's form NFKC, in which it is unique; a trigger writes it. Null for a name from
   * before forms were stored that looks like an earlier one.
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

  /** Tokens name the number that stood here when they were issued; with another one they are not good. */
  @Column('integer', { name: 'token_version', default: 0 })
  tokenVersion!: number;

  @Column('text', { default: 'engineer' })
  role!: Role;

  /** Since when the account cannot be used; null for one that can. */
  @Column({ type: 'timestamptz', name: 'disabled_at', precision: 3, nullable: true })
  disabledAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
