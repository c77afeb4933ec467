import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A setting that was changed at run time; it wins over the environment's. */
@Entity('runtime_settings')
export class RuntimeSettingEntity {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_runtime_settings' })
  name!: string;

  /** Keys and addresses are sealed (see `secret-box.ts`). */
  @Column('text')
  value!: string;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
