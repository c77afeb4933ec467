import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A setting that was changed at run time. It overrides the environment. */
@Entity('runtime_settings')
export class RuntimeSettingEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_runtime_settings' })
  name!: string;

  /** Keys and addresses are encrypted (see `secret-box.ts`). */
  @Column('text')
  value!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
